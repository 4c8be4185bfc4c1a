use std::{env, fmt, process};

use proptest::{
    strategy::Strategy,
    test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner},
};

/// How much random testing does, as the environment says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    cases: u32,
    steps: usize,
    seed: u64,
}

impl Effort {
    pub(crate) fn from_env() -> Self {
        Self {
            cases: number("KEYED_STATE_CASES", 16),
            steps: number("KEYED_STATE_STEPS", 150),
            seed: if env::var("KEYED_STATE_SEED").as_deref() == Ok("random") {
                u64::from(process::id())
            } else {
                number("KEYED_STATE_SEED", 0)
            },
        }
    }

    /// The length of the longest sequence; at least 1.
    pub(crate) fn steps(self) -> usize {
        self.steps.max(1)
    }

    pub(super) fn seed(self) -> u64 {
        self.seed
    }

    /// Runs `test` on random inputs; panics with the smallest that makes it panic.
    #[track_caller]
    pub(crate) fn run<S: Strategy>(self, inputs: &S, test: impl Fn(S::Value)) {
        let tested = self.find_failure(inputs, |input| {
            test(input);
            Ok(())
        });
        if let Some((input, why)) = tested {
            panic!("{why}\nsmallest input (seed {}): {input:?}", self.seed);
        }
    }

    /// Runs `test` on random inputs; returns the smallest for which it fails or panics, and why.
    #[track_caller]
    pub(super) fn find_failure<S: Strategy>(
        self,
        inputs: &S,
        test: impl Fn(S::Value) -> Result<(), String>,
    ) -> Option<(S::Value, String)> {
        let config = Config {
            cases: self.cases,
            failure_persistence: None,
            max_shrink_iters: 2048,
            ..Config::default()
        };
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_be_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let test = |input| test(input).map_err(proptest::test_runner::TestCaseError::fail);
        match TestRunner::new_with_rng(config, rng).run(inputs, test) {
            Ok(()) => None,
            Err(TestError::Fail(why, input)) => Some((input, why.to_string())),
            Err(TestError::Abort(why)) => panic!("random testing was given up: {why}"),
        }
    }
}

/// Reads a number from the environment; what is no number is an error, not the default.
fn number<T: std::str::FromStr<Err: fmt::Display>>(name: &str, default: T) -> T {
    match env::var(name) {
        Err(env::VarError::NotPresent) => default,
        Err(error) => panic!("{name}: {error}"),
        Ok(text) => match text.parse() {
            Ok(number) => number,
            Err(error) => panic!("{name} must be a number, unlike {text:?}: {error}"),
        },
    }
}
