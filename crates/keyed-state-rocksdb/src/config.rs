use keyed_state_core::Result;

use crate::{differences, text};

/// How blocks of stored data are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all.
    None,
    /// LZ4: costs next to nothing to read.
    Lz4,
    /// Zstandard: about a third smaller than LZ4, several times slower to read.
    Zstd,
}

/// Settings of a [`RocksEngine`](crate::RocksEngine).
///
/// Every setter has a textual option of the same name, for URLs and configuration files:
/// [`set`](Self::set) takes one, [`options`](Self::options) lists them. Values are checked when the
/// engine is opened, textual ones at once.
///
/// ```
/// use keyed_state_rocksdb::{Compression, RocksConfig};
///
/// let config = RocksConfig::new()
///     .memory_budget_bytes(1 << 30)
///     .bottommost_compression(Compression::Zstd)
///     .rocksdb_options("max_subcompactions=2;bytes_per_sync=1M")?;
///
/// let mut same = RocksConfig::new();
/// same.set("memory_budget_bytes", "1GiB")?;
/// same.set("bottommost_compression", "zstd")?;
/// same.set("db.max_subcompactions", "2")?;
/// same.set("db.bytes_per_sync", "1M")?;
/// assert_eq!(config, same);
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RocksConfig {
    pub(crate) memory_budget_bytes: usize,
    pub(crate) write_buffer_percent: usize,
    pub(crate) write_buffer_bytes: usize,
    pub(crate) block_bytes: usize,
    pub(crate) bloom_bits_per_key: usize,
    pub(crate) compression: Compression,
    pub(crate) bottommost_compression: Compression,
    pub(crate) target_file_bytes: usize,
    pub(crate) level_base_bytes: usize,
    pub(crate) compaction_readahead_bytes: usize,
    pub(crate) background_jobs: usize,
    pub(crate) max_open_files: Option<usize>,
    pub(crate) memtable_max_range_deletions: usize,
    /// RocksDB's own options, by name; they are applied last and in this order.
    pub(crate) native: Vec<(String, String)>,
}

impl Default for RocksConfig {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            memory_budget_bytes: 256 << 20,
            write_buffer_percent: 50,
            write_buffer_bytes: 64 << 20,
            block_bytes: 16 << 10,
            bloom_bits_per_key: 10,
            compression: Compression::Lz4,
            bottommost_compression: Compression::Lz4,
            target_file_bytes: 64 << 20,
            level_base_bytes: 256 << 20,
            compaction_readahead_bytes: 2 << 20,
            background_jobs: cores.clamp(2, 4),
            max_open_files: None,
            memtable_max_range_deletions: 1000,
            native: Vec::new(),
        }
    }
}

impl RocksConfig {
    /// Returns the defaults, named at each setter.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the memory that all tables of the engine share, in bytes, at least 1 MiB: blocks read
    /// from files, their indexes and filters, and writes not yet flushed. Default: 256 MiB.
    ///
    /// RocksDB keeps to it softly. Iterators hold the blocks that they are in beside it.
    #[must_use]
    pub fn memory_budget_bytes(mut self, bytes: usize) -> Self {
        self.memory_budget_bytes = bytes;
        self
    }

    /// Sets the share of the memory budget that writes not yet flushed may take, 10 to 90 percent;
    /// what they do not take, blocks do. Default: 50.
    #[must_use]
    pub fn write_buffer_percent(mut self, percent: usize) -> Self {
        self.write_buffer_percent = percent;
        self
    }

    /// Sets the size at which one table's unflushed writes are flushed, in bytes, at least 64 KiB.
    /// Default: 64 MiB, and never more than the write buffers' share of the memory budget.
    #[must_use]
    pub fn write_buffer_bytes(mut self, bytes: usize) -> Self {
        self.write_buffer_bytes = bytes;
        self
    }

    /// Sets the size of a block before compression, the unit of reading and caching, 1 KiB to 16
    /// MiB. Default: 16 KiB.
    #[must_use]
    pub fn block_bytes(mut self, bytes: usize) -> Self {
        self.block_bytes = bytes;
        self
    }

    /// Sets the size of the Bloom filters, which spare a `get` of an absent key its reads, 0 (none)
    /// to 100 bits a key. Default: 10, which lets one in a hundred through.
    #[must_use]
    pub fn bloom_bits_per_key(mut self, bits: usize) -> Self {
        self.bloom_bits_per_key = bits;
        self
    }

