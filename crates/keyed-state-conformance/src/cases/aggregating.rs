//! What an aggregating state is.

use keyed_state_core::{
    AggregateFunction, AggregatingDescriptor, Error, ErrorKind, KeyedStateBackend,
    KeyedStateBackendExt, Result,
};

use crate::{
    Fixture, Outcome,
    kinds::Gather,
    support::{Home, Must, panics, quiet_panic, sorted},
};

/// Mean of whole numbers: input, accumulator and output are types apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mean;

impl Mean {
    /// Cannot be added.
    pub(super) const FAILS: i32 = 13;
    /// Panics when added.
    pub(super) const PANICS: i32 = 17;
}

impl AggregateFunction for Mean {
    type Input = i32;
    type Accumulator = (i64, u64);
    type Output = String;

    fn create_accumulator(&self) -> (i64, u64) {
        (0, 0)
    }

    fn add(&self, (sum, count): (i64, u64), input: i32) -> Result<(i64, u64)> {
        match input {
            Self::FAILS => Err(Error::from_function("13 cannot be added")),
            Self::PANICS => quiet_panic(),
            input => Ok((sum + i64::from(input), count + 1)),
        }
    }

    fn result(&self, (sum, count): (i64, u64)) -> Result<String> {
        if sum < 0 {
            return Err(Error::from_function("a mean must not be negative"));
        }
        Ok(format!("{sum} / {count}"))
    }

    fn merge(&self, (sum, count): (i64, u64), later: (i64, u64)) -> Result<(i64, u64)> {
        Ok((sum + later.0, count + later.1))
    }
}

fn mean() -> AggregatingDescriptor<Mean> {
    AggregatingDescriptor::new("mean", Mean)
}

/// Inputs go into an accumulator, from which the output is made; only the accumulator is kept.
pub fn aggregating_keeps_its_three_types_apart<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_aggregating(&mean()).must();
    backend.set_current_key(&1).must();
    let mut state = backend.aggregating(&id).must();
    assert_eq!(state.get().must(), None);
    for (input, output) in [(5, "5 / 1"), (-2, "3 / 2"), (0, "3 / 3"), (i32::MAX, "2147483650 / 4")]
    {
        state.add(input).must();
        assert_eq!(state.get().must().as_deref(), Some(output));
    }
    Outcome::Ran
}

/// The first input is in the result, on a new accumulator and after a clear, in the order of adding. (89)
pub fn aggregating_loses_no_first_input<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_aggregating(&AggregatingDescriptor::new("texts", Gather)).must();
    backend.set_current_key(&1).must();
    for _ in 0..2 {
        let mut state = backend.aggregating(&id).must();
        state.add("1,".to_owned()).must();
        assert_eq!(state.get().must().as_deref(), Some("1,"));
        state.add("2,".to_owned()).must();
        state.add("3,".to_owned()).must();
        assert_eq!(state.get().must().as_deref(), Some("1,2,3,"));
        state.clear().must();
        assert_eq!(state.get().must(), None);
    }
    Outcome::Ran
}

/// An accumulator exists from the first input on: reading creates none, and neither does an input that is refused.
pub fn aggregating_stores_nothing_before_an_input<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_aggregating(&mean()).must();
    for key in 0..4 {
        backend.set_current_key(&key).must();
        let mut state = backend.aggregating(&id).must();
        match key {
            0 => assert_eq!(state.get().must(), None),
            1 => drop(state.add(Mean::FAILS).must_fail(ErrorKind::Function)),
            2 => state.add(1).and_then(|()| state.clear()).must(),
            _ => state.add(1).must(),
        }
    }
    assert_eq!(sorted(backend.keys_and_namespaces(&id).must()), [(3, ())]);
    Outcome::Ran
}

/// M2: each key and namespace has an accumulator of its own, over opening again.
pub fn m2_an_accumulator_belongs_to_its_key_and_namespace<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let durable = backend.capabilities().durable;
    let descriptor = AggregatingDescriptor::<Gather, u64>::new("texts", Gather);
    for round in 0..3 {
        let id = backend.register_aggregating(&descriptor).must();
        for key in 0..5 {
            backend.set_current_key(&key).must();
            for namespace in 0..3 {
                let input = format!("{key}{namespace}{round};");
                backend.aggregating_in(&id, &namespace).must().add(input).must();
            }
        }
        if durable {
            backend = home.reopen(fixture, backend);
        }
    }
    let id = backend.register_aggregating(&descriptor).must();
    for key in 0..5 {
        backend.set_current_key(&key).must();
        for namespace in 0..3 {
            let rounds = [0, 1, 2].map(|round| format!("{key}{namespace}{round};"));
            let expected = rounds.concat();
            let found = backend.aggregating_in(&id, &namespace).must().get().must();
            assert_eq!(found, Some(expected));
        }
    }
    assert_eq!(backend.keys(&id, &1).must().count(), 5);
    Outcome::Ran
}

/// M7: functions that fail or panic change nothing, and their errors reach the caller.
pub fn m7_a_failing_aggregate_function_changes_nothing<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_aggregating(&mean()).must();
    backend.set_current_key(&1).must();
    let mut state = backend.aggregating(&id).must();
    state.add(5).must();
    let error = state.add(Mean::FAILS).must_fail(ErrorKind::Function);
    assert_eq!(error.to_string(), "13 cannot be added");
    assert!(panics(|| state.add(Mean::PANICS)));
    assert_eq!(state.get().must().as_deref(), Some("5 / 1"));
    // A result that fails takes nothing away.
    state.add(-10).must();
    state.get().map(drop).must_fail(ErrorKind::Function);
    state.add(10).must();
    assert_eq!(state.get().must().as_deref(), Some("5 / 3"));
    Outcome::Ran
}

/// M6: null is an input, an accumulator and an output like any other. (59)
pub fn m6_null_is_an_input_and_an_output<F: Fixture>(fixture: &F) -> Outcome {
    /// The first of all inputs, null until a number came.
    #[derive(Clone, Copy)]
    struct First;

    impl AggregateFunction for First {
        type Input = Option<u64>;
        type Accumulator = Option<u64>;
        type Output = Option<u64>;

        fn create_accumulator(&self) -> Option<u64> {
            None
        }

        fn add(&self, first: Option<u64>, input: Option<u64>) -> Result<Option<u64>> {
            Ok(first.or(input))
        }

        fn result(&self, first: Option<u64>) -> Result<Option<u64>> {
            Ok(first)
        }

        fn merge(&self, earlier: Option<u64>, later: Option<u64>) -> Result<Option<u64>> {
            Ok(earlier.or(later))
        }
    }

    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_aggregating(&AggregatingDescriptor::new("first", First)).must();
    backend.set_current_key(&1).must();
    let mut state = backend.aggregating(&id).must();
    assert_eq!(state.get().must(), None);
    for (input, output) in [(None, None), (Some(4), Some(4)), (None, Some(4)), (Some(5), Some(4))] {
        state.add(input).must();
        assert_eq!(state.get().must(), Some(output));
    }
    Outcome::Ran
}
