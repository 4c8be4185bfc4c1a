use std::panic::{AssertUnwindSafe, catch_unwind};

use keyed_state_core::{BackendOptions, KeyedStateBackend, ManualClock};

use super::{
    Op, TimerOp,
    answer::Answer,
    code::test_code,
    effort::{Effort, Failure},
    expected::{Expected, START_MS},
    generate,
    state::State,
    subject::Subject,
};
use crate::{Fixture, support::Home};

/// Runs random operations on backends opened with `options`, as many as the [environment](super) says. The
/// options' clock is replaced by one that the operations move.
///
/// # Panics
///
/// If a backend ever differs from the model, with the shortest operations that show it, as code.
#[track_caller]
pub fn check<F: Fixture>(fixture: &F, options: &BackendOptions) {
    check_with(fixture, options, Effort::from_env());
}

#[track_caller]
pub(crate) fn check_with<F: Fixture>(fixture: &F, options: &BackendOptions, effort: Effort) {
    let subject = format!("{} {:?}", options.groups(), options.default_clear_strategy());
    let tested = effort
        .find_failure(&subject, &generate::ops(effort.steps()), |ops| run(fixture, options, &ops));
    if let Some(Failure { input: ops, why, seed }) = tested {
        let (ops, why) = shorten(fixture, options, ops, why);
        panic!(
            "the backend differs from the reference model (seed {seed}): {why}\n\nthe shortest \
             operations that show it, to paste beside your fixture:\n\n{}",
            test_code(options, &ops)
        );
    }
}

/// Leaves out operations, one after the other, that the rest shows a difference without: shrinking values makes some
/// of them needless after their removal was tried.
fn shorten<F: Fixture>(
    fixture: &F,
    options: &BackendOptions,
    mut ops: Vec<Op>,
    mut why: String,
) -> (Vec<Op>, String) {
    loop {
        let before = ops.len();
        for left_out in (0..before).rev() {
            let mut fewer = ops.clone();
            fewer.remove(left_out);
            // A panic is reported as the runner found it.
            let tried = catch_unwind(AssertUnwindSafe(|| run(fixture, options, &fewer)));
            if let Ok(Err(difference)) = tried {
                (ops, why) = (fewer, difference);
            }
        }
        if ops.len() == before {
            return (ops, why);
        }
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
    let clock = ManualClock::new(START_MS);
    let options = options.clone().clock(clock.clone());
    let open = |namespace| {
        let opened = fixture.open(home.path(), options.clone());
        opened
            .map(|backend| Subject::new(backend, clock.clone(), namespace))
            .map_err(|error| format!("opening failed: {error:?}"))
    };
    let mut subject = open(b"")?;
    let mut expected = Expected::new(subject.backend.capabilities(), options.groups());
    for (step, op) in ops.iter().enumerate() {
        let step = format!("step {step}, {op}");
        if *op == Op::Reopen {
            let closed = subject.backend.close();
            closed.map_err(|error| format!("{step}: closing failed: {error:?}"))?;
            subject = open(expected.namespace())?;
            set_key(&mut subject, &expected, &step)?;
        }
        let wanted = expected.apply(op);
        compare(&wanted, subject.apply(op), &step)?;
        if matches!(op, Op::Flush | Op::Compact | Op::Reopen) {
            compare_all(&mut expected, &mut subject, &step)?;
        }
    }
    compare_all(&mut expected, &mut subject, "the last step")?;
    subject.backend.close().map_err(|error| format!("closing failed: {error:?}"))
}

/// Compares all that is stored.
fn compare_all<B: KeyedStateBackend<Key = Vec<u8>>>(
    expected: &mut Expected,
    subject: &mut Subject<B>,
    step: &str,
) -> Result<(), String> {
    let states = expected.used_states();
    let step = format!("all that is stored after {step}");
    for State(kind, scope) in &states {
        let expired = Op::Expired(*kind, *scope);
        compare(&expected.apply(&expired), subject.apply(&expired), &step)?;
    }
    compare(&expected.everything(), subject.everything(&states), &step)?;
    for scope in expected.used_services() {
        let all = Op::timers(scope, &[TimerOp::Time, TimerOp::All]);
        compare(&expected.apply(&all), subject.apply(&all), &step)?;
    }
    set_key(subject, expected, &step)
}

fn set_key<B: KeyedStateBackend<Key = Vec<u8>>>(
    subject: &mut Subject<B>,
    expected: &Expected,
    step: &str,
) -> Result<(), String> {
    let set = subject.set_key(expected.key());
    set.map_err(|error| format!("{step}: the key cannot be set: {error:?}"))
}

fn compare(
    expected: &Answer,
    found: keyed_state_core::Result<Answer>,
    step: &str,
) -> Result<(), String> {
    match expected.difference(found) {
        None => Ok(()),
        Some(difference) => Err(format!("{step}{difference}")),
    }
}
