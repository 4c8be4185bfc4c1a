use std::path::Path;

use indicatif::ProgressBar;
use keyed_state::{ClearStrategy, Result};

use super::{Contender, Effort, OpenEngine, Store};
use crate::CliError;

/// What every workload is given.
#[derive(Clone, Copy)]
pub(crate) struct Workload<'a> {
    /// What is measured, for errors.
    pub(crate) name: &'static str,
    pub(crate) scratch: &'a Path,
    pub(crate) effort: &'a Effort,
    pub(crate) strategies: &'a [Contender],
    /// One step a block.
    pub(crate) progress: &'a ProgressBar,
}

impl Workload<'_> {
    /// Opens a store for each strategy.
    pub(crate) fn stores<E: OpenEngine>(&self) -> Result<Vec<Store<E>>, CliError> {
        self.strategies.iter().map(|contender| self.store(contender.strategy)).collect()
    }

    pub(crate) fn store<E: OpenEngine>(
        &self,
        strategy: ClearStrategy,
    ) -> Result<Store<E>, CliError> {
        Store::open(self.scratch, strategy)
    }

    /// Names the strategy and the workload in an error of its backend.
    pub(crate) fn named<T>(&self, strategy: &str, outcome: Result<T>) -> Result<T, CliError> {
        outcome.map_err(|source| CliError::State { during: self.during(strategy), source })
    }

    /// Returns an error if a read found something else than it had to.
    pub(crate) fn check<T: PartialEq + std::fmt::Debug>(
        &self,
        strategy: &str,
        found: &T,
        expected: &T,
    ) -> Result<(), CliError> {
        if found == expected {
            return Ok(());
        }
        Err(CliError::WrongRead {
            during: self.during(strategy),
            expected: format!("{expected:?}"),
            found: format!("{found:?}"),
        })
    }

    fn during(&self, strategy: &str) -> String {
        format!("{}, {strategy}", self.name)
    }

    /// Returns the strategies by number in the order in which `round` measures them: each begins in turn.
    pub(crate) fn turns(&self, round: usize) -> impl Iterator<Item = usize> + use<> {
        turns(self.strategies.len(), round)
    }
}

/// Returns `0..count`, beginning at another one each `round`.
pub(crate) fn turns(count: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |n| (n + round) % count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_strategy_begins_in_turn() {
        assert_eq!(turns(3, 0).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(turns(3, 4).collect::<Vec<_>>(), [1, 2, 0]);
    }
}
