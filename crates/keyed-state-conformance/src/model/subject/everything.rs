use keyed_state_core::{
    KeyedStateBackend, KeyedStateBackendExt as _, MapState as _, Result, StateId, ValueState as _,
};

use super::{Key, Subject};
use crate::{
    model::{
        Kind, Scope,
        answer::{Answer, Held, Place},
        kinds::{aggregating, list, map, reducing, value},
        state::{Namespace, State},
    },
    support::sorted,
};

impl<B: KeyedStateBackend<Key = Key>> Subject<B> {
    /// Reads all that is stored in `states`, with the touches of maps and values. The current key is another one
    /// afterwards.
    pub(in crate::model) fn everything(&mut self, states: &[State]) -> Result<Answer> {
        let mut everything = Vec::new();
        for state in states {
            let read = match state.1 {
                Scope::Plain => read::<_, ()>(&mut self.backend, *state)?,
                _ => read::<_, Key>(&mut self.backend, *state)?,
            };
            everything.extend(read.into_iter().map(|(place, held)| (*state, place, held)));
        }
        Ok(Answer::Everything(everything))
    }
}

type Read = Vec<(Place, Vec<Held>)>;

fn read<B, N>(backend: &mut B, State(kind, scope): State) -> Result<Read>
where
    B: KeyedStateBackend<Key = Key>,
    N: Namespace,
{
    let bare = |value| (Key::new(), value, None);
    match kind {
        Kind::Map => {
            let id = map::register::<B, N>(backend, scope)?;
            places(backend, &id, |backend, namespace| {
                backend.map_in(&id, namespace)?.iter_with_touch()?.collect()
            })
        }
        Kind::Value => {
            let id = value::register::<B, N>(backend, scope)?;
            places(backend, &id, |backend, namespace| {
                let held = backend.value_in(&id, namespace)?.get_with_touch()?;
                Ok(held.map(|(value, touch)| (Key::new(), value, touch)).into_iter().collect())
            })
        }
        Kind::List => {
            let id = list::register::<B, N>(backend, scope)?;
            places(backend, &id, |backend, namespace| {
                backend.list_in(&id, namespace)?.iter()?.map(|element| element.map(bare)).collect()
            })
        }
        Kind::Reducing => {
            let id = reducing::register::<B, N>(backend, scope)?;
            places(backend, &id, |backend, namespace| {
                Ok(backend.reducing_in(&id, namespace)?.get()?.map(bare).into_iter().collect())
            })
        }
        Kind::Aggregating => {
            let id = aggregating::register::<B, N>(backend, scope)?;
            places(backend, &id, |backend, namespace| {
                Ok(backend.aggregating_in(&id, namespace)?.get()?.map(bare).into_iter().collect())
            })
        }
    }
}

/// Reads what a state holds, under each of its keys and namespaces.
fn places<B, S>(
    backend: &mut B,
    id: &S,
    read: impl Fn(&mut B, &S::Namespace) -> Result<Vec<Held>>,
) -> Result<Read>
where
    B: KeyedStateBackend<Key = Key>,
    S: StateId<Namespace: Namespace>,
{
    let pairs = sorted(backend.keys_and_namespaces(id)?);
    let read = |(key, namespace): (Key, S::Namespace)| {
        backend.set_current_key(&key)?;
        let held = read(backend, &namespace)?;
        Ok(((key, namespace.to_bytes()), held))
    };
    pairs.into_iter().map(read).collect()
}
