//! M5 by [`ClearStrategy::Generation`]: what was cleared goes away, is forgotten in time, and never comes back.

use keyed_state_core::{
    BackendOptions, ClearStrategy, Engine, EngineBackend, KeyedStateBackend, KeyedStateBackendExt,
    ListDescriptor, ListId, MapDescriptor, MapId, MapState,
};

use super::support::{WRITES, calls_of, open_state, rows, sum};
use crate::{
    Call, EngineFixture, Failures, Outcome,
    support::{Home, Must, NO_COMPACTION, NOT_DURABLE, entries, sorted},
};

const NO_FILTERS: &str = "`compaction_filter` is not declared";

type Backend<F> = EngineBackend<u64, <F as EngineFixture>::Engine>;
type Id = MapId<u64, u64, u64>;

fn open<F: EngineFixture>(fixture: &F, home: &Home, options: BackendOptions) -> (Backend<F>, Id) {
    let engine = fixture.open(home.path()).must();
    let options = options.clear_strategy(ClearStrategy::Generation);
    let mut backend = EngineBackend::open(engine, options).must();
    let id = backend.register_map(&MapDescriptor::new("map")).must();
    (backend, id)
}

/// Puts `size` entries with the value `value` into the map of each key.
fn fill<F: EngineFixture>(backend: &mut Backend<F>, id: &Id, keys: u64, size: u64, value: u64) {
    for key in 0..keys {
        backend.set_current_key(&key).must();
        backend.map_in(id, &key).must().put_all((0..size).map(|n| (n, value))).must();
    }
}

fn clear_all<F: EngineFixture>(backend: &mut Backend<F>, id: &Id, keys: u64) {
    for key in 0..keys {
        backend.set_current_key(&key).must();
        backend.map_in(id, &key).must().clear().must();
    }
}

#[track_caller]
fn assert_all<F: EngineFixture>(
    backend: &mut Backend<F>,
    id: &Id,
    keys: u64,
    expected: &[(u64, u64)],
) {
    for key in 0..keys {
        backend.set_current_key(&key).must();
        let map = backend.map_in(id, &key).must();
        assert_eq!(entries(&map), expected, "key {key}");
        assert_eq!(map.get(&0).must(), expected.first().map(|entry| entry.1), "key {key}");
    }
}

/// Makes the engine and the backend clean up after clears: by compactions, or where there are none, by accesses.
fn clean_up<F: EngineFixture>(backend: &mut Backend<F>, id: &Id, keys: u64) {
    if backend.capabilities().compact {
        backend.compact().must();
        return;
    }
    for access in 0..200_000 {
        if backend.cleared_maps().maps == 0 {
            break;
        }
        backend.set_current_key(&(access % keys)).must();
        backend.map_in(id, &u64::MAX).must();
    }
}

/// What was cleared is gone from the engine after a compaction, in every kind of state; without compactions, or without filters
/// in them, after enough accesses. Then the clears are forgotten. (1)
pub fn m5_what_was_cleared_goes_away_and_is_forgotten<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut backend, id) = open(fixture, &home, BackendOptions::new());
    let list: ListId<u64> = backend.register_list(&ListDescriptor::new("list")).must();
    let capabilities = backend.capabilities();
    if capabilities.compaction_filter && !capabilities.compact {
        return Outcome::Skipped(NO_COMPACTION);
    }
    for round in 0..3 {
        fill::<F>(&mut backend, &id, 300, 5, round);
        for key in 0..300 {
            backend.set_current_key(&key).must();
            backend.list(&list).must().add_all(0..3).must();
            backend.list(&list).must().clear().must();
        }
        clear_all::<F>(&mut backend, &id, 300);
        if round == 1 {
            backend.flush().must();
        }
    }
    if capabilities.compaction_filter {
        // Otherwise accesses have cleaned up behind the clears already.
        assert_eq!(backend.cleared_maps().maps, 600);
    }
    clean_up::<F>(&mut backend, &id, 300);
    if !capabilities.compact {
        for _ in 0..200_000 {
            if backend.cleared_maps().maps == 0 {
                break;
            }
            backend.list(&list).must();
        }
    }
    assert_eq!(backend.cleared_maps().maps, 0);
    assert_all::<F>(&mut backend, &id, 300, &[]);
    backend.close().must();
    if !capabilities.durable {
        return Outcome::Ran;
    }
    for name in ["map", "list"] {
        let (engine, table) = open_state(fixture, &home, name);
        assert_eq!(rows(&engine, table), [], "the state {name:?}");
        Box::new(engine).close().must();
    }
    Outcome::Ran
}