    /// Sets the compression of all levels but the last. Default: LZ4.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// Sets the compression of the last level, which holds about nine tenths of the data. Default:
    /// LZ4.
    #[must_use]
    pub fn bottommost_compression(mut self, compression: Compression) -> Self {
        self.bottommost_compression = compression;
        self
    }

    /// Sets the size of the files that compaction writes, in bytes, at least 64 KiB. Default: 64
    /// MiB.
    #[must_use]
    pub fn target_file_bytes(mut self, bytes: usize) -> Self {
        self.target_file_bytes = bytes;
        self
    }

    /// Sets the size of the first sorted level, in bytes, at least 64 KiB. Default: 256 MiB.
    #[must_use]
    pub fn level_base_bytes(mut self, bytes: usize) -> Self {
        self.level_base_bytes = bytes;
        self
    }

    /// Sets how far compaction reads ahead, in bytes, at most 1 GiB. Default: 2 MiB.
    #[must_use]
    pub fn compaction_readahead_bytes(mut self, bytes: usize) -> Self {
        self.compaction_readahead_bytes = bytes;
        self
    }

    /// Sets how many threads flush and compact, 1 to 1024; RocksDB shares them among all its
    /// databases in the process. Default: the number of cores, but 2 to 4.
    #[must_use]
    pub fn background_jobs(mut self, jobs: usize) -> Self {
        self.background_jobs = jobs;
        self
    }

    /// Sets how many files are held open, at least 64; `None` for all of them, which is the default
    /// and fastest, and takes a file descriptor for every 64 MiB of state.
    #[must_use]
    pub fn max_open_files(mut self, files: Option<usize>) -> Self {
        self.max_open_files = files;
        self
    }

    /// Sets how many range deletions a table takes before it is flushed; 0 for no limit. Default:
    /// 1000.
    ///
    /// A read that follows a range deletion sorts all those that are unflushed: without a limit,
    /// clearing 200,000 maps by range makes it 60 ms long.
    #[must_use]
    pub fn memtable_max_range_deletions(mut self, deletions: usize) -> Self {
        self.memtable_max_range_deletions = deletions;
        self
    }

    /// Adds options in RocksDB's own names and form, `name=value;name={nested=value}`. They win
    /// over everything else here, the last one of a name over the earlier.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](keyed_state_core::ErrorKind::InvalidArgument), naming the option, if
    /// RocksDB does not accept it (its message is the source) or if it would break what an engine
    /// promises: `comparator`, `inplace_update_support`, `best_efforts_recovery` and the FIFO
    /// `compaction_style`.
    pub fn rocksdb_options(mut self, options: &str) -> Result<Self> {
        for (name, value) in text::assignments("rocksdb_options", options)? {
            self.add_native(name, value)?;
        }
        Ok(self)
    }

    pub(crate) fn add_native(&mut self, name: &str, value: &str) -> Result<()> {
        text::check_native(name, value)?;
        differences::with_native_option(&mut rocksdb::Options::default(), name, value)?;
        self.native.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Checks that every number lies where its setter says.
    pub(crate) fn check(&self) -> Result<()> {
        const MAX: usize = isize::MAX.unsigned_abs();
        let numbers = [
            ("memory_budget_bytes", self.memory_budget_bytes, 1 << 20, MAX),
            ("write_buffer_percent", self.write_buffer_percent, 10, 90),
            ("write_buffer_bytes", self.write_buffer_bytes, 64 << 10, MAX),
            ("block_bytes", self.block_bytes, 1 << 10, 16 << 20),
            ("bloom_bits_per_key", self.bloom_bits_per_key, 0, 100),
            ("target_file_bytes", self.target_file_bytes, 64 << 10, MAX),
            ("level_base_bytes", self.level_base_bytes, 64 << 10, MAX),
            ("compaction_readahead_bytes", self.compaction_readahead_bytes, 0, 1 << 30),
            ("background_jobs", self.background_jobs, 1, 1024),
            ("max_open_files", self.max_open_files.unwrap_or(64), 64, 1 << 30),
            ("memtable_max_range_deletions", self.memtable_max_range_deletions, 0, 1 << 30),
        ];
        for (key, value, min, max) in numbers {
            text::check_number(key, value, min..=max)?;
        }
        Ok(())
    }
}
