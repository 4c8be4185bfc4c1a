//! Mirrors of the tests of Flink's `StateBackendTestBase` that concern list and reducing state. Where Flink snapshots and
//! restores, these close and open again; its tests of null lists and elements do not compile here.

use keyed_state_core::{
    ErrorKind, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, ReducingDescriptor, Result,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, NOT_DURABLE, sorted},
};

/// The target and the sources of [`with_five_layouts`].
pub(super) const NAMESPACES: [u64; 3] = [1, 2, 3];

/// What is added by key and namespace.
const LAYOUTS: [[&[u64]; 3]; 5] = [
    [&[33, 55], &[22, 11], &[44]],
    [&[11, 44], &[], &[22, 55, 33]],
    [&[], &[], &[]],
    [&[11, 22, 33, 44, 55], &[], &[]],
    [&[], &[11, 22, 33], &[44, 55]],
];

/// Runs `merge` for each layout, each under a key of its own: all in three namespaces, in two, nothing at all, all in the target,
/// all in the sources.
pub(super) fn with_five_layouts<B: KeyedStateBackend<Key = String>>(
    backend: &mut B,
    mut merge: impl FnMut(&mut B, [&[u64]; 3]),
) {
    for (key, layout) in ["abc", "def", "jkl", "mno", "pqr"].into_iter().zip(LAYOUTS) {
        backend.set_current_key(&key.to_owned()).must();
        merge(backend, layout);
    }
}

fn text(text: &str) -> String {
    text.to_owned()
}

/// `testListState`: the lists of keys are apart, grow by appending, and are there when opened again.
pub fn flink_test_list_state<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let durable = backend.capabilities().durable;
    let descriptor = ListDescriptor::<String>::new("id");
    let mut id = backend.register_list(&descriptor).must();
    for key in [1, 2] {
        backend.set_current_key(&key).must();
        let mut list = backend.list(&id).must();
        assert_eq!(list.to_vec().must(), [""; 0]);
        list.update([]).must();
        assert_eq!(list.to_vec().must(), [""; 0]);
        list.add_all([key.to_string()]).must();
        assert_eq!(list.to_vec().must(), [key.to_string()]);
    }
    if durable {
        backend = home.reopen(fixture, backend);
        id = backend.register_list(&descriptor).must();
    }
    for (key, added) in [(1, "u1"), (2, "u2"), (3, "u3")] {
        backend.set_current_key(&key).must();
        backend.list(&id).must().add(text(added)).must();
    }
    for (key, expected) in [(1, &["1", "u1"][..]), (2, &["2", "u2"]), (3, &["u3"])] {
        backend.set_current_key(&key).must();
        assert_eq!(backend.list(&id).must().to_vec().must(), expected);
    }
    backend.set_current_key(&3).must();
    backend.list(&id).must().update([text("1"), text("2"), text("3")]).must();
    assert_eq!(backend.list(&id).must().to_vec().must(), ["1", "2", "3"]);
    Outcome::Ran
}

/// `testListStateAPIs`: adding, adding all, updating, and clearing the lists of several keys leave none of them.
pub fn flink_test_list_state_apis<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let id = backend.register_list(&ListDescriptor::<u64>::new("my-state")).must();
    backend.set_current_key(&text("g")).must();
    assert_eq!(backend.list(&id).must().to_vec().must(), [0; 0]);
    backend.list(&id).must().add_all([3, 4]).must();
    assert_eq!(backend.list(&id).must().to_vec().must(), [3, 4]);
    backend.set_current_key(&text("def")).must();
    assert_eq!(backend.list(&id).must().to_vec().must(), [0; 0]);
    let mut list = backend.list(&id).must();
    list.add(17).must();
    list.add(11).must();
    assert_eq!(list.to_vec().must(), [17, 11]);
    // Twice, though the second has nothing new.
    for _ in 0..2 {
        list.update([]).must();
        assert_eq!(list.to_vec().must(), [0; 0]);
    }
    list.update([10, 16]).must();
    list.add_all([]).must();
    assert_eq!(list.to_vec().must(), [10, 16]);
    list.clear().must();
    drop(list);
    backend.set_current_key(&text("g")).must();
    let mut list = backend.list(&id).must();
    list.add(1).must();
    list.add(2).must();
    list.add_all([3, 4]).must();
    assert_eq!(list.to_vec().must(), [3, 4, 1, 2, 3, 4]);
    list.update([5, 6]).must();
    assert_eq!(list.to_vec().must(), [5, 6]);
    list.clear().must();
    drop(list);
    assert_eq!(backend.keys_and_namespaces(&id).must().len(), 0);
    Outcome::Ran
}

