//! Mirrors of the tests of Flink's `StateBackendTestBase` that concern map state. Where Flink snapshots and
//! restores, these close and open again. `testMapStateClear`, which needs a failing engine, is
//! [`flink_test_map_state_clear`](crate::engine_cases::flink::flink_test_map_state_clear).

use keyed_state_core::{
    KeyedStateBackend, KeyedStateBackendExt, MapDescriptor, MapState, MapStateExt,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, entries},
};

fn text(text: &str) -> String {
    text.to_owned()
}

/// `testMapState`: every operation on the maps of two keys, interleaved; contents are compared, not sizes.
pub fn flink_test_map_state<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let durable = backend.capabilities().durable;
    let descriptor = MapDescriptor::<u64, String>::new("id");
    let id = backend.register_map(&descriptor).must();

    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    assert_eq!(map.get(&1).must(), None);
    assert_eq!(entries(&map), []);
    map.put(1, text("1")).must();
    drop(map);

    backend.set_current_key(&2).must();
    let mut map = backend.map(&id).must();
    assert_eq!(map.get(&2).must(), None);
    assert_eq!(map.get(&1).must(), None);
    map.put(2, text("2")).must();
    drop(map);

    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    assert!(map.contains(&1).must() && !map.contains(&2).must());
    assert_eq!(map.get(&1).must(), Some(text("1")));
    map.put_all([(1, text("101")), (101, text("101")), (102, text("102"))]).must();
    drop(map);

    backend.set_current_key(&3).must();
    let mut map = backend.map(&id).must();
    map.put_all([(103, text("103")), (1031, text("1031")), (1032, text("1032"))]).must();
    drop(map);

    backend.set_current_key(&2).must();
    assert_eq!(entries(&backend.map(&id).must()), [(2, text("2"))]);

    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    let keys: Vec<u64> = map.keys().must().collect::<Result<_, _>>().must();
    assert_eq!(keys, [1, 101, 102]);
    let values: Vec<String> = map.values().must().collect::<Result<_, _>>().must();
    assert_eq!(values, ["101", "101", "102"]);
    map.remove(&102).must();
    map.update(101, |found| found.map(|value| value + "!")).must();
    assert_eq!(entries(&map), [(1, text("101")), (101, text("101!"))]);
    drop(map);

    backend.set_current_key(&3).must();
    backend.map(&id).must().retain(|key, _| *key > 1000).must();

    if durable {
        let mut reopened = home.reopen(fixture, backend);
        let id = reopened.register_map(&descriptor).must();
        reopened.set_current_key(&1).must();
        let found = entries(&reopened.map(&id).must());
        assert_eq!(found, [(1, text("101")), (101, text("101!"))]);
        reopened.set_current_key(&3).must();
        let found = entries(&reopened.map(&id).must());
        assert_eq!(found, [(1031, text("1031")), (1032, text("1032"))]);
        backend = reopened;
    }
    let id = backend.register_map(&descriptor).must();
    for key in 1..=3 {
        assert_eq!(backend.keys(&id, &()).must().len() as u64, 4 - key);
        backend.set_current_key(&key).must();
        backend.map(&id).must().clear().must();
        assert_eq!(entries(&backend.map(&id).must()), []);
    }
    assert_eq!(backend.keys(&id, &()).must().len(), 0);
    Outcome::Ran
}

/// `testMapStateIsEmpty`: before, during and after 1024 puts and removes.
pub fn flink_test_map_state_is_empty<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("id")).must();
    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    assert!(map.is_empty().must());
    for n in 0..1024 {
        map.put(n, n * 2).must();
        assert!(!map.is_empty().must());
    }
    for n in 0..1024 {
        assert!(!map.is_empty().must());
        map.remove(&n).must();
    }
    assert!(map.is_empty().must());
    Outcome::Ran
}

/// `testMapStateIteratorArbitraryAccess`: 4096 entries come in order however the iterator is asked, and
/// removal while walking hides none. Removing twice, which Flink has to refuse, cannot be written. (36, 44)
pub fn flink_test_map_state_iterator_arbitrary_access<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("id")).must();
    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    for n in 0..4096 {
        map.put(n, n * 2).must();
    }
    let mut iter = map.iter().must().peekable();
    for n in 0..4096 {
        for _ in 0..n % 3 {
            assert!(iter.peek().is_some());
        }
        assert_eq!(iter.next().transpose().must(), Some((n, n * 2)));
    }
    assert!(iter.peek().is_none());
    drop(iter);
    let mut next = 0;
    map.retain(|key, value| {
        assert_eq!((*key, *value), (next, next * 2));
        next += 1;
        key % 4 == 1
    })
    .must();
    assert_eq!(next, 4096);
    assert!(entries(&map).into_iter().eq((1..4096).step_by(4).map(|n| (n, n * 2))));
    Outcome::Ran
}

/// `testMapStateEntryCompare`: two maps of the same content give equal entries.
pub fn flink_test_map_state_entry_compare<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let one = backend.register_map(&MapDescriptor::<String, u64>::new("one")).must();
    let two = backend.register_map(&MapDescriptor::<String, u64>::new("two")).must();
    backend.set_current_key(&text("foo")).must();
    backend.map(&one).must().put_all([(text("entryA"), 1), (text("entryB"), 2)]).must();
    backend.map(&two).must().put_all([(text("entryB"), 2), (text("entryA"), 1)]).must();
    let first = entries(&backend.map(&one).must());
    assert_eq!(first, entries(&backend.map(&two).must()));
    Outcome::Ran
}

/// `testMapStateDefaultValue`: a map never written has empty entries, keys and values, not missing ones. (45)
pub fn flink_test_map_state_default_value<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<String, u64>::new("id")).must();
    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    for _ in 0..2 {
        assert_eq!(map.iter().must().count(), 0);
        assert_eq!(map.keys().must().count(), 0);
        assert_eq!(map.values().must().count(), 0);
        map.put_all([(text("a"), 1), (text("b"), 2)]).must();
        map.clear().must();
    }
    Outcome::Ran
}

/// `testMapStateWithNullValue`: a null value is contained and is null, after opening again too. (56)
pub fn flink_test_map_state_with_null_value<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let durable = backend.capabilities().durable;
    let descriptor = MapDescriptor::<String, Option<u64>>::new("id");
    for round in 0..if durable { 2 } else { 1 } {
        let id = backend.register_map(&descriptor).must();
        backend.set_current_key(&1).must();
        let mut map = backend.map(&id).must();
        if round == 0 {
            map.put(text("null"), None).must();
        }
        assert!(map.contains("null").must());
        assert_eq!(map.get("null").must(), Some(None));
        assert_eq!(entries(&map), [(text("null"), None)]);
        drop(map);
        if durable {
            backend = home.reopen(fixture, backend);
        }
    }
    Outcome::Ran
}
