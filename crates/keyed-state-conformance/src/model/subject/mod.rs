//! The backend under test.

use keyed_state_core::{
    Error, KeyedStateBackend, KeyedStateBackendExt as _, ManualClock, Result, StateId,
};

use super::{
    Kind, Merge, Op, Scope, Visit,
    answer::{Answer, Fired},
    kinds::{aggregating, list, map, reducing, timers, value},
    state::{Namespace, State},
};
use crate::support::sorted;

mod everything;

type Key = Vec<u8>;

/// Registers the state of a kind, or finds it again, and does something with its id.
macro_rules! with_id {
    ($kind:expr, $namespace:ty, $backend:expr, $scope:expr, $id:ident => $do:expr) => {
        match $kind {
            Kind::Map => {
                let $id = map::register::<_, $namespace>($backend, $scope)?;
                $do
            }
            Kind::Value => {
                let $id = value::register::<_, $namespace>($backend, $scope)?;
                $do
            }
            Kind::List => {
                let $id = list::register::<_, $namespace>($backend, $scope)?;
                $do
            }
            Kind::Reducing => {
                let $id = reducing::register::<_, $namespace>($backend, $scope)?;
                $do
            }
            Kind::Aggregating => {
                let $id = aggregating::register::<_, $namespace>($backend, $scope)?;
                $do
            }
        }
    };
}

/// A backend, and what a run has set beside it.
pub(super) struct Subject<B> {
    pub(super) backend: B,
    set: Set,
}

struct Set {
    clock: ManualClock,
    namespace: Key,
}

impl<B: KeyedStateBackend<Key = Key>> Subject<B> {
    /// Takes a backend that was opened with `clock`.
    pub(super) fn new(backend: B, clock: ManualClock, namespace: &[u8]) -> Self {
        // A backend holds to the times that it was told, and nothing else may ask before the clock goes back.
        let _ = backend.context().times().processing();
        Self { backend, set: Set { clock, namespace: namespace.to_vec() } }
    }

    /// Sets the current key, or forgets it.
    pub(super) fn set_key(&mut self, key: Option<&[u8]>) -> Result<()> {
        set_key(&mut self.backend, key)
    }

    /// Does `op`, but for what [`Op::Reopen`] says.
    pub(super) fn apply(&mut self, op: &Op) -> Result<Answer> {
        match op.scope() {
            Some(Scope::Plain) => apply::<_, ()>(&mut self.backend, &mut self.set, op),
            _ => apply::<_, Key>(&mut self.backend, &mut self.set, op),
        }
    }
}

fn set_key<B: KeyedStateBackend<Key = Key>>(backend: &mut B, key: Option<&[u8]>) -> Result<()> {
    if let Some(key) = key {
        return backend.set_current_key(&key.to_vec());
    }
    backend.unset_current_key();
    Ok(())
}

