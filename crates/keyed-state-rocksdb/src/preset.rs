use std::fmt;

use keyed_state_core::Result;

use crate::{Compression, RocksConfig};

/// Settings that go together, for a kind of disk.
///
/// The choice is that of Flink's `PredefinedOptions`, with what RocksDB has learned since.
///
/// | preset | blocks | files | compression, last level | memory |
/// | --- | --- | --- | --- | --- |
/// | `Default` | 16 KiB | 64 MiB | LZ4, LZ4 | 256 MiB |
/// | `HardDisk` | 64 KiB | 128 MiB | LZ4, Zstandard | 256 MiB |
/// | `HardDiskHighMemory` | 128 KiB | 256 MiB | LZ4, Zstandard | 1 GiB |
/// | `Flash` | 4 KiB | 64 MiB | LZ4, LZ4 | 256 MiB |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Preset {
    /// The defaults of [`RocksConfig`], for a disk of which nothing is known.
    #[default]
    Default,
    /// Spinning disks: few and large reads, one of them at a time.
    HardDisk,
    /// Spinning disks and a gigabyte to keep reads away from them.
    HardDiskHighMemory,
    /// Flash: small reads, many at a time.
    Flash,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 4] =
        [Self::Default, Self::HardDisk, Self::HardDiskHighMemory, Self::Flash];

    /// Returns the name by which text options call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::HardDisk => "hard_disk",
            Self::HardDiskHighMemory => "hard_disk_high_memory",
            Self::Flash => "flash",
        }
    }

    /// Puts the preset's settings for whatever was set before, except for RocksDB's own options.
    pub(crate) fn apply(self, config: &mut RocksConfig) {
        let RocksConfig { native, .. } = std::mem::take(config);
        config.native = native;
        match self {
            Self::Default => {}
            Self::HardDisk => {
                config.block_bytes = 64 << 10;
                config.bottommost_compression = Compression::Zstd;
                config.target_file_bytes = 128 << 20;
                config.level_base_bytes = 512 << 20;
                config.compaction_readahead_bytes = 8 << 20;
                config.background_jobs = 2;
            }
            Self::HardDiskHighMemory => {
                Self::HardDisk.apply(config);
                config.memory_budget_bytes = 1 << 30;
                config.block_bytes = 128 << 10;
                config.target_file_bytes = 256 << 20;
                config.level_base_bytes = 1 << 30;
            }
            Self::Flash => {
                config.block_bytes = 4 << 10;
                config.background_jobs = 4;
            }
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Preset> for RocksConfig {
    fn from(preset: Preset) -> Self {
        let mut config = Self::new();
        preset.apply(&mut config);
        config
    }
}

impl RocksConfig {
    /// Returns the settings of the [`Preset`] that is called `name`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](keyed_state_core::ErrorKind::InvalidArgument), listing the names, if
    /// there is none.
    pub fn preset(name: &str) -> Result<Self> {
        name.parse().map(|preset: Preset| preset.into())
    }
}