/// `testListStateMerging`, in order here. (85)
pub fn flink_test_list_state_merging<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let id = backend.register_list(&ListDescriptor::<u64, u64>::new("my-state")).must();
    with_five_layouts(&mut backend, |backend, layout| {
        for (namespace, elements) in NAMESPACES.iter().zip(layout) {
            for element in elements {
                backend.list_in(&id, namespace).must().add(*element).must();
            }
        }
        backend.merge_lists(&id, &1, &NAMESPACES[1..]).must();
        let merged = backend.list_in(&id, &1).must().to_vec().must();
        assert_eq!(merged, layout.concat());
    });
    let pairs = sorted(backend.keys_and_namespaces(&id).must());
    assert!(pairs.iter().all(|(_, namespace)| *namespace == 1));
    for key in ["abc", "def", "jkl", "mno", "pqr"] {
        backend.set_current_key(&text(key)).must();
        backend.list_in(&id, &1).must().clear().must();
    }
    assert_eq!(backend.keys_and_namespaces(&id).must().len(), 0);
    Outcome::Ran
}

/// `testListStateDefaultValue`: a list never written has no elements, not none of a list.
pub fn flink_test_list_state_default_value<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_list(&ListDescriptor::<String>::new("id")).must();
    backend.set_current_key(&1).must();
    let mut list = backend.list(&id).must();
    assert_eq!(list.to_vec().must(), [""; 0]);
    list.update([text("Ciao"), text("Bello")]).must();
    assert_eq!(list.to_vec().must(), ["Ciao", "Bello"]);
    list.clear().must();
    assert_eq!(list.to_vec().must(), [""; 0]);
    Outcome::Ran
}

type Reduce<V> = fn(V, V) -> Result<V>;

/// `testReducingState`: values of keys are reduced apart, and are there when opened again.
pub fn flink_test_reducing_state<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let durable = backend.capabilities().durable;
    let append: Reduce<String> = |a, b| Ok(a + "," + &b);
    let descriptor = ReducingDescriptor::<String>::new("id", append);
    let mut id = backend.register_reducing(&descriptor).must();
    for key in [1, 2] {
        backend.set_current_key(&key).must();
        assert_eq!(backend.reducing(&id).must().get().must(), None);
        backend.reducing(&id).must().add(key.to_string()).must();
        assert_eq!(backend.reducing(&id).must().get().must(), Some(key.to_string()));
    }
    if durable {
        backend = home.reopen(fixture, backend);
        id = backend.register_reducing(&descriptor).must();
    }
    for (key, added, expected) in [(1, "u1", "1,u1"), (2, "u2", "2,u2"), (3, "u3", "u3")] {
        backend.set_current_key(&key).must();
        backend.reducing(&id).must().add(text(added)).must();
        assert_eq!(backend.reducing(&id).must().get().must().as_deref(), Some(expected));
    }
    Outcome::Ran
}

