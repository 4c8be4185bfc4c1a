//! Mirrors of the tests of Flink's `StateBackendTestBase` that concern value and map state; where Flink
//! snapshots and restores, these close and open again. `testMapStateClear`, which needs a failing engine, is
//! [`flink_test_map_state_clear`](crate::engine_cases::flink::flink_test_map_state_clear).

use keyed_state_core::{
    BackendOptions, ErrorKind, KeyedStateBackend, KeyedStateBackendExt, MapDescriptor, MapState,
    MapStateExt, ValueDescriptor, ValueState, ValueStateExt,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, NOT_DURABLE, entries, sorted},
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

/// `testGetKeys`: 1000 keys in each of two namespaces, each listed once and under its own.
pub fn flink_test_get_keys<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_value(&ValueDescriptor::<u64, String>::new("get-keys-test")).must();
    let spaces = [text("ns1"), text("ns2")];
    for key in 0..2000 {
        backend.set_current_key(&key).must();
        let space = &spaces[usize::from(key >= 1000)];
        backend.value_in(&id, space).must().set(key * 2).must();
    }
    assert!(sorted(backend.keys(&id, &spaces[0]).must()).into_iter().eq(0..1000));
    assert!(sorted(backend.keys(&id, &spaces[1]).must()).into_iter().eq(1000..2000));
    Outcome::Ran
}

/// `testGetKeysAndNamespaces`: the pairs without repetition, after opening again too. (35)
pub fn flink_test_get_keys_and_namespaces<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let descriptor = ValueDescriptor::<u64, String>::new("get-keys-test");
    let id = backend.register_value(&descriptor).must();
    let mut expected = Vec::new();
    for key in 0..1000 {
        backend.set_current_key(&key).must();
        for space in ["ns1", "ns2"] {
            backend.value_in(&id, &text(space)).must().set(key).must();
            expected.push((key, text(space)));
        }
    }
    assert_eq!(sorted(backend.keys_and_namespaces(&id).must()), expected);
    if backend.capabilities().durable {
        let mut backend = home.reopen(fixture, backend);
        let id = backend.register_value(&descriptor).must();
        assert_eq!(sorted(backend.keys_and_namespaces(&id).must()), expected);
    }
    Outcome::Ran
}

/// `testMapStateGetKeys` and `testMapStateGetKeysAndNamespaces`: once each, however many entries. (27, 35)
pub fn flink_test_map_state_get_keys<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<String, u64, String>::new("get-keys")).must();
    for key in 0..500 {
        backend.set_current_key(&key).must();
        for space in ["ns1", "ns2"].into_iter().take(1 + usize::from(key % 2 == 0)) {
            let mut map = backend.map_in(&id, &text(space)).must();
            map.put_all([(text("uk1"), key), (text("ns2"), key)]).must();
        }
    }
    assert!(sorted(backend.keys(&id, &text("ns1")).must()).into_iter().eq(0..500));
    assert!(sorted(backend.keys(&id, &text("ns2")).must()).into_iter().eq((0..500).step_by(2)));
    assert_eq!(sorted(backend.keys_and_namespaces(&id).must()).len(), 750);
    Outcome::Ran
}

/// `testValueState`: the values of keys are apart; what was there survives opening again.
pub fn flink_test_value_state<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let descriptor = ValueDescriptor::<String>::new("id");
    let id = backend.register_value(&descriptor).must();
    for key in [1, 2] {
        backend.set_current_key(&key).must();
        assert_eq!(backend.value(&id).must().get().must(), None);
        backend.value(&id).must().set(key.to_string()).must();
    }
    backend.set_current_key(&1).must();
    assert_eq!(backend.value(&id).must().get().must(), Some(text("1")));
    for key in [1, 2, 3] {
        backend.set_current_key(&key).must();
        backend.value(&id).must().set(format!("u{key}")).must();
    }
    if backend.capabilities().durable {
        backend = home.reopen(fixture, backend);
    }
    let id = backend.register_value(&descriptor).must();
    for key in [1, 2, 3] {
        backend.set_current_key(&key).must();
        assert_eq!(backend.value(&id).must().get().must(), Some(format!("u{key}")));
    }
    Outcome::Ran
}

