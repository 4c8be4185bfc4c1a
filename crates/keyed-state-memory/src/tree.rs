use std::{collections::BTreeMap, ops::Bound};

use keyed_state_core::{ExpiryNow, StateKey};

use crate::{
    slot::Slot,
    table::{Held, Purged},
};

/// The entries of one map; never empty.
pub(crate) struct Tree<UK, S: Slot> {
    slots: BTreeMap<UK, S>,
    /// No slot was touched before. A read may have touched since, so it is a bound.
    oldest: S::Oldest,
}

impl<UK: StateKey, S: Slot> Tree<UK, S> {
    /// Makes a tree of `slots`, unless there are none.
    pub(crate) fn new(slots: BTreeMap<UK, S>) -> Option<Self> {
        let oldest = slots.values().map(S::oldest).reduce(S::older)?;
        Some(Self { slots, oldest })
    }

    pub(crate) fn slots(&self) -> &BTreeMap<UK, S> {
        &self.slots
    }

    pub(crate) fn insert(&mut self, key: UK, slot: S) {
        self.oldest = S::older(self.oldest, slot.oldest());
        self.slots.insert(key, slot);
    }

    /// Hands the slots out for removing.
    pub(crate) fn removable(&mut self) -> &mut BTreeMap<UK, S> {
        &mut self.slots
    }

    pub(crate) fn may_have_expired(&self, at: S::At) -> bool {
        S::any_expired(self.oldest, at)
    }
}

impl<UK: StateKey, S: Slot> Held for Tree<UK, S> {
    const EXPIRES: bool = S::EXPIRES;

    type At = S::At;
    type Resume = UK;
    type Oldest = S::Oldest;

    fn at(expiry: Option<ExpiryNow>) -> S::At {
        S::at(expiry)
    }

    fn is_live(&self, at: S::At) -> bool {
        !self.may_have_expired(at) || self.slots.values().any(|slot| slot.is_live(at))
    }

    fn expired(&self, at: S::At) -> usize {
        if !self.may_have_expired(at) {
            return 0;
        }
        self.slots.values().filter(|slot| !slot.is_live(at)).count()
    }

    fn oldest(&self) -> S::Oldest {
        self.oldest
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

    fn purge(&mut self, at: S::At, resume: Option<UK>, budget: usize) -> Purged<UK> {
        if !self.may_have_expired(at) {
            return Purged::Done;
        }
        let whole = resume.is_none() && self.slots.len() <= budget;
        if whole {
            self.slots.retain(|_, slot| slot.is_live(at));
            return match self.slots.values().map(S::oldest).reduce(S::older) {
                Some(oldest) => {
                    self.oldest = oldest;
                    Purged::Done
                }
                None => Purged::Empty,
            };
        }
        let from = resume.map_or(Bound::Unbounded, Bound::Included);
        let mut rest = self.slots.range((from, Bound::Unbounded));
        let seen = rest.by_ref().take(budget);
        let expired: Vec<UK> =
            seen.filter(|(_, slot)| !slot.is_live(at)).map(|(key, _)| key.clone()).collect();
        let next = rest.next().map(|(key, _)| key.clone());
        for key in expired {
            self.slots.remove(&key);
        }
        match next {
            _ if self.slots.is_empty() => Purged::Empty,
            Some(next) => Purged::Rest(next),
            None => Purged::Done,
        }
    }
}
