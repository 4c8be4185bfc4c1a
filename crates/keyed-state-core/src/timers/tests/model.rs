//! Random operations against a plain set, with budgets from nothing to ample, over an engine that may fail at any
//! call.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Backend, Timer, timer};
use crate::{ErrorKind, MaxParallelism, Result, timers::services::Limits};

type Bytes = Vec<u8>;

/// Time, key group, key, namespace.
type Row = (i64, u16, Bytes, Bytes);

#[derive(Clone, Debug)]
enum Operation {
    Register(i64, Bytes, Bytes),
    Remove(i64, Bytes, Bytes),
    /// Removes the timer at this place among those registered.
    RemoveNth(usize),
    Advance(i64),
    Pop(usize),
    Len,
    NextDue,
    Times(Bytes, Bytes),
    All,
    Save,
    Reopen,
}

#[derive(Debug)]
struct Model {
    timers: BTreeSet<Row>,
    now: Option<i64>,
    groups: MaxParallelism,
}

impl Model {
    fn row(&self, time: i64, key: &Bytes, namespace: &Bytes) -> Row {
        (time, self.groups.group_of(key), key.clone(), namespace.clone())
    }

    fn pop(&mut self) -> Option<Timer<Bytes, Bytes>> {
        let first = self.timers.first()?;
        if self.now.is_none_or(|now| now < first.0) {
            return None;
        }
        self.timers.pop_first().map(|(time, _, key, namespace)| timer(time, key, namespace))
    }

    fn all(&self) -> Vec<Timer<Bytes, Bytes>> {
        let timers = self.timers.iter().cloned();
        timers.map(|(time, _, key, namespace)| timer(time, key, namespace)).collect()
    }
}

fn bytes() -> impl Strategy<Value = Bytes> {
    prop_oneof![
        8 => prop::collection::vec(prop::sample::select(vec![0_u8, 1, 0x61, 0xFF]), 0..3),
        1 => prop::sample::select(vec![7_u8, 0xFF]).prop_map(|byte| vec![byte; 40]),
    ]
}

fn time() -> impl Strategy<Value = i64> {
    prop_oneof![
        8 => -10_i64..40,
        1 => prop::sample::select(vec![i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX]),
    ]
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        12 => (time(), bytes(), bytes()).prop_map(|(t, k, n)| Operation::Register(t, k, n)),
        2 => (time(), bytes(), bytes()).prop_map(|(t, k, n)| Operation::Remove(t, k, n)),
        3 => any::<usize>().prop_map(Operation::RemoveNth),
        2 => (-10_i64..40).prop_map(Operation::Advance),
        1 => time().prop_map(Operation::Advance),
        4 => (1_usize..6).prop_map(Operation::Pop),
        1 => Just(Operation::Len),
        1 => Just(Operation::NextDue),
        1 => (bytes(), bytes()).prop_map(|(k, n)| Operation::Times(k, n)),
        1 => Just(Operation::All),
        1 => Just(Operation::Save),
        1 => Just(Operation::Reopen),
    ]
}

/// Does something that may fail, until it does not; a failure must leave all timers as they were.
fn insist<T>(
    backend: &mut Backend<Bytes>,
    before: &Model,
    mut action: impl FnMut(&mut Backend<Bytes>) -> Result<T>,
) -> T {
    loop {
        match action(backend) {
            Ok(value) => {
                heal(backend);
                return value;
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Storage, "{error}");
                heal(backend);
                let all = backend.timers::<Bytes>("t").unwrap().all().unwrap();
                assert_eq!(all, before.all(), "after {error}");
            }
        }
    }
}

fn heal(backend: &mut Backend<Bytes>) {
    if let Some(engine) = &mut backend.engine {
        engine.heal();
    }
}

