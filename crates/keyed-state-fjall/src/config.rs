use std::{path::Path, thread};

use fjall::{
    CompressionType, Database, DatabaseBuilder, KeyspaceCreateOptions,
    config::{
        BlockSizePolicy, BloomConstructionPolicy, CompressionPolicy, FilterPolicy,
        FilterPolicyEntry,
    },
};
use keyed_state_core::Result;

use crate::text::check_number;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// How the blocks of stored files are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all.
    None,
    /// LZ4 from the third level down, where nearly all data lies; the levels above are rewritten too
    /// soon to be worth it.
    #[default]
    Lz4,
}

/// Settings of a [`FjallEngine`](crate::FjallEngine).
///
/// Memory is bounded for the database as a whole, however many states it has: `cache_bytes` +
/// `write_buffer_bytes`, and on top of that the pinned parts of indexes and filters.
///
/// ```
/// use keyed_state_fjall::FjallConfig;
///
/// let mut config = FjallConfig::new().cache_bytes(256 << 20).worker_threads(2);
/// config.set("write_buffer_bytes", "64MiB")?;
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
///
/// Limits are checked when the engine is opened: a value outside is
/// [`InvalidArgument`](keyed_state_core::ErrorKind::InvalidArgument).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FjallConfig {
    pub(crate) cache_bytes: u64,
    pub(crate) write_buffer_bytes: u64,
    pub(crate) journal_bytes: u64,
    pub(crate) compression: Compression,
    pub(crate) bloom_bits_per_key: u64,
    pub(crate) block_bytes: u64,
    pub(crate) worker_threads: usize,
    pub(crate) max_open_files: usize,
}

impl Default for FjallConfig {
    fn default() -> Self {
        Self::new()
    }
}

impl FjallConfig {
    /// Returns the defaults, which suit one process with a few hundred megabytes to spare.
    #[must_use]
    pub fn new() -> Self {
        Self {
            cache_bytes: 64 * MIB,
            write_buffer_bytes: 128 * MIB,
            journal_bytes: 512 * MIB,
            compression: Compression::default(),
            bloom_bits_per_key: 10,
            block_bytes: 4096,
            worker_threads: thread::available_parallelism().map_or(1, usize::from).min(4),
            max_open_files: 900,
        }
    }

    /// Sets the size of the block cache of all states together. Default: 64 MiB.
    #[must_use]
    pub fn cache_bytes(mut self, bytes: u64) -> Self {
        self.cache_bytes = bytes;
        self
    }

    /// Sets how much of all states together is held in memtables: half of it being written to, half
    /// being written out. When the first half is full, the largest memtable is written out in the
    /// background; when both are, the writer waits. At least 1 MiB, default: 128 MiB. One write or batch
    /// may go beyond.
    #[must_use]
    pub fn write_buffer_bytes(mut self, bytes: u64) -> Self {
        self.write_buffer_bytes = bytes;
        self
    }

    /// Sets the size on disk from which old journals make states write out what only those hold. At
    /// least 64 MiB, default: 512 MiB.
    #[must_use]
    pub fn journal_bytes(mut self, bytes: u64) -> Self {
        self.journal_bytes = bytes;
        self
    }

    /// Sets the compression of states created from now on; existing ones keep theirs.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// Sets the size of the bloom filters of states created from now on, in bits a key; 0 for none to
    /// 100. Default: 10, about 1 % false positives, and more on the topmost level.
    #[must_use]
    pub fn bloom_bits_per_key(mut self, bits: u64) -> Self {
        self.bloom_bits_per_key = bits;
        self
    }

    /// Sets the size of data blocks of states created from now on, before compression. 1 KiB to 1 MiB,
    /// default: 4 KiB.
    #[must_use]
    pub fn block_bytes(mut self, bytes: u64) -> Self {
        self.block_bytes = bytes;
        self
    }

    /// Sets the number of threads that write memtables out and compact. 1 to 256, default: one a core, at
    /// most four.
    #[must_use]
    pub fn worker_threads(mut self, threads: usize) -> Self {
        self.worker_threads = threads;
        self
    }

    /// Sets how many files are kept open at most. At least 10, default: 900.
    #[must_use]
    pub fn max_open_files(mut self, files: usize) -> Self {
        self.max_open_files = files;
        self
    }

    /// Checks every limit, at some of which fjall would panic.
    pub(crate) fn check(&self) -> Result<()> {
        let limits = [
            ("write_buffer_bytes", self.write_buffer_bytes, MIB..=u64::MAX),
            ("journal_bytes", self.journal_bytes, 64 * MIB..=u64::MAX),
            ("bloom_bits_per_key", self.bloom_bits_per_key, 0..=100),
            ("block_bytes", self.block_bytes, KIB..=MIB),
            ("worker_threads", self.worker_threads as u64, 1..=256),
            ("max_open_files", self.max_open_files as u64, 10..=u64::MAX),
        ];
        limits.into_iter().try_for_each(|(key, value, range)| check_number(key, value, &range))
    }

    pub(crate) fn database(&self, path: &Path) -> DatabaseBuilder<Database> {
        Database::builder(path)
            .cache_size(self.cache_bytes)
            .max_cached_files(Some(self.max_open_files))
            .max_journaling_size(self.journal_bytes)
            .worker_threads(self.worker_threads)
            // The journal cannot be turned off; this is as cheap as it gets. Nothing is promised between
            // flushes, so it need reach neither the operating system nor the disk before.
            .manual_journal_persist(true)
            .journal_compression(CompressionType::None)
    }

    /// Call it on what [`check`](Self::check) has passed.
    pub(crate) fn keyspace(&self) -> KeyspaceCreateOptions {
        let bits_per_key =
            u8::try_from(self.bloom_bits_per_key).expect("checked to be at most 100");
        let block_bytes = u32::try_from(self.block_bytes).expect("checked to be at most 1 MiB");
        let compression = match self.compression {
            Compression::None => CompressionPolicy::disabled(),
            Compression::Lz4 => CompressionPolicy::new([
                CompressionType::None,
                CompressionType::None,
                CompressionType::Lz4,
            ]),
        };
        let filter = match bits_per_key {
            0 => FilterPolicy::disabled(),
            // Every miss asks the whole of level 0, so its filters are worth more bits.
            bits => FilterPolicy::new([
                FilterPolicyEntry::Bloom(BloomConstructionPolicy::FalsePositiveRate(0.0001)),
                FilterPolicyEntry::Bloom(BloomConstructionPolicy::BitsPerKey(bits.into())),
            ]),
        };
        KeyspaceCreateOptions::default()
            .manual_journal_persist(true)
            // `WriteBuffers` decides when to write out: fjall's own limit is one for each state.
            .max_memtable_size(u64::MAX)
            .data_block_compression_policy(compression)
            .data_block_size_policy(BlockSizePolicy::all(block_bytes))
            .filter_policy(filter)
    }
}
