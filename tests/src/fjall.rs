use std::path::Path;

use keyed_state_conformance::EngineFixture;
use keyed_state_core::Result;
use keyed_state_fjall::{FjallConfig, FjallEngine};

/// fjall with its default settings.
#[derive(Clone, Copy, Debug)]
pub struct Fjall;

impl EngineFixture for Fjall {
    type Engine = FjallEngine;

    fn open(&self, dir: &Path) -> Result<FjallEngine> {
        FjallEngine::open(dir, &FjallConfig::new())
    }
}
