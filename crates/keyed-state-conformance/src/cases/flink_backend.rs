//! Mirrors of the tests of Flink's `StateBackendTestBase` that concern listing keys, and restoring. Where Flink
//! snapshots and restores, these close and open again.

use keyed_state_core::{
    BackendOptions, ErrorKind, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor,
    MapDescriptor, MapState, ValueDescriptor, ValueState,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, NOT_DURABLE, entries, sorted},
};

fn text(text: &str) -> String {
    text.to_owned()
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

/// `testConcurrentModificationWithApplyToAllKeys`: clearing each key's state while they are visited works, and so does
/// clearing and writing again. (48)
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
    backend.for_each_key(&id, &(), |backend| backend.map(&id)?.clear()).must();
    assert_eq!(backend.keys(&id, &()).must().len(), 0);
    backend.for_each_key(&id, &(), |_| panic!("there is no key to visit")).must();
    fill(&mut backend);
    let mut visited = 0;
    let visit = |backend: &mut F::Backend<u64>| {
        visited += 1;
        let key = *backend.current_key().expect("it is set for each visit");
        let mut map = backend.map(&id)?;
        map.put(7, 7)?;
        map.clear()?;
        map.put(8, key)
    };
    backend.for_each_key(&id, &(), visit).must();
    assert_eq!(visited, 100);
    for key in 0..100 {
        backend.set_current_key(&key).must();
        assert_eq!(entries(&backend.map(&id).must()), [(8, key)]);
    }
    Outcome::Ran
}

/// `testApplyToAllKeysLambdaFunction`: a closure is called for each key of a namespace, each with its state.
pub fn flink_test_apply_to_all_keys_lambda_function<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_list(&ListDescriptor::<u64, String>::new("my-state")).must();
    for key in 0..1000 {
        backend.set_current_key(&key).must();
        backend.list_in(&id, &text("ns")).must().add(key * 10).must();
        backend.list_in(&id, &text("other")).must().add(7).must();
    }
    let mut sum = 0;
    backend
        .for_each_key(&id, &text("ns"), |backend| {
            let key = *backend.current_key().expect("it is set for each visit");
            let found = backend.list_in(&id, &text("ns"))?.to_vec()?;
            assert_eq!(found, [key * 10]);
            sum += found[0];
            Ok(())
        })
        .must();
    assert_eq!(sum, 10 * 999 * 500);
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
