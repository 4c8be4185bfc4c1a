//! M10 and what else a value state is.

use keyed_state_core::{
    KeyedStateBackend, KeyedStateBackendExt, ValueDescriptor, ValueState, ValueStateExt,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, sorted},
};

/// A value is absent, set, replaced and cleared; each key and namespace has its own.
pub fn m2_a_value_belongs_to_its_key_and_namespace<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let id = backend.register_value(&ValueDescriptor::<String, u64>::new("value")).must();
    for (key, namespace) in [("a", 1), ("a", 2), ("b", 1)] {
        backend.set_current_key(&key.to_owned()).must();
        let mut value = backend.value_in(&id, &namespace).must();
        assert_eq!(value.get().must(), None);
        assert!(!value.is_set().must());
        value.set("first".to_owned()).must();
        value.set(format!("{key}{namespace}")).must();
        assert!(value.is_set().must());
    }
    backend.set_current_key(&"a".to_owned()).must();
    assert_eq!(backend.value_in(&id, &1).must().get().must(), Some("a1".to_owned()));
    backend.value_in(&id, &1).must().clear().must();
    backend.value_in(&id, &1).must().clear().must();
    assert_eq!(backend.value_in(&id, &1).must().get().must(), None);
    assert_eq!(backend.value_in(&id, &2).must().get().must(), Some("a2".to_owned()));
    backend.set_current_key(&"b".to_owned()).must();
    assert_eq!(backend.value_in(&id, &1).must().get().must(), Some("b1".to_owned()));
    Outcome::Ran
}

/// M10: the default shows while nothing is set, before and after, and is never stored. (60)
pub fn m10_a_default_shows_and_is_never_stored<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let descriptor = ValueDescriptor::<u64>::new("value").default_value(42);
    let id = backend.register_value(&descriptor).must();
    for key in 0..3 {
        backend.set_current_key(&key).must();
        let value = backend.value(&id).must();
        assert_eq!(value.get().must(), Some(42));
        assert!(!value.is_set().must(), "a default is not a value");
    }
    assert_eq!(backend.keys(&id, &()).must().count(), 0, "reading a default must store nothing");
    backend.value(&id).must().set(42).must();
    assert!(backend.value(&id).must().is_set().must());
    assert_eq!(backend.keys(&id, &()).must().collect::<Vec<_>>(), [2]);
    backend.value(&id).must().set(1).must();
    assert_eq!(backend.value(&id).must().get().must(), Some(1));
    backend.value(&id).must().clear().must();
    assert_eq!(backend.value(&id).must().get().must(), Some(42));
    assert_eq!(backend.keys(&id, &()).must().count(), 0);
    Outcome::Ran
}

/// M10: every reader gets a fresh copy of the default. (62)
pub fn m10_a_default_is_a_fresh_copy<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let descriptor = ValueDescriptor::<Vec<u8>>::new("value").default_value(vec![1]);
    let id = backend.register_value(&descriptor).must();
    for key in 0..3 {
        backend.set_current_key(&key).must();
        let mut copy = backend.value(&id).must().get().must().expect("the default");
        assert_eq!(copy, [1]);
        copy.push(2);
        backend
            .value(&id)
            .must()
            .update(|found| {
                let mut copy = found.expect("the default");
                copy.push(3);
                assert_eq!(copy, [1, 3]);
                None
            })
            .must();
    }
    assert_eq!(backend.value(&id).must().get().must(), Some(vec![1]));
    Outcome::Ran
}

/// `update` gets the default, sets what it is given, and clears by `None`. (60)
pub fn m10_update_starts_from_the_default<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let descriptor = ValueDescriptor::<u64>::new("value").default_value(10);
    let id = backend.register_value(&descriptor).must();
    backend.set_current_key(&1).must();
    let mut value = backend.value(&id).must();
    for expected in 11..14 {
        value.update(|found| found.map(|n| n + 1)).must();
        assert_eq!(value.get().must(), Some(expected));
    }
    value.update(|_| None).must();
    assert_eq!(value.get().must(), Some(10));
    assert!(!value.is_set().must());
    Outcome::Ran
}

/// M6: a value that is null is set. (56)
pub fn m6_a_null_value_is_set<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let descriptor = ValueDescriptor::<Option<u64>>::new("value").default_value(Some(1));
    let id = backend.register_value(&descriptor).must();
    backend.set_current_key(&1).must();
    assert_eq!(backend.value(&id).must().get().must(), Some(Some(1)));
    backend.value(&id).must().set(None).must();
    assert!(backend.value(&id).must().is_set().must());
    assert_eq!(backend.value(&id).must().get().must(), Some(None));
    assert_eq!(sorted(backend.keys(&id, &()).must()), [1]);
    Outcome::Ran
}

/// M9: what happens to a value outside does not reach the state. (62)
pub fn m9_a_value_goes_in_and_out_by_ownership<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_value(&ValueDescriptor::<Vec<u8>>::new("value")).must();
    backend.set_current_key(&1).must();
    let mut mine = vec![1];
    backend.value(&id).must().set(mine.clone()).must();
    mine.push(2);
    let mut found = backend.value(&id).must().get().must().expect("it was set");
    assert_eq!(found, [1]);
    found.push(3);
    assert_eq!(backend.value(&id).must().get().must(), Some(vec![1]));
    Outcome::Ran
}
