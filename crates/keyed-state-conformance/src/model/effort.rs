use std::{
    env, fmt,
    io::{self, Write as _},
    process,
    time::{Duration, Instant},
};

use proptest::{
    strategy::Strategy,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};

/// How much random testing does, as the environment says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    cases: u32,
    steps: usize,
    seed: u64,
    /// For how long to go on, instead of a number of cases.
    time: Option<Duration>,
}

/// What random testing has found.
pub(super) struct Failure<T> {
    /// The smallest input that fails.
    pub(super) input: T,
    pub(super) why: String,
    pub(super) seed: u64,
}

impl Effort {
    pub(crate) fn from_env() -> Self {
        Self {
            cases: number("KEYED_STATE_CASES").unwrap_or(16),
            steps: number("KEYED_STATE_STEPS").unwrap_or(150),
            seed: if env::var("KEYED_STATE_SEED").as_deref() == Ok("random") {
                u64::from(process::id())
            } else {
                number("KEYED_STATE_SEED").unwrap_or(0)
            },
            time: number("KEYED_STATE_SECONDS").map(Duration::from_secs),
        }
    }

    /// The length of the longest sequence; at least 1.
    pub(crate) fn steps(self) -> usize {
        self.steps.max(1)
    }

    /// Returns one of `parts` that take as long together.
    pub(crate) fn share(self, parts: usize) -> Self {
        let parts = u32::try_from(parts.max(1)).unwrap_or(u32::MAX);
        Self { time: self.time.map(|time| time / parts), ..self }
    }

    /// Runs `test` on random inputs; panics with the smallest that makes it panic.
    #[track_caller]
    pub(crate) fn run<S: Strategy>(self, inputs: &S, test: impl Fn(S::Value)) {
        let tested = self.find_failure("engine", inputs, |input| {
            test(input);
            Ok(())
        });
        if let Some(Failure { input, why, seed }) = tested {
            panic!("{why}\nsmallest input (seed {seed}): {input:?}");
        }
    }

    /// Runs `test` on random inputs; returns the smallest for which it fails or panics.
    ///
    /// Another `subject` gets other inputs, so that together they try more.
    #[track_caller]
    pub(super) fn find_failure<S: Strategy>(
        self,
        subject: &str,
        inputs: &S,
        test: impl Fn(S::Value) -> Result<(), String>,
    ) -> Option<Failure<S::Value>> {
        let Some(time) = self.time else {
            return find_in(self.cases, self.seed, subject, inputs, test);
        };
        let start = Instant::now();
        let mut seed = self.seed;
        loop {
            if let Some(failure) = find_in(1, seed, subject, inputs, &test) {
                return Some(failure);
            }
            seed = seed.wrapping_add(1);
            if start.elapsed() >= time {
                let (first, last) = (self.seed, seed.wrapping_sub(1));
                say(&format!("nothing found on {subject} with the seeds {first} to {last}\n"));
                return None;
            }
        }
    }
}

#[track_caller]
fn find_in<S: Strategy>(
    cases: u32,
    seed: u64,
    subject: &str,
    inputs: &S,
    test: impl Fn(S::Value) -> Result<(), String>,
) -> Option<Failure<S::Value>> {
    let config =
        Config { cases, failure_persistence: None, max_shrink_iters: 2048, ..Config::default() };
    let mut bytes = [0; 32];
    let (number, name) = bytes.split_at_mut(8);
    number.copy_from_slice(&seed.to_be_bytes());
    for (byte, letter) in name.iter_mut().zip(subject.bytes()) {
        *byte = letter;
    }
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let test = |input| test(input).map_err(TestCaseError::fail);
    match TestRunner::new_with_rng(config, rng).run(inputs, test) {
        Ok(()) => None,
        Err(TestError::Fail(why, input)) => Some(Failure { input, why: why.to_string(), seed }),
        Err(TestError::Abort(why)) => panic!("random testing was given up: {why}"),
    }
}

/// Writes to standard error directly, since the test harness hides what passing tests print.
fn say(line: &str) {
    io::stderr().write_all(line.as_bytes()).expect("standard error takes a line");
}

/// Reads a number from the environment; what is no number is an error, not the default.
fn number<T: std::str::FromStr<Err: fmt::Display>>(name: &str) -> Option<T> {
    match env::var(name) {
        Err(env::VarError::NotPresent) => None,
        Err(error) => panic!("{name}: {error}"),
        Ok(text) => match text.parse() {
            Ok(number) => Some(number),
            Err(error) => panic!("{name} must be a number, unlike {text:?}: {error}"),
        },
    }
}
