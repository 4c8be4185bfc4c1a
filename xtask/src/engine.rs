use clap::ValueEnum;

/// A storage engine that tests can be limited to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Rust values on the heap
    Memory,
    /// The embedded engine in pure Rust
    Fjall,
    /// RocksDB, in C++
    Rocksdb,
}

impl Engine {
    /// The name as it occurs in features, test names and the engine's crate.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Fjall => "fjall",
            Self::Rocksdb => "rocksdb",
        }
    }

    /// The engine's crate.
    pub(crate) fn package(self) -> String {
        format!("keyed-state-{}", self.name())
    }
}
