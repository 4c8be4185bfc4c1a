//! M7 for `change_map` and `change_value`, on which merging and third parties' state kinds build.

use keyed_state_core::{
    Change, ErrorKind, KeyedStateBackend, MapChange, MapDescriptor, MapState, ValueChange,
    ValueDescriptor, ValueState,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, NOT_DURABLE, Picky, entries, sorted},
};

pub(crate) fn set<V>(value: V) -> Change<V> {
    Change::Set { value, touched_ms: None }
}

fn in_map<UV>(namespace: u64, key: u64, change: Change<UV>) -> MapChange<u64, UV, u64> {
    MapChange { namespace, key, change }
}

fn in_value<V>(namespace: u64, change: Change<V>) -> ValueChange<V, u64> {
    ValueChange { namespace, change }
}

/// M7: changes happen in their order, so that the last one of an entry counts.
pub fn m7_changes_happen_in_their_order<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let map = backend.register_map(&MapDescriptor::<u64, u64, u64>::new("map")).must();
    let value = backend.register_value(&ValueDescriptor::<u64, u64>::new("value")).must();
    backend.set_current_key(&1).must();
    backend.map_in(&map, &0).must().put_all([(1, 1), (2, 2), (3, 3)]).must();
    backend.value_in(&value, &2).must().set(2).must();
    let changes = vec![
        in_map(0, 1, set(10)),
        in_map(0, 1, Change::Remove),
        in_map(0, 2, Change::Remove),
        in_map(0, 2, set(20)),
        in_map(0, 4, set(40)),
        in_map(0, 4, set(41)),
        in_map(0, 5, Change::Remove),
    ];
    backend.change_map(&map, changes).must();
    assert_eq!(entries(&backend.map_in(&map, &0).must()), [(2, 20), (3, 3), (4, 41)]);
    let changes = vec![
        in_value(1, set(10)),
        in_value(1, set(11)),
        in_value(2, Change::Remove),
        in_value(2, set(20)),
        in_value(3, set(30)),
        in_value(3, Change::Remove),
        in_value(4, Change::Remove),
    ];
    backend.change_value(&value, changes).must();
    let found = (1..5).map(|n| backend.value_in(&value, &n).must().get().must());
    assert!(found.eq([Some(11), Some(20), None, None]));
    Outcome::Ran
}

/// M7: changes reach each namespace that they name, and no other, under the current key alone; what they empty does not
/// exist, and what they fill does.
pub fn m7_changes_reach_the_namespaces_that_they_name<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let map = backend.register_map(&MapDescriptor::<u64, u64, u64>::new("map")).must();
    let value = backend.register_value(&ValueDescriptor::<u64, u64>::new("value")).must();
    for key in 0..3 {
        backend.set_current_key(&key).must();
        for namespace in 0..3 {
            backend.map_in(&map, &namespace).must().put(7, namespace).must();
            backend.value_in(&value, &namespace).must().set(namespace).must();
        }
    }
    backend.set_current_key(&1).must();
    let changes = vec![in_map(0, 7, Change::Remove), in_map(2, 8, set(80)), in_map(9, 9, set(90))];
    backend.change_map(&map, changes).must();
    let changes = vec![in_value(2, Change::Remove), in_value(0, set(80)), in_value(9, set(90))];
    backend.change_value(&value, changes).must();
    assert_eq!(backend.current_key(), Some(&1));
    for key in 0..3 {
        backend.set_current_key(&key).must();
        let has_changed = key == 1;
        for namespace in 0..3 {
            let expected = match namespace {
                0 if has_changed => vec![],
                2 if has_changed => vec![(7, 2), (8, 80)],
                _ => vec![(7, namespace)],
            };
            assert_eq!(entries(&backend.map_in(&map, &namespace).must()), expected);
            let expected = match namespace {
                0 if has_changed => Some(80),
                2 if has_changed => None,
                _ => Some(namespace),
            };
            assert_eq!(backend.value_in(&value, &namespace).must().get().must(), expected);
        }
    }
    assert_eq!(sorted(backend.keys(&map, &0).must()), [0, 2]);
    assert_eq!(sorted(backend.keys(&map, &9).must()), [1]);
    assert_eq!(sorted(backend.keys(&value, &2).must()), [0, 2]);
    assert_eq!(sorted(backend.keys(&value, &9).must()), [1]);
    Outcome::Ran
}