/// What was put since the clear is not forgotten, whatever is compacted when, and what was forgotten can be put and cleared
/// again. (11, 17)
pub fn m5_compactions_never_take_what_is_live<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut backend, id) = open(fixture, &home, BackendOptions::new());
    let compacts = backend.capabilities().compact;
    for round in 0..4 {
        fill::<F>(&mut backend, &id, 200, 3, round);
        clear_all::<F>(&mut backend, &id, 200);
        if compacts && round % 2 == 0 {
            backend.compact().must();
        }
        fill::<F>(&mut backend, &id, 200, 1, 10 + round);
        if compacts {
            backend.compact().must();
        }
        assert_all::<F>(&mut backend, &id, 200, &[(0, 10 + round)]);
        assert_eq!(sorted(backend.keys(&id, &7).must()), [7]);
        clear_all::<F>(&mut backend, &id, 200);
        assert_all::<F>(&mut backend, &id, 200, &[]);
        assert_eq!(backend.keys_and_namespaces(&id).must().count(), 0);
    }
    Outcome::Ran
}

/// Compactions keep what is cleared while a snapshot is read, until it is closed. (10)
pub fn m5_a_hold_keeps_what_a_snapshot_sees<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut backend, id) = open(fixture, &home, BackendOptions::new());
    let capabilities = backend.capabilities();
    if !capabilities.compaction_filter {
        return Outcome::Skipped(NO_FILTERS);
    }
    if !capabilities.compact {
        return Outcome::Skipped(NO_COMPACTION);
    }
    fill::<F>(&mut backend, &id, 100, 3, 1);
    clear_all::<F>(&mut backend, &id, 40);
    let first = backend.hold_generations();
    let second = backend.hold_generations();
    clear_all::<F>(&mut backend, &id, 100);
    backend.compact().must();
    // The first forty were known to be empty already.
    assert_eq!(backend.cleared_maps().maps, 60, "what was cleared before the snapshot may go");
    assert_all::<F>(&mut backend, &id, 100, &[]);
    drop(first);
    backend.compact().must();
    assert_eq!(backend.cleared_maps().maps, 60, "the other snapshot is open still");
    drop(second);
    backend.compact().must();
    assert_eq!(backend.cleared_maps().maps, 0);
    Outcome::Ran
}

/// Remembering clears never takes more memory than it may, though every map has live entries; nothing is lost by that. (21)
pub fn m5_remembering_clears_keeps_its_memory<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let limit = 16 << 10;
    let options = BackendOptions::new().clear_memory_bytes(limit);
    let (mut backend, id) = open(fixture, &home, options);
    let mut most = 0;
    for round in 0..2 {
        for key in 0..2_000 {
            backend.set_current_key(&key).must();
            let mut map = backend.map_in(&id, &key).must();
            map.put(1, round).must();
            map.clear().must();
            assert!(map.is_empty().must(), "key {key}");
            map.put(0, round).must();
            let bytes = backend.cleared_maps().bytes;
            assert!(bytes <= limit, "{bytes} bytes for {key} maps");
            most = most.max(bytes);
        }
        assert!(most > limit / 4, "it must be used too, not {most} bytes of {limit}");
        assert_all::<F>(&mut backend, &id, 2_000, &[(0, round)]);
    }
    Outcome::Ran
}