/// `testMultipleValueStates`: two states under one key do not mix.
pub fn flink_test_multiple_value_states<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let one = ValueDescriptor::<String>::new("a-string").default_value(text("default"));
    let two = ValueDescriptor::<u64>::new("an-integer");
    let one = backend.register_value(&one).must();
    let two = backend.register_value(&two).must();
    backend.set_current_key(&1).must();
    backend.value(&one).must().set(text("Hello")).must();
    assert_eq!(backend.value(&two).must().get().must(), None);
    backend.set_current_key(&2).must();
    backend.value(&two).must().set(13).must();
    assert_eq!(backend.value(&one).must().get().must(), Some(text("default")));
    backend.set_current_key(&1).must();
    backend.value(&one).must().clear().must();
    assert_eq!(backend.value(&one).must().get().must(), Some(text("default")));
    backend.set_current_key(&2).must();
    assert_eq!(backend.value(&two).must().get().must(), Some(13));
    Outcome::Ran
}

/// `testValueStateNullUpdate`: updating with nothing clears, so the default of 42 shows and no entry is left. (60)
pub fn flink_test_value_state_null_update<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let durable = backend.capabilities().durable;
    let descriptor = ValueDescriptor::<u64>::new("id").default_value(42);
    let id = backend.register_value(&descriptor).must();
    backend.set_current_key(&1).must();
    backend.value(&id).must().set(1).must();
    backend.value(&id).must().update(|_| None).must();
    for _ in 0..2 {
        let id = backend.register_value(&descriptor).must();
        backend.set_current_key(&1).must();
        assert_eq!(backend.value(&id).must().get().must(), Some(42));
        assert_eq!(backend.keys(&id, &()).must().len(), 0);
        if durable {
            backend = home.reopen(fixture, backend);
        }
    }
    Outcome::Ran
}

/// `testValueStateDefaultValue`: the default shows before a write and after a clear.
pub fn flink_test_value_state_default_value<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let descriptor = ValueDescriptor::<String>::new("id").default_value(text("Hello"));
    let id = backend.register_value(&descriptor).must();
    backend.set_current_key(&1).must();
    let mut value = backend.value(&id).must();
    assert_eq!(value.get().must(), Some(text("Hello")));
    value.set(text("Ciao")).must();
    assert_eq!(value.get().must(), Some(text("Ciao")));
    value.clear().must();
    assert_eq!(value.get().must(), Some(text("Hello")));
    Outcome::Ran
}

/// `testValueStateNullAsDefaultValue`: no default, or a default of null, is allowed.
pub fn flink_test_value_state_null_as_default_value<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let none = backend.register_value(&ValueDescriptor::<String>::new("none")).must();
    let null = ValueDescriptor::<Option<String>>::new("null").default_value(None);
    let null = backend.register_value(&null).must();
    backend.set_current_key(&1).must();
    for value in [None, Some(text("Ciao"))] {
        assert_eq!(backend.value(&none).must().get().must(), None);
        assert_eq!(backend.value(&null).must().get().must(), Some(None));
        backend.value(&none).must().set(text("Ciao")).must();
        backend.value(&null).must().set(value).must();
        backend.value(&none).must().clear().must();
        backend.value(&null).must().clear().must();
    }
    assert_eq!(backend.value(&null).must().get().must(), Some(None));
    Outcome::Ran
}

/// `testCopyDefaultValue`: two keys never share their default. (62)
pub fn flink_test_copy_default_value<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let descriptor = ValueDescriptor::<Vec<u8>>::new("id").default_value(vec![255]);
    let id = backend.register_value(&descriptor).must();
    backend.set_current_key(&1).must();
    let mut first = backend.value(&id).must().get().must().expect("the default");
    first[0] = 0;
    backend.set_current_key(&2).must();
    assert_eq!(backend.value(&id).must().get().must(), Some(vec![255]));
    Outcome::Ran
}

