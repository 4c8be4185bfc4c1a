//! Engines that are wrong on purpose.

mod cursor;
mod engine;
mod fault;
mod keys;

use std::path::Path;

use keyed_state_conformance::{EngineFixture, FailingEngine, Failures, reference::TreeEngine};
use keyed_state_core::{Engine, KeyRange, Result};

use engine::FaultyEngine;
pub(crate) use fault::Fault;

/// An owned [`KeyRange`].
#[derive(Clone, Debug)]
struct Range {
    start: Vec<u8>,
    end: Option<Vec<u8>>,
}

impl Range {
    fn of(range: KeyRange<'_>) -> Self {
        Self { start: range.start.to_vec(), end: range.end.map(<[u8]>::to_vec) }
    }

    fn borrow(&self) -> KeyRange<'_> {
        KeyRange::new(&self.start, self.end.as_deref())
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.borrow().contains(key)
    }
}

/// Opens a reference engine with a fault, or the wrapper without any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faulty(pub(crate) Option<Fault>);

impl EngineFixture for Faulty {
    type Engine = FaultyEngine<TreeEngine>;

    fn open(&self, dir: &Path) -> Result<Self::Engine> {
        Ok(FaultyEngine::new(TreeEngine::open(dir)?, self.0))
    }

    fn open_failing(&self, dir: &Path, failures: &Failures) -> Result<Box<dyn Engine>> {
        let failures = failures.clone();
        Ok(match self.0 {
            Some(fault) if fault.needs_failures() => {
                let engine = FailingEngine::new(TreeEngine::open(dir)?, failures);
                Box::new(FaultyEngine::new(engine, self.0))
            }
            _ => Box::new(FailingEngine::new(self.open(dir)?, failures)),
        })
    }
}
