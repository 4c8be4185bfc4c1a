use std::collections::BTreeMap;

use crate::{
    AggregateFunction, AggregatingId, Change, KeyedStateBackend, ListId, MapChange, MapId,
    MapState as _, ReduceFunction, ReducingId, Result, StateKey, StateValue, ValueChange, ValueId,
    ValueState as _,
};

/// Returns each source once, in its order, without the target (contract L2).
fn distinct<'a, N: Eq>(target: &N, sources: &'a [N]) -> Vec<&'a N> {
    let mut distinct: Vec<&N> = Vec::with_capacity(sources.len());
    for source in sources {
        if source != target && !distinct.contains(&source) {
            distinct.push(source);
        }
    }
    distinct
}

fn later(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a.max(b)
}

pub(crate) fn merge_lists<B: KeyedStateBackend, V: StateValue, N: StateKey>(
    backend: &mut B,
    id: &ListId<V, N>,
    target: &N,
    sources: &[N],
) -> Result<()> {
    let id = &id.map;
    let mut moved = Vec::new();
    let mut changes = Vec::new();
    // Also where there is no source: the target's id and the current key are checked.
    drop(backend.map_in(id, target)?);
    for source in distinct(target, sources) {
        let list = backend.map_in(id, source)?;
        for element in list.iter_with_touch()? {
            let (number, value, touched_ms) = element?;
            moved.push((value, touched_ms));
            changes.push(removal(source, number));
        }
    }
    // The target's elements have lower numbers than any that is taken now, and so stay first.
    let first = backend.context().sequence().take(moved.len() as u64)?;
    for (number, (value, touched_ms)) in (first..).zip(moved) {
        let change = Change::Set { value, touched_ms };
        changes.push(MapChange { namespace: target.clone(), key: number, change });
    }
    write_map(backend, id, changes)
}

pub(crate) fn merge_maps<B: KeyedStateBackend, UK: StateKey, UV: StateValue, N: StateKey>(
    backend: &mut B,
    id: &MapId<UK, UV, N>,
    target: &N,
    sources: &[N],
    mut combine: impl FnMut(&UK, UV, UV) -> Result<UV>,
) -> Result<()> {
    let mut merged: BTreeMap<UK, (UV, Option<i64>)> = BTreeMap::new();
    let mut changes = Vec::new();
    drop(backend.map_in(id, target)?);
    for source in distinct(target, sources) {
        let entries: Vec<_> =
            backend.map_in(id, source)?.iter_with_touch()?.collect::<Result<_>>()?;
        for (key, value, touched) in entries {
            changes.push(removal(source, key.clone()));
            let earlier = match merged.remove(&key) {
                Some(earlier) => Some(earlier),
                None => backend.map_in(id, target)?.get_with_touch(&key)?,
            };
            let entry = match earlier {
                Some((earlier, touched_earlier)) => {
                    (combine(&key, earlier, value)?, later(touched_earlier, touched))
                }
                None => (value, touched),
            };
            merged.insert(key, entry);
        }
    }
    for (key, (value, touched_ms)) in merged {
        let change = Change::Set { value, touched_ms };
        changes.push(MapChange { namespace: target.clone(), key, change });
    }
    write_map(backend, id, changes)
}

fn removal<UK, UV, N: Clone>(namespace: &N, key: UK) -> MapChange<UK, UV, N> {
    MapChange { namespace: namespace.clone(), key, change: Change::Remove }
}

fn write_map<B: KeyedStateBackend, UK: StateKey, UV: StateValue, N: StateKey>(
    backend: &mut B,
    id: &MapId<UK, UV, N>,
    changes: Vec<MapChange<UK, UV, N>>,
) -> Result<()> {
    if changes.is_empty() { Ok(()) } else { backend.change_map(id, changes) }
}

pub(crate) fn merge_reducing<B, V, F, N>(
    backend: &mut B,
    id: &ReducingId<V, F, N>,
    target: &N,
    sources: &[N],
) -> Result<()>
where
    B: KeyedStateBackend,
    V: StateValue,
    F: ReduceFunction<V>,
    N: StateKey,
{
    let function = id.function;
    merge_values(backend, &id.value, target, sources, |a, b| function.reduce(a, b))
}

pub(crate) fn merge_aggregating<B, A, N>(
    backend: &mut B,
    id: &AggregatingId<A, N>,
    target: &N,
    sources: &[N],
) -> Result<()>
where
    B: KeyedStateBackend,
    A: AggregateFunction,
    N: StateKey,
{
    let function = id.function;
    merge_values(backend, &id.value, target, sources, |a, b| function.merge(a, b))
}

fn merge_values<B: KeyedStateBackend, V: StateValue, N: StateKey>(
    backend: &mut B,
    id: &ValueId<V, N>,
    target: &N,
    sources: &[N],
    mut combine: impl FnMut(V, V) -> Result<V>,
) -> Result<()> {
    let mut merged = backend.value_in(id, target)?.get_with_touch()?;
    let mut changes = Vec::new();
    for source in distinct(target, sources) {
        let Some((value, touched)) = backend.value_in(id, source)?.get_with_touch()? else {
            continue;
        };
        changes.push(ValueChange { namespace: source.clone(), change: Change::Remove });
        merged = Some(match merged {
            Some((earlier, touched_earlier)) => {
                (combine(earlier, value)?, later(touched_earlier, touched))
            }
            None => (value, touched),
        });
    }
    if changes.is_empty() {
        return Ok(());
    }
    if let Some((value, touched_ms)) = merged {
        let change = Change::Set { value, touched_ms };
        changes.push(ValueChange { namespace: target.clone(), change });
    }
    backend.change_value(id, changes)
}
