use std::{fmt, path::Path};

use clap::ValueEnum;
use keyed_state::{
    Engine, Result,
    fjall::{FjallConfig, FjallEngine},
};

/// An engine that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineKind {
    /// The embedded engine in pure Rust
    Fjall,
    /// RocksDB, in C++
    Rocksdb,
}

impl EngineKind {
    pub(crate) const ALL: [Self; 2] = [Self::Fjall, Self::Rocksdb];

    /// Returns whether the engine was built in.
    #[must_use]
    pub fn is_built_in(self) -> bool {
        match self {
            Self::Fjall => true,
            Self::Rocksdb => cfg!(feature = "rocksdb"),
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fjall => "fjall",
            Self::Rocksdb => "rocksdb",
        })
    }
}

/// An engine that the workloads can open, with the settings that it has when nobody sets any.
pub(crate) trait OpenEngine: Engine + Sized {
    fn open_in(dir: &Path) -> Result<Self>;
}

impl OpenEngine for FjallEngine {
    fn open_in(dir: &Path) -> Result<Self> {
        Self::open(dir, &FjallConfig::new())
    }
}

#[cfg(feature = "rocksdb")]
impl OpenEngine for keyed_state::rocksdb::RocksEngine {
    fn open_in(dir: &Path) -> Result<Self> {
        Self::open(dir, &keyed_state::rocksdb::RocksConfig::new())
    }
}