/// Generations go on where they were after closing and opening: what was cleared before stays so, and what is cleared
/// then is cleared too. What was forgotten before closing is not remembered by the next opening. (13, 18)
pub fn m5_generations_go_on_when_opened_again<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut backend, id) = open(fixture, &home, BackendOptions::new());
    let capabilities = backend.capabilities();
    if !capabilities.durable {
        return Outcome::Skipped(NOT_DURABLE);
    }
    fill::<F>(&mut backend, &id, 50, 3, 1);
    clear_all::<F>(&mut backend, &id, 50);
    fill::<F>(&mut backend, &id, 25, 2, 2);
    backend.close().must();

    let (mut backend, id) = open(fixture, &home, BackendOptions::new());
    if capabilities.compaction_filter {
        assert_eq!(backend.cleared_maps().maps, 50);
    }
    assert_all::<F>(&mut backend, &id, 25, &[(0, 2), (1, 2)]);
    backend.set_current_key(&30).must();
    assert!(backend.map_in(&id, &30).must().is_empty().must());
    assert_eq!(backend.keys_and_namespaces(&id).must().count(), 25);
    // By a counter that began anew, these clears would give the maps the generations that they have.
    clear_all::<F>(&mut backend, &id, 50);
    assert_all::<F>(&mut backend, &id, 50, &[]);
    backend.close().must();

    let (mut backend, id) = open(fixture, &home, BackendOptions::new());
    assert_all::<F>(&mut backend, &id, 50, &[]);
    if capabilities.compaction_filter && !capabilities.compact {
        return Outcome::Skipped(NO_COMPACTION);
    }
    clean_up::<F>(&mut backend, &id, 50);
    assert_eq!(backend.cleared_maps().maps, 0);
    // Under the first generation: a stored clear that was forgotten here must not hide it there.
    fill::<F>(&mut backend, &id, 50, 1, 3);
    backend.close().must();

    let (mut backend, id) = open(fixture, &home, BackendOptions::new());
    assert_eq!(backend.cleared_maps().maps, 0);
    assert_all::<F>(&mut backend, &id, 50, &[(0, 3)]);
    Outcome::Ran
}

/// A state that was cleared by generations can be opened to be cleared otherwise, and the other way round. (18)
pub fn m5_a_state_may_change_its_clear_strategy<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut strategies = crate::fixture::all_strategies().to_vec();
    strategies.insert(2, ClearStrategy::Generation);
    for (round, strategy) in (0..).zip(strategies) {
        let engine = fixture.open(home.path()).must();
        let durable = engine.capabilities().durable;
        if !durable {
            return Outcome::Skipped(NOT_DURABLE);
        }
        let mut backend = EngineBackend::<u64, _>::open(engine, BackendOptions::new()).must();
        let descriptor = MapDescriptor::new("map").clear_strategy(strategy);
        let id: Id = backend.register_map(&descriptor).must();
        let left: &[_] = if round == 0 { &[] } else { &[(0, round - 1)] };
        assert_all::<F>(&mut backend, &id, 20, left);
        fill::<F>(&mut backend, &id, 20, 5, round);
        clear_all::<F>(&mut backend, &id, 20);
        assert_all::<F>(&mut backend, &id, 20, &[]);
        fill::<F>(&mut backend, &id, 20, 1, round);
        if backend.capabilities().compact {
            backend.compact().must();
        }
        assert_all::<F>(&mut backend, &id, 20, &[(0, round)]);
        backend.close().must();
    }
    Outcome::Ran
}

/// Forgetting what was cleared takes little of each access, however much there is to forget. (1)
pub fn m5_forgetting_costs_little_at_each_access<F: EngineFixture>(fixture: &F) -> Outcome {
    let (home, calls) = (Home::new(), Failures::new());
    let engine = fixture.open_failing(home.path(), &calls).must();
    // So little memory that the clears below fill half of it.
    let options = BackendOptions::new()
        .clear_strategy(ClearStrategy::Generation)
        .clear_memory_bytes(128 << 10);
    let mut backend = EngineBackend::<u64, _>::open(engine, options).must();
    let id: Id = backend.register_map(&MapDescriptor::new("map")).must();
    let mut worked = 0;
    for key in 0..4_000 {
        backend.set_current_key(&key).must();
        let made = calls_of(&calls, || {
            backend.map_in(&id, &key).must();
        });
        worked += u64::from(made.iter().sum::<u64>() > 0);
        // A step of the walk, and one map of up to 64 entries that is moved.
        assert!(made[Call::Next as usize] <= 65 + 66, "{made:?}");
        // Or sixteen maps that are looked up.
        assert!(made[Call::Scan as usize] <= 17, "{made:?}");
        assert!(sum(&made, &WRITES) <= 3, "{made:?}");
        let mut map = backend.map_in(&id, &key).must();
        map.put_all((0..3).map(|n| (n, n))).must();
        map.clear().must();
        if key % 3 == 0 {
            map.put(0, key).must();
        }
    }
    assert!(worked > 100, "only {worked} accesses did something");
    for key in 0..4_000 {
        backend.set_current_key(&key).must();
        let expected: &[_] = if key % 3 == 0 { &[(0, key)] } else { &[] };
        assert_eq!(entries(&backend.map_in(&id, &key).must()), expected);
    }
    Outcome::Ran
}
