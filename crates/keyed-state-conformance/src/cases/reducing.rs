//! What a reducing state is.

use keyed_state_core::{
    Error, ErrorKind, KeyedStateBackend, KeyedStateBackendExt, ReduceFunction, ReducingDescriptor,
    ReducingId, Result,
};

use crate::{
    Fixture, Outcome,
    kinds::{FAILS, PANICS, join},
    support::{Home, Must, Picky, panics, sorted},
};

type Texts<N = ()> = ReducingId<String, fn(String, String) -> Result<String>, N>;

fn texts<B: KeyedStateBackend, N: keyed_state_core::StateKey>(backend: &mut B) -> Texts<N> {
    let function: fn(String, String) -> Result<String> = join;
    backend.register_reducing(&ReducingDescriptor::new("texts", function)).must()
}

fn text(text: &str) -> String {
    text.to_owned()
}

/// The function gets what is there first and what is added second; it is not asked about the first value. (89)
pub fn reducing_combines_earlier_with_later<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = texts(&mut backend);
    backend.set_current_key(&1).must();
    let mut state = backend.reducing(&id).must();
    assert_eq!(state.get().must(), None);
    for (added, expected) in [("a", "a"), ("b", "ab"), ("", "ab"), ("c", "abc")] {
        state.add(text(added)).must();
        assert_eq!(state.get().must().as_deref(), Some(expected));
    }
    drop(state);
    let first_is_taken_as_it_is = |_: u64, _: u64| Err(Error::from_function("never asked"));
    let descriptor = ReducingDescriptor::<u64, _>::new("first", first_is_taken_as_it_is);
    let id = backend.register_reducing(&descriptor).must();
    backend.reducing(&id).must().add(1).must();
    assert_eq!(backend.reducing(&id).must().get().must(), Some(1));
    Outcome::Ran
}

/// After a clear the next value is the first again; a state without value is not listed.
pub fn reducing_starts_anew_after_clear<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = texts(&mut backend);
    for key in 0..3 {
        backend.set_current_key(&key).must();
        let mut state = backend.reducing(&id).must();
        state.clear().must();
        state.add(text("a")).must();
        state.add(text("b")).must();
        if key > 0 {
            state.clear().must();
            assert_eq!(state.get().must(), None);
        }
        if key > 1 {
            state.add(text("c")).must();
            assert_eq!(state.get().must().as_deref(), Some("c"));
        }
    }
    assert_eq!(sorted(backend.keys(&id, &()).must()), [0, 2]);
    Outcome::Ran
}

/// M2: each key and namespace has a value of its own, over opening again.
pub fn m2_a_reduced_value_belongs_to_its_key_and_namespace<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let durable = backend.capabilities().durable;
    let mut id = texts::<_, u64>(&mut backend);
    for round in 0..3 {
        for key in 0..5 {
            backend.set_current_key(&key).must();
            for namespace in 0..3 {
                let added = format!("{key}{namespace}{round};");
                backend.reducing_in(&id, &namespace).must().add(added).must();
            }
        }
        if durable {
            backend = home.reopen(fixture, backend);
            id = texts(&mut backend);
        }
    }
    for (key, namespace) in sorted(backend.keys_and_namespaces(&id).must()) {
        backend.set_current_key(&key).must();
        let rounds = [0, 1, 2].map(|round| format!("{key}{namespace}{round};"));
        let expected = rounds.concat();
        assert_eq!(backend.reducing_in(&id, &namespace).must().get().must(), Some(expected));
    }
    assert_eq!(backend.keys_and_namespaces(&id).must().count(), 15);
    Outcome::Ran
}

