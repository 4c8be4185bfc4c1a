use std::{
    fmt,
    io::{self, Write as _},
};

use crate::{EngineFixture, Fixture, Outcome};

/// One case of a suite, for a test harness of your own; [`conformance_suite!`](crate::conformance_suite)
/// and [`engine_suite!`](crate::engine_suite) make `#[test]`s of them.
pub struct Case<F> {
    /// The name of the case and of its function.
    pub name: &'static str,
    /// Runs the case; panics if the backend or engine breaks the rule.
    pub run: fn(&F) -> Outcome,
}

impl<F> fmt::Debug for Case<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Case").field(&self.name).finish()
    }
}

/// Runs a case as a `#[test]` should, and says on standard error if it was skipped: written directly, since
/// the test harness hides what passing tests print.
#[doc(hidden)]
pub fn run_as_test<F>(name: &str, fixture: &F, case: fn(&F) -> Outcome) {
    if let Outcome::Skipped(reason) = case(fixture) {
        let line = format!("skipped: {name}: {reason}\n");
        io::stderr().write_all(line.as_bytes()).expect("standard error takes a line");
    }
}

/// Returns every case for backends, in the order of their modules.
#[must_use]
pub fn backend_cases<F: Fixture>() -> Vec<Case<F>> {
    crate::__backend_cases!(__cases)
}

/// Returns every case for engines, in the order of their modules. [`backend_cases`] on
/// [`OnEngine`](crate::OnEngine) has the rest.
#[must_use]
pub fn engine_cases<F: EngineFixture>() -> Vec<Case<F>> {
    crate::__engine_cases!(__cases)
}

/// Runs the whole contract against a backend: one `#[test]` a case, in a module `conformance`.
///
/// Takes an expression for your [`Fixture`](crate::Fixture), evaluated by each test. Call it once a
/// module; two fixtures go into two modules.
///
/// ```
/// # use std::path::Path;
/// # use keyed_state_conformance::{EngineFixture, OnEngine, reference::TreeEngine};
/// # use keyed_state_core::Result;
/// struct Mine;
/// # impl EngineFixture for Mine {
/// #     type Engine = TreeEngine;
/// #     fn open(&self, dir: &Path) -> Result<TreeEngine> { TreeEngine::open(dir) }
/// # }
///
/// keyed_state_conformance::conformance_suite!(OnEngine(Mine));
/// ```
#[macro_export]
macro_rules! conformance_suite {
    ($fixture:expr) => {
        /// The contract of keyed state backends.
        #[cfg(test)]
        mod conformance {
            #[allow(unused_imports, clippy::wildcard_imports)]
            use super::*;

            $crate::__backend_cases!(__tests, $fixture);
        }
    };
}

/// Runs the laws of engines, and the whole contract by way of
/// [`EngineBackend`](keyed_state_core::EngineBackend), against an engine: one `#[test]` a case, in the
/// modules `engine_conformance` and `conformance`.
///
/// Takes an expression for your [`EngineFixture`](crate::EngineFixture), evaluated by each test.
#[macro_export]
macro_rules! engine_suite {
    ($fixture:expr) => {
        /// The laws of engines.
        #[cfg(test)]
        mod engine_conformance {
            #[allow(unused_imports, clippy::wildcard_imports)]
            use super::*;

            $crate::__engine_cases!(__tests, $fixture);
        }

        $crate::conformance_suite!($crate::OnEngine($fixture));
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __tests {
    ([$fixture:expr] $cases:ident { $($module:ident { $($case:ident,)* })* }) => {
        $($(
            #[test]
            fn $case() {
                $crate::run_as_test(stringify!($case), &$fixture, $crate::$cases::$module::$case);
            }
        )*)*
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __cases {
    ([] $cases:ident { $($module:ident { $($case:ident,)* })* }) => {
        vec![$($(
            $crate::Case { name: stringify!($case), run: $crate::$cases::$module::$case::<F> },
        )*)*]
    };
}