/// `testNumStateEntries`: keys come and go with puts and clears, in total and by namespace.
pub fn flink_test_num_state_entries<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_value(&ValueDescriptor::<String, u64>::new("id")).must();
    for key in 0..4 {
        backend.set_current_key(&key).must();
        backend.value_in(&id, &(key % 2)).must().set(text("x")).must();
        assert_eq!(backend.keys_and_namespaces(&id).must().len() as u64, key + 1);
    }
    assert_eq!(backend.keys(&id, &0).must().len(), 2);
    for key in 0..4 {
        backend.set_current_key(&key).must();
        backend.value_in(&id, &(key % 2)).must().clear().must();
        assert_eq!(backend.keys_and_namespaces(&id).must().len() as u64, 3 - key);
    }
    Outcome::Ran
}

/// `testConcurrentModificationWithApplyToAllKeys` and `testApplyToAllKeysLambdaFunction`: clearing each key's
/// state while they are visited works, and so does clearing and writing again. (48)
pub fn flink_test_concurrent_modification_with_apply_to_all_keys<F: Fixture>(
    fixture: &F,
) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("id")).must();
    let fill = |backend: &mut F::Backend<u64>| {
        for key in 0..100 {
            backend.set_current_key(&key).must();
            backend.map(&id).must().put_all((0..3).map(|n| (n, key))).must();
        }
    };
    fill(&mut backend);
    for key in backend.keys(&id, &()).must() {
        backend.set_current_key(&key).must();
        backend.map(&id).must().clear().must();
    }
    assert_eq!(backend.keys(&id, &()).must().len(), 0);
    fill(&mut backend);
    let mut visited = 0;
    for key in backend.keys(&id, &()).must() {
        backend.set_current_key(&key).must();
        let mut map = backend.map(&id).must();
        map.put(7, 7).must();
        map.clear().must();
        map.put(8, key).must();
        visited += 1;
    }
    assert_eq!(visited, 100);
    for key in 0..100 {
        backend.set_current_key(&key).must();
        assert_eq!(entries(&backend.map(&id).must()), [(8, key)]);
    }
    Outcome::Ran
}

/// `testSnapshotNonAccessedState`: a state that nobody registers in between is still there later.
pub fn flink_test_snapshot_non_accessed_state<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    if !backend.capabilities().durable {
        return Outcome::Skipped(NOT_DURABLE);
    }
    let map = MapDescriptor::<u64, String>::new("map");
    let id = backend.register_map(&map).must();
    backend.set_current_key(&1).must();
    backend.map(&id).must().put(2, text("Ciao")).must();
    let backend = home.reopen(fixture, backend);
    let mut backend = home.reopen(fixture, backend);
    let id = backend.register_map(&map).must();
    backend.set_current_key(&1).must();
    assert_eq!(entries(&backend.map(&id).must()), [(2, text("Ciao"))]);
    Outcome::Ran
}

/// `testRestoreWithWrongKeySerializer`, `testValueStateRestoreWithWrongSerializers` and
/// `testMapStateRestoreWithWrongSerializers`: incompatible types are refused, the right ones still work.
pub fn flink_test_restore_with_wrong_serializers<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    if !backend.capabilities().durable {
        return Outcome::Skipped(NOT_DURABLE);
    }
    let value = ValueDescriptor::<String>::new("value");
    let map = MapDescriptor::<String, String>::new("map");
    backend.register_map(&map).must();
    let id = backend.register_value(&value).must();
    backend.set_current_key(&1).must();
    backend.value(&id).must().set(text("1")).must();
    backend.close().must();
    let wrong_key = fixture.open::<String>(home.path(), BackendOptions::new());
    wrong_key.map(drop).must_fail(ErrorKind::Incompatible);
    let mut backend = home.open::<F, u64>(fixture);
    let wrong = ValueDescriptor::<u64>::new("value");
    backend.register_value(&wrong).must_fail(ErrorKind::StateMismatch);
    let wrong = MapDescriptor::<String, u64>::new("map");
    backend.register_map(&wrong).must_fail(ErrorKind::StateMismatch);
    let wrong = MapDescriptor::<u64, String>::new("map");
    backend.register_map(&wrong).must_fail(ErrorKind::StateMismatch);
    backend.register_map(&map).must();
    let id = backend.register_value(&value).must();
    backend.set_current_key(&1).must();
    assert_eq!(backend.value(&id).must().get().must(), Some(text("1")));
    Outcome::Ran
}