/// `testReducingStateAddAndGet`: over several keys, and no entry left after clearing.
pub fn flink_test_reducing_state_add_and_get<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let sum: Reduce<u64> = |a, b| Ok(a + b);
    let id = backend.register_reducing(&ReducingDescriptor::<u64>::new("my-state", sum)).must();
    for key in ["abc", "def"] {
        backend.set_current_key(&text(key)).must();
        assert_eq!(backend.reducing(&id).must().get().must(), None);
    }
    for (added, expected) in [(17, 17), (11, 28)] {
        backend.reducing(&id).must().add(added).must();
        assert_eq!(backend.reducing(&id).must().get().must(), Some(expected));
    }
    backend.set_current_key(&text("g")).must();
    for added in [1, 2, 3, 2, 1] {
        backend.reducing(&id).must().add(added).must();
    }
    assert_eq!(backend.reducing(&id).must().get().must(), Some(9));
    for key in ["abc", "def", "g"] {
        backend.set_current_key(&text(key)).must();
        backend.reducing(&id).must().clear().must();
        assert_eq!(backend.reducing(&id).must().get().must(), None);
    }
    assert_eq!(backend.keys_and_namespaces(&id).must().len(), 0);
    Outcome::Ran
}

/// `testReducingStateMerging`: the five layouts with a sum.
pub fn flink_test_reducing_state_merging<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let sum: Reduce<u64> = |a, b| Ok(a + b);
    let descriptor = ReducingDescriptor::<u64, Reduce<u64>, u64>::new("my-state", sum);
    let id = backend.register_reducing(&descriptor).must();
    with_five_layouts(&mut backend, |backend, layout| {
        for (namespace, values) in NAMESPACES.iter().zip(layout) {
            for value in values {
                backend.reducing_in(&id, namespace).must().add(*value).must();
            }
        }
        backend.merge_reducing(&id, &1, &NAMESPACES[1..]).must();
        let merged = backend.reducing_in(&id, &1).must().get().must();
        assert_eq!(merged, layout.concat().into_iter().reduce(|a, b| a + b));
        backend.reducing_in(&id, &1).must().clear().must();
    });
    assert_eq!(backend.keys_and_namespaces(&id).must().len(), 0);
    Outcome::Ran
}

/// `testReducingStateDefaultValue`: nothing added is nothing, before and after a clear.
pub fn flink_test_reducing_state_default_value<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let append: Reduce<String> = |a, b| Ok(a + "," + &b);
    let id = backend.register_reducing(&ReducingDescriptor::<String>::new("id", append)).must();
    backend.set_current_key(&1).must();
    let mut state = backend.reducing(&id).must();
    assert_eq!(state.get().must(), None);
    state.add(text("Ciao")).must();
    assert_eq!(state.get().must().as_deref(), Some("Ciao"));
    state.clear().must();
    assert_eq!(state.get().must(), None);
    Outcome::Ran
}

/// `testListStateRestoreWithWrongSerializers` and `testReducingStateRestoreWithWrongSerializers`: incompatible types are
/// refused, the right ones still work.
pub fn flink_test_list_and_reducing_state_restore_with_wrong_serializers<F: Fixture>(
    fixture: &F,
) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    if !backend.capabilities().durable {
        return Outcome::Skipped(NOT_DURABLE);
    }
    let append: Reduce<String> = |a, b| Ok(a + &b);
    let list = ListDescriptor::<String>::new("list");
    let reducing = ReducingDescriptor::<String>::new("reducing", append);
    let (l, r) = (backend.register_list(&list).must(), backend.register_reducing(&reducing).must());
    backend.set_current_key(&1).must();
    backend.list(&l).must().add(text("1")).must();
    backend.reducing(&r).must().add(text("1")).must();
    let mut backend = home.reopen(fixture, backend);
    let wrong = ListDescriptor::<u64>::new("list");
    backend.register_list(&wrong).must_fail(ErrorKind::StateMismatch);
    let wrong = ReducingDescriptor::<u64, _>::new("reducing", |a: u64, b: u64| Ok(a + b));
    backend.register_reducing(&wrong).map(drop).must_fail(ErrorKind::StateMismatch);
    let (l, r) = (backend.register_list(&list).must(), backend.register_reducing(&reducing).must());
    backend.set_current_key(&1).must();
    assert_eq!(backend.list(&l).must().to_vec().must(), ["1"]);
    assert_eq!(backend.reducing(&r).must().get().must().as_deref(), Some("1"));
    Outcome::Ran
}
