use std::path::Path;

use keyed_state_conformance::EngineFixture;
use keyed_state_core::Result;
use keyed_state_rocksdb::{RocksConfig, RocksEngine};

/// RocksDB with its default settings.
#[derive(Clone, Copy, Debug)]
pub struct Rocks;

impl EngineFixture for Rocks {
    type Engine = RocksEngine;

    fn open(&self, dir: &Path) -> Result<RocksEngine> {
        RocksEngine::open(dir, &RocksConfig::new())
    }
}
