use std::{convert::Infallible, fmt};

use keyed_state_core::{Change, ExpiryNow, Result, StateKey, StateValue, ValueState};

use crate::{
    slot::{Plain, Slot, Stamped},
    table::{Entries, Held, Place, Purged},
};

/// A value of a value state.
pub(crate) struct Single<S>(pub(crate) S);

impl<S: Slot> Held for Single<S> {
    const EXPIRES: bool = S::EXPIRES;

    type At = S::At;
    type Resume = Infallible;
    type Oldest = S::Oldest;

    fn at(expiry: Option<ExpiryNow>) -> S::At {
        S::at(expiry)
    }

    fn is_live(&self, at: S::At) -> bool {
        self.0.is_live(at)
    }

    fn expired(&self, at: S::At) -> usize {
        usize::from(!self.0.is_live(at))
    }

    fn oldest(&self) -> S::Oldest {
        self.0.oldest()
    }

    fn now(at: S::At) -> S::Oldest {
        S::now(at)
    }

    fn older(a: S::Oldest, b: S::Oldest) -> S::Oldest {
        S::older(a, b)
    }

    fn any_expired(oldest: S::Oldest, at: S::At) -> bool {
        S::any_expired(oldest, at)
    }

    fn purge(&mut self, at: S::At, _: Option<Infallible>, _: usize) -> Purged<Infallible> {
        if self.0.is_live(at) { Purged::Done } else { Purged::Empty }
    }
}

/// View of a value state in a [`MemoryBackend`](crate::MemoryBackend).
pub struct MemoryValue<'a, K, V: StateValue, N>(pub(crate) Kind<'a, K, V, N>);

impl<K, V: StateValue, N> fmt::Debug for MemoryValue<'_, K, V, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryValue").finish_non_exhaustive()
    }
}

/// Without and with TTL.
pub(crate) enum Kind<'a, K, V: StateValue, N> {
    Plain(View<'a, K, N, Plain<V>>),
    Stamped(View<'a, K, N, Stamped<V>>),
}

pub(crate) struct View<'a, K, N, S: Slot> {
    pub(crate) entries: &'a mut Entries<K, N, Single<S>>,
    pub(crate) key: &'a K,
    pub(crate) namespace: &'a N,
    pub(crate) at: S::At,
    pub(crate) default: Option<&'a S::Value>,
}

/// Calls the same method on whichever view it is.
macro_rules! view {
    ($value:ident, $view:ident => $call:expr) => {
        match &$value.0 {
            Kind::Plain($view) => $call,
            Kind::Stamped($view) => $call,
        }
    };
    (mut $value:ident, $view:ident => $call:expr) => {
        match &mut $value.0 {
            Kind::Plain($view) => $call,
            Kind::Stamped($view) => $call,
        }
    };
}

#[deny(clippy::missing_trait_methods)]
impl<K: StateKey, V: StateValue, N: StateKey> ValueState<V> for MemoryValue<'_, K, V, N> {
    fn get(&self) -> Result<Option<V>> {
        Ok(view!(self, view => view.get()))
    }

    fn get_with_touch(&self) -> Result<Option<(V, Option<i64>)>> {
        Ok(view!(self, view => {
            view.live().map(|slot| (slot.value().clone(), slot.touched_ms()))
        }))
    }

    fn is_set(&self) -> Result<bool> {
        Ok(view!(self, view => view.live().is_some()))
    }

    fn set(&mut self, value: V) -> Result<()> {
        view!(mut self, view => view.change(Change::Set { value, touched_ms: None }));
        Ok(())
    }

    fn clear(&mut self) -> Result<()> {
        view!(mut self, view => view.change(Change::Remove));
        Ok(())
    }
}

impl<K: StateKey, N: StateKey, S: Slot> View<'_, K, N, S> {
    fn live(&self) -> Option<&S> {
        let stored = self.entries.get(Place(self.key, self.namespace));
        stored.map(|Single(slot)| slot).filter(|slot| slot.is_live(self.at))
    }

    fn get(&self) -> Option<S::Value> {
        match self.live() {
            Some(slot) => {
                slot.read(self.at);
                Some(slot.value().clone())
            }
            None => self.default.cloned(),
        }
    }

    pub(crate) fn change(&mut self, change: Change<S::Value>) {
        let place = Place(self.key, self.namespace);
        match change {
            Change::Set { value, touched_ms } => {
                self.entries.insert(place, Single(S::new(value, touched_ms, self.at)));
            }
            Change::Remove => self.entries.remove(place),
        }
    }
}