fn apply(backend: &mut Backend<Bytes>, model: &mut Model, operation: Operation) {
    match operation {
        Operation::Register(time, key, namespace) => {
            insist(backend, model, |b| b.at(key.clone()).timers("t")?.register(time, &namespace));
            model.timers.insert(model.row(time, &key, &namespace));
        }
        Operation::Remove(time, key, namespace) => {
            let there =
                insist(backend, model, |b| b.at(key.clone()).timers("t")?.remove(time, &namespace));
            assert_eq!(there, model.timers.remove(&model.row(time, &key, &namespace)));
        }
        Operation::RemoveNth(nth) => {
            let nth = nth.checked_rem(model.timers.len());
            if let Some((time, _, key, namespace)) =
                nth.and_then(|nth| model.timers.iter().nth(nth).cloned())
            {
                apply(backend, model, Operation::Remove(time, key, namespace));
            }
        }
        Operation::Advance(time) => {
            insist(backend, model, |b| b.timers::<Bytes>("t")?.advance_to(time));
            model.now = model.now.max(Some(time));
            let now = insist(backend, model, |b| Ok(b.timers::<Bytes>("t")?.current_time()));
            assert_eq!(now, model.now);
        }
        Operation::Pop(times) => {
            for _ in 0..times {
                let popped = insist(backend, model, |b| b.timers("t")?.pop_due());
                assert_eq!(popped, model.pop());
            }
        }
        Operation::Len => {
            let len = insist(backend, model, |b| b.timers::<Bytes>("t")?.len());
            assert_eq!(len, model.timers.len() as u64);
            assert!(backend.context.timers().most() >= len);
        }
        Operation::NextDue => {
            let next = insist(backend, model, |b| b.timers::<Bytes>("t")?.next_due());
            assert_eq!(next, model.timers.first().map(|row| row.0));
            let empty = insist(backend, model, |b| b.timers::<Bytes>("t")?.is_empty());
            assert_eq!(empty, next.is_none());
        }
        Operation::Times(key, namespace) => {
            let times =
                insist(backend, model, |b| b.at(key.clone()).timers("t")?.times(&namespace));
            let ours = |row: &&Row| row.2 == key && row.3 == namespace;
            let expected: Vec<_> = model.timers.iter().filter(ours).map(|row| row.0).collect();
            assert_eq!(times, expected);
        }
        Operation::All => {
            let all = insist(backend, model, |b| b.timers("t")?.all());
            assert_eq!(all, model.all());
        }
        Operation::Save => insist(backend, model, Backend::save),
        Operation::Reopen => insist(backend, model, Backend::reopen),
    }
}

fn limits() -> impl Strategy<Value = (Limits, usize)> {
    let bucket = prop::sample::select(vec![1_usize, 30, 60, 200, 2000]);
    let least = prop::sample::select(vec![0_usize, 300, 1 << 20]);
    let step = prop::sample::select(vec![1_usize, 150, usize::MAX]);
    let budget = prop::sample::select(vec![0_usize, 400, 1500, 1 << 20]);
    (bucket, least, step, budget).prop_map(|(bucket_bytes, least_bytes, step_bytes, budget)| {
        (Limits { bucket_bytes, least_bytes, step_bytes }, budget)
    })
}

fn run(backend: Backend<Bytes>, groups: u32, operations: Vec<(Operation, Option<i64>)>) {
    let groups = MaxParallelism::new(groups).unwrap();
    let mut backend = backend.options(|options| options.max_parallelism(groups));
    let mut model = Model { timers: BTreeSet::new(), now: None, groups };
    for (operation, fail_after) in operations {
        if let (Some(engine), Some(calls)) = (&mut backend.engine, fail_after) {
            engine.fail_after(calls);
        }
        apply(&mut backend, &mut model, operation);
    }
    heal(&mut backend);
    backend.reopen().unwrap();
    for operation in [Operation::All, Operation::Len, Operation::Advance(i64::MAX)] {
        apply(&mut backend, &mut model, operation);
    }
    let left = model.timers.len();
    apply(&mut backend, &mut model, Operation::Pop(left + 1));
    backend.save().unwrap();
    if let Some(engine) = &backend.engine {
        assert_eq!(
            engine.rows(),
            1,
            "fired and removed timers must leave nothing but the service's head"
        );
    }
}

proptest! {
    #[test]
    fn w1_w2_behaves_as_a_set(
        (limits, budget) in limits(),
        groups in prop::sample::select(vec![1_u32, 3, 32_768]),
        operations in prop::collection::vec((operation(), Just(None)), 1..150),
    ) {
        run(Backend::with_limits(limits, budget), groups, operations);
    }

    #[test]
    fn f1_engine_errors_lose_and_double_nothing(
        (limits, budget) in limits(),
        operations in prop::collection::vec((operation(), prop::option::of(0_i64..6)), 1..120),
    ) {
        run(Backend::with_limits(limits, budget), 3, operations);
    }

    #[test]
    fn w1_w2_behaves_as_a_set_without_an_engine(
        operations in prop::collection::vec((operation(), Just(None)), 1..150),
    ) {
        run(Backend::in_memory(), 3, operations);
    }
}