/// M7: a function that fails changes nothing, and its error reaches the caller as it is, kind and source.
pub fn m7_a_failing_reduce_function_changes_nothing<F: Fixture>(fixture: &F) -> Outcome {
    /// Adds up to 100, and complains about all above by an error of the caller's choice.
    #[derive(Clone, Copy)]
    struct UpTo100(fn(u64) -> Error);

    impl ReduceFunction<u64> for UpTo100 {
        fn reduce(&self, earlier: u64, later: u64) -> Result<u64> {
            Some(earlier + later).filter(|sum| *sum <= 100).ok_or_else(|| self.0(later))
        }
    }

    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let own = |later| Error::from_function(std::io::Error::other(format!("no room for {later}")));
    let argument = |_| Error::new(ErrorKind::InvalidArgument, "the sum is above 100");
    let mut register = |name, error| {
        let descriptor = ReducingDescriptor::<u64, _>::new(name, UpTo100(error));
        backend.register_reducing(&descriptor).must()
    };
    let (own, argument) = (register("own", own), register("argument", argument));
    backend.set_current_key(&1).must();
    for (id, kind) in [(own, ErrorKind::Function), (argument, ErrorKind::InvalidArgument)] {
        let mut state = backend.reducing(&id).must();
        state.add(60).must();
        let error = state.add(50).must_fail(kind);
        if kind == ErrorKind::Function {
            let source = std::error::Error::source(&error).expect("the function's own error");
            assert_eq!(source.to_string(), "no room for 50");
        }
        assert_eq!(state.get().must(), Some(60));
        state.add(40).must();
        assert_eq!(state.get().must(), Some(100));
    }
    Outcome::Ran
}

/// M7: a function that panics changes nothing.
pub fn m7_a_panicking_reduce_function_changes_nothing<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = texts(&mut backend);
    backend.set_current_key(&1).must();
    let mut state = backend.reducing(&id).must();
    state.add(text("a")).must();
    assert!(panics(|| state.add(text(PANICS))));
    assert_eq!(state.get().must().as_deref(), Some("a"));
    state.add(text(FAILS)).must_fail(ErrorKind::Function);
    state.add(text("b")).must();
    assert_eq!(state.get().must().as_deref(), Some("ab"));
    Outcome::Ran
}

/// M7: a value that cannot be encoded leaves what was there; a backend that encodes nothing takes it.
pub fn m7_a_reduced_value_without_byte_form_changes_nothing<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let sum = |a: Picky, b: Picky| Ok(Picky(a.0 + b.0));
    let id = backend.register_reducing(&ReducingDescriptor::<Picky, _>::new("sum", sum)).must();
    backend.set_current_key(&1).must();
    let mut state = backend.reducing(&id).must();
    state.add(Picky(3)).must();
    match state.add(Picky(Picky::CANNOT_ENCODE - 3)) {
        Ok(()) => assert_eq!(state.get().must(), Some(Picky(Picky::CANNOT_ENCODE))),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Codec);
            assert_eq!(state.get().must(), Some(Picky(3)));
        }
    }
    Outcome::Ran
}

/// M6: null is a value like any other, to add and to keep. (59)
pub fn m6_null_is_a_value_to_reduce<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    // The later one, whatever it is, unless it is 9.
    let later = |earlier: Option<u64>, later| Ok(if later == Some(9) { earlier } else { later });
    let descriptor = ReducingDescriptor::<Option<u64>, _>::new("later", later);
    let id = backend.register_reducing(&descriptor).must();
    backend.set_current_key(&1).must();
    let mut state = backend.reducing(&id).must();
    for (added, expected) in [(Some(5), Some(5)), (None, None), (Some(9), None), (Some(1), Some(1))]
    {
        state.add(added).must();
        assert_eq!(state.get().must(), Some(expected));
    }
    state.clear().must();
    state.add(None).must();
    assert_eq!(state.get().must(), Some(None));
    drop(state);
    assert_eq!(backend.keys(&id, &()).must().count(), 1);
    Outcome::Ran
}

/// K3: the function is no part of the definition: it is that of the id by which the state is accessed.
pub fn k3_a_reduce_function_may_change<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let sum = ReducingDescriptor::<u64, _>::new("state", |a: u64, b: u64| Ok(a + b));
    let max = ReducingDescriptor::<u64, _>::new("state", |a: u64, b: u64| Ok(a.max(b)));
    let sum = backend.register_reducing(&sum).must();
    let max = backend.register_reducing(&max).must();
    backend.set_current_key(&1).must();
    backend.reducing(&sum).must().add(2).must();
    backend.reducing(&sum).must().add(3).must();
    backend.reducing(&max).must().add(4).must();
    assert_eq!(backend.reducing(&sum).must().get().must(), Some(5));
    backend.reducing(&max).must().add(6).must();
    assert_eq!(backend.reducing(&sum).must().get().must(), Some(6));
    Outcome::Ran
}