/// M7: if one change cannot be made, none is, in whatever namespace; a backend that encodes nothing makes all.
pub fn m7_a_codec_error_among_changes_leaves_what_was_there<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let map = backend.register_map(&MapDescriptor::<u64, Picky, u64>::new("map")).must();
    let value = backend.register_value(&ValueDescriptor::<Picky, u64>::new("value")).must();
    backend.set_current_key(&1).must();
    backend.map_in(&map, &1).must().put(1, Picky(1)).must();
    backend.value_in(&value, &1).must().set(Picky(1)).must();
    let bad = set(Picky(Picky::CANNOT_ENCODE));
    let changes = vec![
        in_map(1, 1, Change::Remove),
        in_map(2, 2, set(Picky(2))),
        in_map(2, 3, bad.clone()),
        in_map(3, 4, set(Picky(4))),
    ];
    match backend.change_map(&map, changes) {
        Ok(()) => assert_eq!(backend.map_in(&map, &2).must().len().must(), 2),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Codec);
            assert_eq!(entries(&backend.map_in(&map, &1).must()), [(1, Picky(1))]);
            assert_eq!(backend.keys_and_namespaces(&map).must().count(), 1);
            let changes =
                vec![in_value(1, Change::Remove), in_value(2, set(Picky(2))), in_value(3, bad)];
            backend.change_value(&value, changes).must_fail(ErrorKind::Codec);
            assert_eq!(backend.value_in(&value, &1).must().get().must(), Some(Picky(1)));
            assert_eq!(backend.keys_and_namespaces(&value).must().count(), 1);
            // Nothing of the failed changes is left to go with later ones.
            backend.change_map(&map, vec![in_map(5, 5, set(Picky(5)))]).must();
            assert_eq!(sorted(backend.keys_and_namespaces(&map).must()), [(1, 1), (1, 5)]);
        }
    }
    Outcome::Ran
}

/// K1, K3: changes need a current key and an id of this backend, even if there are none.
pub fn k1_changes_need_a_current_key<F: Fixture>(fixture: &F) -> Outcome {
    let (home, other_home) = (Home::new(), Home::new());
    let (mut backend, mut other) =
        (home.open::<F, u64>(fixture), other_home.open::<F, u64>(fixture));
    let map = backend.register_map(&MapDescriptor::<u64, u64, u64>::new("map")).must();
    let value = backend.register_value(&ValueDescriptor::<u64, u64>::new("value")).must();
    other.register_map(&MapDescriptor::<u64, u64, u64>::new("map")).must();
    other.register_value(&ValueDescriptor::<u64, u64>::new("value")).must();
    other.set_current_key(&1).must();
    for some in [false, true] {
        let in_map = || if some { vec![in_map(0, 0, set(0))] } else { vec![] };
        let in_value = || if some { vec![in_value(0, set(0))] } else { vec![] };
        backend.change_map(&map, in_map()).must_fail(ErrorKind::NoCurrentKey);
        backend.change_value(&value, in_value()).must_fail(ErrorKind::NoCurrentKey);
        other.change_map(&map, in_map()).must_fail(ErrorKind::UnknownState);
        other.change_value(&value, in_value()).must_fail(ErrorKind::UnknownState);
    }
    assert_eq!(backend.keys_and_namespaces(&map).must().count(), 0);
    backend.set_current_key(&1).must();
    backend.change_map(&map, vec![]).must();
    backend.change_value(&value, vec![]).must();
    assert_eq!(backend.keys_and_namespaces(&value).must().count(), 0);
    Outcome::Ran
}

/// A state without TTL takes no notice of the last touches that changes name.
pub fn changes_of_states_without_ttl_have_no_touch<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let map = backend.register_map(&MapDescriptor::<u64, u64, u64>::new("map")).must();
    let value = backend.register_value(&ValueDescriptor::<u64, u64>::new("value")).must();
    backend.set_current_key(&1).must();
    for (number, touched_ms) in (0..).zip([None, Some(i64::MIN), Some(0), Some(i64::MAX)]) {
        let change = Change::Set { value: number, touched_ms };
        backend.change_map(&map, vec![in_map(0, number, change.clone())]).must();
        backend.change_value(&value, vec![in_value(number, change)]).must();
        let found = backend.map_in(&map, &0).must().get_with_touch(&number).must();
        assert_eq!(found, Some((number, None)));
        let found = backend.value_in(&value, &number).must().get_with_touch().must();
        assert_eq!(found, Some((number, None)));
    }
    let map = backend.map_in(&map, &0).must();
    let found: Vec<_> = map.iter_with_touch().must().map(Must::must).collect();
    assert_eq!(found, [(0, 0, None), (1, 1, None), (2, 2, None), (3, 3, None)]);
    Outcome::Ran
}

/// Changes are there when the backend is opened again.
pub fn closing_keeps_changes<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    if !backend.capabilities().durable {
        return Outcome::Skipped(NOT_DURABLE);
    }
    let map = MapDescriptor::<u64, u64, u64>::new("map");
    let value = ValueDescriptor::<u64, u64>::new("value");
    for round in 0..3 {
        let map = backend.register_map(&map).must();
        let value = backend.register_value(&value).must();
        backend.set_current_key(&1).must();
        if round > 0 {
            let expected = [(0, round - 1), (round, round)];
            assert_eq!(entries(&backend.map_in(&map, &3).must()), expected);
            assert_eq!(sorted(backend.keys_and_namespaces(&map).must()), [(1, 3)]);
            assert_eq!(backend.value_in(&value, &round).must().get().must(), Some(round));
            assert_eq!(sorted(backend.keys_and_namespaces(&value).must()), [(1, round)]);
        }
        let next = round + 1;
        let changes = vec![
            in_map(3, round, Change::Remove),
            in_map(3, 0, set(round)),
            in_map(3, next, set(next)),
        ];
        backend.change_map(&map, changes).must();
        let changes = vec![in_value(round, Change::Remove), in_value(next, set(next))];
        backend.change_value(&value, changes).must();
        backend = home.reopen(fixture, backend);
    }
    Outcome::Ran
}
