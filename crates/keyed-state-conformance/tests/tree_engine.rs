//! The reference engine under its own suite: on disk, in memory, as `Box<dyn Engine>`, wrapped, and with compaction filters.

#[path = "support/filtering.rs"]
mod filtering;

use std::path::Path;

use keyed_state_conformance::{
    EngineFixture, FailingEngine, Failures, OnEngine, conformance_suite, engine_suite,
    reference::TreeEngine,
};
use keyed_state_core::{Engine, Result};

struct OnDisk;

impl EngineFixture for OnDisk {
    type Engine = TreeEngine;

    fn open(&self, dir: &Path) -> Result<TreeEngine> {
        TreeEngine::open(dir)
    }
}

struct InMemory;

impl EngineFixture for InMemory {
    type Engine = TreeEngine;

    fn open(&self, _: &Path) -> Result<TreeEngine> {
        Ok(TreeEngine::in_memory())
    }
}

struct Boxed;

impl EngineFixture for Boxed {
    type Engine = Box<dyn Engine>;

    fn open(&self, dir: &Path) -> Result<Box<dyn Engine>> {
        Ok(Box::new(TreeEngine::open(dir)?))
    }
}

struct Failing;

impl EngineFixture for Failing {
    type Engine = FailingEngine<TreeEngine>;

    fn open(&self, dir: &Path) -> Result<Self::Engine> {
        Ok(FailingEngine::new(TreeEngine::open(dir)?, Failures::new()))
    }
}

mod on_disk {
    use super::{OnDisk, engine_suite};

    engine_suite!(OnDisk);
}

mod in_memory {
    use super::{InMemory, engine_suite};

    engine_suite!(InMemory);
}

mod boxed {
    use super::{Boxed, engine_suite};

    engine_suite!(Boxed);
}

mod a_failing_engine_that_never_fails {
    use super::{Failing, OnEngine, conformance_suite};

    conformance_suite!(OnEngine(Failing));
}

mod with_compaction_filters {
    use super::{engine_suite, filtering::Filtering};

    engine_suite!(Filtering(None));
}
