//! Mirrors of the tests of Flink's `StateBackendTestBase` that concern aggregating state, once with an accumulator that is
//! changed in place, once with one that each step makes anew.

use keyed_state_core::{
    AggregateFunction, AggregatingDescriptor, KeyedStateBackend, KeyedStateBackendExt, Result,
};

use super::flink_kinds::{NAMESPACES, with_five_layouts};
use crate::{
    Fixture, Outcome,
    support::{Home, Must},
};

/// Sums in an accumulator that is changed in place.
#[derive(Clone, Copy, Debug)]
struct InPlace;

impl AggregateFunction for InPlace {
    type Input = u64;
    type Accumulator = Vec<u64>;
    type Output = String;

    fn create_accumulator(&self) -> Vec<u64> {
        vec![0]
    }

    fn add(&self, mut sum: Vec<u64>, input: u64) -> Result<Vec<u64>> {
        sum[0] += input;
        Ok(sum)
    }

    fn result(&self, sum: Vec<u64>) -> Result<String> {
        Ok(sum[0].to_string())
    }

    fn merge(&self, mut earlier: Vec<u64>, later: Vec<u64>) -> Result<Vec<u64>> {
        earlier[0] += later[0];
        Ok(earlier)
    }
}

/// Sums by a new accumulator each time.
#[derive(Clone, Copy, Debug)]
struct Anew;

impl AggregateFunction for Anew {
    type Input = u64;
    type Accumulator = u64;
    type Output = String;

    fn create_accumulator(&self) -> u64 {
        0
    }

    fn add(&self, sum: u64, input: u64) -> Result<u64> {
        Ok(sum + input)
    }

    fn result(&self, sum: u64) -> Result<String> {
        Ok(sum.to_string())
    }

    fn merge(&self, earlier: u64, later: u64) -> Result<u64> {
        Ok(earlier + later)
    }
}

fn add_and_get<F: Fixture, A>(fixture: &F, function: A) -> Outcome
where
    A: AggregateFunction<Input = u64, Output = String>,
{
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let id = backend.register_aggregating(&AggregatingDescriptor::new("my-state", function)).must();
    for (key, inputs) in [("abc", &[][..]), ("def", &[17, 11]), ("g", &[1, 2, 3, 2, 1])] {
        backend.set_current_key(&key.to_owned()).must();
        let mut state = backend.aggregating(&id).must();
        assert_eq!(state.get().must(), None);
        let mut sum = 0;
        for input in inputs {
            state.add(*input).must();
            sum += input;
            assert_eq!(state.get().must(), Some(sum.to_string()));
        }
    }
    backend.set_current_key(&"def".to_owned()).must();
    assert_eq!(backend.aggregating(&id).must().get().must().as_deref(), Some("28"));
    for key in ["abc", "def", "g"] {
        backend.set_current_key(&key.to_owned()).must();
        backend.aggregating(&id).must().clear().must();
        assert_eq!(backend.aggregating(&id).must().get().must(), None);
    }
    assert_eq!(backend.keys_and_namespaces(&id).must().len(), 0);
    Outcome::Ran
}

fn merging<F: Fixture, A>(fixture: &F, function: A) -> Outcome
where
    A: AggregateFunction<Input = u64, Output = String>,
{
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let descriptor = AggregatingDescriptor::<A, u64>::new("my-state", function);
    let id = backend.register_aggregating(&descriptor).must();
    with_five_layouts(&mut backend, |backend, layout| {
        for (namespace, inputs) in NAMESPACES.iter().zip(layout) {
            for input in inputs {
                backend.aggregating_in(&id, namespace).must().add(*input).must();
            }
        }
        backend.merge_aggregating(&id, &1, &NAMESPACES[1..]).must();
        let merged = backend.aggregating_in(&id, &1).must().get().must();
        let sum = layout.concat().into_iter().reduce(|a, b| a + b);
        assert_eq!(merged, sum.map(|sum| sum.to_string()));
        backend.aggregating_in(&id, &1).must().clear().must();
    });
    assert_eq!(backend.keys_and_namespaces(&id).must().len(), 0);
    Outcome::Ran
}

/// `testAggregatingStateAddAndGetWithMutableAccumulator`.
pub fn flink_test_aggregating_state_add_and_get_with_mutable_accumulator<F: Fixture>(
    fixture: &F,
) -> Outcome {
    add_and_get(fixture, InPlace)
}

/// `testAggregatingStateMergingWithMutableAccumulator`: the five layouts.
pub fn flink_test_aggregating_state_merging_with_mutable_accumulator<F: Fixture>(
    fixture: &F,
) -> Outcome {
    merging(fixture, InPlace)
}

/// `testAggregatingStateAddAndGetWithImmutableAccumulator`.
pub fn flink_test_aggregating_state_add_and_get_with_immutable_accumulator<F: Fixture>(
    fixture: &F,
) -> Outcome {
    add_and_get(fixture, Anew)
}

/// `testAggregatingStateMergingWithImmutableAccumulator`: the five layouts.
pub fn flink_test_aggregating_state_merging_with_immutable_accumulator<F: Fixture>(
    fixture: &F,
) -> Outcome {
    merging(fixture, Anew)
}
