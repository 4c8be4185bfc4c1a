//! Mirrors of the tests of Flink's `StateBackendTestBase` that concern value state. Where Flink snapshots and
//! restores, these close and open again.

use keyed_state_core::{
    KeyedStateBackend, KeyedStateBackendExt, ValueDescriptor, ValueState, ValueStateExt,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must},
};

fn text(text: &str) -> String {
    text.to_owned()
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
