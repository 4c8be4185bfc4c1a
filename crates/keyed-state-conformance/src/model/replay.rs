use keyed_state_core::{BackendOptions, KeyedStateBackend, Result};

use super::{
    Effort, Op,
    answer::{Answer, answer},
    code::test_code,
    expected::Expected,
    generate,
    subject::Subject,
};
use crate::{Fixture, support::Home};

/// Runs random operations on backends opened with `options`, as many as the [environment](super) says.
///
/// # Panics
///
/// If a backend ever differs from the model, with the shortest operations that show it, as code.
#[track_caller]
pub fn check<F: Fixture>(fixture: &F, options: &BackendOptions) {
    let effort = Effort::from_env();
    let tested =
        effort.find_failure(&generate::ops(effort.steps()), |ops| run(fixture, options, &ops));
    if let Some((ops, why)) = tested {
        panic!(
            "the backend differs from the reference model (seed {}): {why}\n\nthe shortest \
             operations that show it, to paste beside your fixture:\n\n{}",
            effort.seed(),
            test_code(options, &ops)
        );
    }
}

/// Runs `ops` on a backend opened with `options` and on the model.
///
/// # Panics
///
/// Where the backend first differs from the model.
#[track_caller]
pub fn replay<F: Fixture>(fixture: &F, options: &BackendOptions, ops: &[Op]) {
    if let Err(difference) = run(fixture, options, ops) {
        panic!("the backend differs from the reference model: {difference}");
    }
}

fn run<F: Fixture>(fixture: &F, options: &BackendOptions, ops: &[Op]) -> Result<(), String> {
    let home = Home::new();
    let open = || {
        fixture
            .open(home.path(), options.clone())
            .and_then(Subject::register)
            .map_err(|error| format!("opening failed: {error:?}"))
    };
    let mut subject = open()?;
    let mut expected = Expected::new(subject.backend.capabilities());
    for (step, op) in ops.iter().enumerate() {
        if *op == Op::Reopen {
            let closed = subject.backend.close();
            closed.map_err(|error| format!("step {step}: closing failed: {error:?}"))?;
            subject = open()?;
            subject.set_namespace(expected.namespace());
            if let Some(key) = expected.key {
                let set = subject.apply(&Op::SetKey(key));
                compare(set, &Answer::Done, || format!("step {step}, {op}"))?;
            }
        }
        let wanted = expected.apply(op);
        compare(subject.apply(op), &wanted, || format!("step {step}, {op}"))?;
        if matches!(op, Op::Flush | Op::Compact | Op::Reopen) || step + 1 == ops.len() {
            let everything = subject.everything();
            compare(everything, &expected.everything(), || {
                format!("all that is stored after step {step}, {op}")
            })?;
            if let Some(key) = expected.key {
                let set = subject.apply(&Op::SetKey(key));
                compare(set, &Answer::Done, || format!("step {step}, {op}"))?;
            }
        }
    }
    subject.backend.close().map_err(|error| format!("closing failed: {error:?}"))
}

fn compare(
    found: Result<Answer>,
    expected: &Answer,
    what: impl FnOnce() -> String,
) -> Result<(), String> {
    let (found, why) = answer(found);
    if found == *expected {
        return Ok(());
    }
    Err(format!("{}\n  expected: {expected:02x?}\n  found:    {found:02x?}{why}", what()))
}
