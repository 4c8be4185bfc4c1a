//! T1, T2: a touch by a read never undoes what is written after it, be that in the same view or in the next.
//!
//! A read has no `&mut`, so a backend may have to put its touch off; what it puts off must not bring old values back.

use keyed_state_core::{
    Change, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, ListId, MapChange,
    MapDescriptor, MapId, MapState, MapStateExt, ReducingDescriptor, Result, ValueChange,
    ValueDescriptor, ValueId, ValueState, ValueStateExt,
};

use crate::{
    Fixture, Outcome,
    stage::{Stage, ttl_by_reads, with_ttl},
    support::{Must, entries},
};

type Entries = &'static [(u64, u64)];

/// Ways of changing a map of `(1, 10), (2, 20), (3, 30)` through a view, and what is in it then.
const CHANGES_OF_MAPS: [Entries; 9] = [
    &[(1, 11), (2, 20), (3, 30)],
    &[(2, 20), (3, 30)],
    &[],
    &[(1, 12), (2, 20), (3, 30), (4, 40)],
    &[(2, 22)],
    &[],
    &[(2, 20)],
    &[(2, 20), (3, 30)],
    &[(1, 13)],
];

fn change_map(map: &mut impl MapState<u64, u64>, way: usize) -> Result<()> {
    match way {
        0 => map.put(1, 11),
        1 => map.remove(&1),
        2 => map.clear(),
        3 => map.put_all([(1, 12), (4, 40)]),
        4 => map.replace_all([(2, 22)]),
        5 => map.replace_all([]),
        6 => map.retain(|key, _| *key == 2),
        7 => map.update(1, |_| None),
        _ => map.clear().and_then(|()| map.put(1, 13)),
    }
}

/// Reads all entries of a map, each way.
fn read_map(map: &impl MapState<u64, u64>, way: usize) {
    match way {
        0 => (1..=3).for_each(|key| assert!(map.get(&key).must().is_some())),
        1 => (1..=3).for_each(|key| assert!(map.contains(&key).must())),
        2 => assert_eq!(map.iter().must().count(), 3),
        3 => assert_eq!(map.iter().must().rev().count(), 3),
        4 => assert_eq!(map.range(1..=3).must().count(), 3),
        _ => assert!(map.first().must().is_some() && map.last().must().is_some()),
    }
}

/// Demands `expected` of a map now, and as long as it lives, whatever is flushed, compacted or looked at.
#[track_caller]
fn expect_map<F: Fixture>(
    stage: &mut Stage<F>,
    id: MapId<u64, u64>,
    (now, expected): (i64, Entries),
    what: &str,
) {
    let compact = stage.backend.capabilities().compact;
    for step in 0..4 {
        let backend = stage.at(now + step);
        match step {
            1 => backend.flush().must(),
            2 if compact => backend.compact().must(),
            _ => {}
        }
        assert_eq!(entries(&backend.map(&id).must()), expected, "{what}, step {step}");
        let listed = backend.keys(&id, &()).must().len();
        assert_eq!(listed, usize::from(!expected.is_empty()), "{what}, step {step}");
    }
    stage.backend.map(&id).must().clear().must();
}

/// T2: maps that were read and changed are as they were changed, by every way of reading and of changing, in one view, in
/// the next, and where another key or state comes in between.
pub fn t2_a_touch_never_undoes_a_change_of_a_map<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let id = MapDescriptor::<u64, u64>::new("map").ttl(ttl_by_reads(100));
        let id = stage.backend.register_map(&id).must();
        let other = MapDescriptor::<u64, u64>::new("other").ttl(ttl_by_reads(100));
        let other = stage.backend.register_map(&other).must();
        let mut now = 0;
        for (way, expected) in CHANGES_OF_MAPS.into_iter().enumerate() {
            for reading in 0..6 {
                for between in 0..3 {
                    now += 1_000;
                    stage.at(now).map(&id).must().put_all([(1, 10), (2, 20), (3, 30)]).must();
                    now += 50;
                    let mut map = stage.at(now).map(&id).must();
                    read_map(&map, reading);
                    if between == 0 {
                        change_map(&mut map, way).must();
                        drop(map);
                    } else {
                        drop(map);
                        if between == 2 {
                            stage.backend.map(&other).must().put(1, 1).must();
                            stage.backend.set_current_key(&2).must();
                            stage.backend.map(&id).must().clear().must();
                            stage.backend.set_current_key(&1).must();
                        }
                        let mut map = stage.backend.map(&id).must();
                        change_map(&mut map, way).must();
                    }
                    let what = format!("way {way} after reading {reading}, {between} between");
                    expect_map(&mut stage, id, (now, expected), &what);
                }
            }
        }
        Outcome::Ran
    })
}