/// Does an operation; the namespaces of its state are of type `N`.
///
/// States are registered anew each time that they are used, which finds them again.
fn apply<B, N>(backend: &mut B, set: &mut Set, op: &Op) -> Result<Answer>
where
    B: KeyedStateBackend<Key = Key>,
    N: Namespace,
{
    let here = &N::from_bytes(&set.namespace);
    match op {
        Op::SetKey(key) => backend.set_current_key(&key.to_vec())?,
        Op::UnsetKey => backend.unset_current_key(),
        Op::SetNamespace(namespace) => set.namespace = namespace.to_vec(),
        Op::Map(scope, ops) => {
            let id = map::register(backend, *scope)?;
            let mut view = backend.map_in(&id, here)?;
            return several(ops, |op| map::apply(&mut view, op));
        }
        Op::Value(scope, ops) => {
            let id = value::register(backend, *scope)?;
            let mut view = backend.value_in(&id, here)?;
            return several(ops, |op| value::apply(&mut view, op));
        }
        Op::List(scope, ops) => {
            let id = list::register(backend, *scope)?;
            let mut view = backend.list_in(&id, here)?;
            return several(ops, |op| list::apply(&mut view, op));
        }
        Op::Reducing(scope, ops) => {
            let id = reducing::register(backend, *scope)?;
            let mut view = backend.reducing_in(&id, here)?;
            return several(ops, |op| reducing::apply(&mut view, op));
        }
        Op::Aggregating(scope, ops) => {
            let id = aggregating::register(backend, *scope)?;
            let mut view = backend.aggregating_in(&id, here)?;
            return several(ops, |op| aggregating::apply(&mut view, op));
        }
        Op::Merge(merge, scope, target, sources) => {
            let sources: Vec<N> = sources.iter().map(|source| N::from_bytes(source)).collect();
            merge_namespaces(backend, *merge, *scope, &N::from_bytes(target), &sources)?;
        }
        Op::Keys(kind, scope) => {
            return with_id!(kind, N, backend, *scope, id => listing(backend, &id, here));
        }
        Op::ForEachKey(kind, scope, visit) => {
            return with_id!(kind, N, backend, *scope, id => {
                let mut visited = Vec::new();
                backend.for_each_key(&id, here, |backend| {
                    let key = backend.current_key().cloned().unwrap_or_default();
                    visited.push(key.clone());
                    let op = match visit {
                        Visit::Clear => kind.clear(*scope),
                        Visit::Spread => {
                            backend.set_current_key(&[key.as_slice(), b"a"].concat())?;
                            kind.add(*scope)
                        }
                        Visit::Fail => return Err(Error::from_function("the visit fails")),
                    };
                    apply::<B, N>(backend, set, &op).map(drop)
                })?;
                Ok(Answer::Visited(sorted(visited)))
            });
        }
        Op::Expired(kind, scope) => {
            return with_id!(kind, N, backend, *scope, id => {
                backend.expired_entries(&id).map(Answer::Expired)
            });
        }
        Op::Timers(scope, ops) => {
            let mut timers = backend.timers::<N>(&service(*scope))?;
            return several(ops, |op| timers::apply(&mut timers, here, op));
        }
        Op::Fire(scope, most, by) => {
            return fire::<B, N>(backend, &service(*scope), *most, *by).map(Answer::Fired);
        }
        Op::Clock(by) => {
            set.clock.advance(*by);
            return Ok(Answer::Time(Some(backend.context().times().processing())));
        }
        Op::Watermark(by) => {
            let to = backend.watermark().unwrap_or(0).saturating_add(*by);
            backend.advance_watermark(to);
            return Ok(Answer::Time(backend.watermark()));
        }
        Op::Flush => backend.flush()?,
        Op::Compact => backend.compact()?,
        Op::Reopen => {}
    }
    Ok(Answer::Done)
}

/// Returns the name of a timer service. States have names apart.
fn service(scope: Scope) -> String {
    State(Kind::Map, scope).name()
}

/// Pops timers, and registers each again under its key.
fn fire<B, N>(backend: &mut B, name: &str, most: usize, by: i64) -> Result<Vec<Fired>>
where
    B: KeyedStateBackend<Key = Key>,
    N: Namespace,
{
    let before = backend.current_key().cloned();
    let mut fired = Vec::new();
    while fired.len() < most
        && let Some(timer) = backend.timers::<N>(name)?.pop_due()?
    {
        backend.set_current_key(&timer.key)?;
        let again_ms = timer.time_ms.saturating_add(by);
        backend.timers::<N>(name)?.register(again_ms, &timer.namespace)?;
        fired.push(timers::fired(timer));
    }
    set_key(backend, before.as_deref())?;
    Ok(fired)
}

fn several<O>(ops: &[O], apply: impl FnMut(&O) -> Result<Answer>) -> Result<Answer> {
    ops.iter().map(apply).collect::<Result<_>>().map(Answer::Several)
}

fn merge_namespaces<B: KeyedStateBackend, N: Namespace>(
    backend: &mut B,
    merge: Merge,
    scope: Scope,
    target: &N,
    sources: &[N],
) -> Result<()> {
    match merge {
        Merge::Maps => {
            let id = map::register(backend, scope)?;
            let combine = |key: &Key, earlier, later| map::combine(key, earlier, later);
            backend.merge_maps(&id, target, sources, combine)
        }
        Merge::Lists => {
            let id = list::register(backend, scope)?;
            backend.merge_lists(&id, target, sources)
        }
        Merge::Reducing => {
            let id = reducing::register(backend, scope)?;
            backend.merge_reducing(&id, target, sources)
        }
        Merge::Aggregating => {
            let id = aggregating::register(backend, scope)?;
            backend.merge_aggregating(&id, target, sources)
        }
    }
}

fn listing<B, S>(backend: &mut B, state: &S, namespace: &S::Namespace) -> Result<Answer>
where
    B: KeyedStateBackend<Key = Key>,
    S: StateId<Namespace: Namespace>,
{
    let keys = sorted(backend.keys(state, namespace)?);
    let pairs = backend.keys_and_namespaces(state)?;
    let pairs = pairs.map(|(key, namespace)| (key, namespace.to_bytes()));
    Ok(Answer::Listing(keys, sorted(pairs)))
}
