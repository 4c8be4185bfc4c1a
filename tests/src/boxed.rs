use std::path::Path;

use keyed_state_conformance::EngineFixture;
use keyed_state_core::{Engine, Result};

/// Another fixture's engine as it is chosen at run time: behind `Box<dyn Engine>`.
#[derive(Clone, Copy, Debug)]
pub struct Boxed<F>(pub F);

impl<F: EngineFixture> EngineFixture for Boxed<F> {
    type Engine = Box<dyn Engine>;

    fn open(&self, dir: &Path) -> Result<Box<dyn Engine>> {
        Ok(Box::new(self.0.open(dir)?))
    }
}