/// T2: changes by `change_map` and `change_value` hold over touches by reads too.
pub fn t2_a_touch_never_undoes_changes<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let map = MapDescriptor::<u64, u64>::new("map").ttl(ttl_by_reads(100));
        let map = stage.backend.register_map(&map).must();
        let value = ValueDescriptor::<u64>::new("value").ttl(ttl_by_reads(100));
        let value = stage.backend.register_value(&value).must();
        let start = [(1, 10), (2, 20), (3, 30)];
        for (round, reading) in (1..).zip(0..6) {
            let now = 1_000 * round;
            stage.at(now).map(&map).must().put_all(start).must();
            stage.at(now).value(&value).must().set(10).must();
            let backend = stage.at(now + 50);
            read_map(&backend.map(&map).must(), reading);
            assert_eq!(backend.value(&value).must().get().must(), Some(10));
            let remove = |key| MapChange { namespace: (), key, change: Change::Remove };
            let set = Change::Set { value: 22, touched_ms: Some(now + 40) };
            let set_map = MapChange { namespace: (), key: 2, change: set.clone() };
            backend.change_map(&map, vec![remove(1), set_map, remove(3)]).must();
            backend.change_value(&value, vec![ValueChange { namespace: (), change: set }]).must();
            let found = backend.map(&map).must().get_with_touch(&2).must();
            assert_eq!(found, Some((22, Some(now + 40))));
            let found = backend.value(&value).must().get_with_touch().must();
            assert_eq!(found, Some((22, Some(now + 40))));
            expect_map(&mut stage, map, (now + 50, &[(2, 22)]), "changes");
            assert_eq!(stage.backend.value(&value).must().get().must(), Some(22));
            let change = ValueChange { namespace: (), change: Change::Remove };
            stage.backend.change_value(&value, vec![change]).must();
            assert_eq!(stage.backend.value(&value).must().get().must(), None);
        }
        Outcome::Ran
    })
}

fn change_list<M: MapState<u64, u64>>(
    list: &mut keyed_state_core::ListState<M, u64>,
    way: usize,
) -> Result<()> {
    match way {
        0 => list.add(4),
        1 => list.clear(),
        2 => list.update([5]),
        3 => list.update([]),
        4 => list.retain(|element| *element == 2),
        _ => list.clear().and_then(|()| list.add(6)),
    }
}

/// T2: lists that were read and changed are as they were changed.
pub fn t2_a_touch_never_undoes_a_change_of_a_list<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let id = ListDescriptor::<u64>::new("list").ttl(ttl_by_reads(100));
        let id: ListId<u64> = stage.backend.register_list(&id).must();
        let expected: [&[u64]; 6] = [&[1, 2, 3, 4], &[], &[5], &[], &[2], &[6]];
        let mut now = 0;
        for (way, expected) in expected.into_iter().enumerate() {
            for same_view in [true, false] {
                now += 1_000;
                stage.at(now).list(&id).must().update([1, 2, 3]).must();
                let mut list = stage.at(now + 50).list(&id).must();
                assert_eq!(list.to_vec().must(), [1, 2, 3]);
                if same_view {
                    change_list(&mut list, way).must();
                    drop(list);
                } else {
                    drop(list);
                    change_list(&mut stage.backend.list(&id).must(), way).must();
                }
                for later in [50, 51, 100, 149] {
                    if later == 51 {
                        stage.backend.flush().must();
                    }
                    let found = stage.at(now + later).list(&id).must().to_vec().must();
                    assert_eq!(found, expected, "way {way}, {later} ms later");
                }
            }
        }
        Outcome::Ran
    })
}

/// T2: values, reduced ones too, that were read and changed are as they were changed.
pub fn t2_a_touch_never_undoes_a_change_of_a_value<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let id = ValueDescriptor::<u64>::new("value").ttl(ttl_by_reads(100));
        let id: ValueId<u64> = stage.backend.register_value(&id).must();
        let sum = |a: u64, b: u64| Ok(a + b);
        let sum = ReducingDescriptor::<u64, _>::new("sum", sum).ttl(ttl_by_reads(100));
        let sum = stage.backend.register_reducing(&sum).must();
        let mut now = 0;
        for same_view in [true, false] {
            for (way, expected) in (0..).zip([Some(2), None, Some(11), None, Some(3)]) {
                now += 1_000;
                stage.at(now).value(&id).must().set(10).must();
                let mut value = stage.at(now + 50).value(&id).must();
                assert_eq!(value.get().must(), Some(10));
                if !same_view {
                    drop(value);
                    value = stage.backend.value(&id).must();
                }
                match way {
                    0 => value.set(2).must(),
                    1 => value.clear().must(),
                    2 => value.update(|found| found.map(|n| n + 1)).must(),
                    3 => value.update(|_| None).must(),
                    _ => value.clear().and_then(|()| value.set(3)).must(),
                }
                assert_eq!(value.get().must(), expected, "way {way}");
                drop(value);
                for later in [50, 51, 149] {
                    let found = stage.at(now + later).value(&id).must().get().must();
                    assert_eq!(found, expected, "way {way}, {later} ms later");
                }
                stage.backend.value(&id).must().clear().must();
            }
            now += 1_000;
            stage.at(now).reducing(&sum).must().add(10).must();
            let mut state = stage.at(now + 50).reducing(&sum).must();
            assert_eq!(state.get().must(), Some(10));
            if !same_view {
                drop(state);
                state = stage.backend.reducing(&sum).must();
            }
            state.add(1).must();
            assert_eq!(state.get().must(), Some(11));
            state.clear().must();
            drop(state);
            assert_eq!(stage.backend.reducing(&sum).must().get().must(), None);
            assert_eq!(stage.backend.keys(&sum, &()).must().count(), 0);
        }
        Outcome::Ran
    })
}
