use keyed_state_core::Result;
use rocksdb::{
    BlockBasedOptions, Cache, DBCompressionType, LruCacheOptions, Options, ReadOptions,
    WriteOptions,
};

use crate::{Compression, RocksConfig, differences};

/// Four shards.
const CACHE_SHARD_BITS: i32 = 2;

/// Translates `config` into the options of a database and of each of its column families.
pub(crate) fn database(config: &RocksConfig) -> Result<Options> {
    config.check()?;
    let mut options = Options::default();
    let write_buffers_bytes = config.memory_budget_bytes / 100 * config.write_buffer_percent;

    // One budget: what memtables take is taken from the block cache.
    let cache = Cache::new_lru_cache_opts(&cache(config));
    options.set_block_based_table_factory(&blocks(config, &cache));
    differences::limit_write_buffers(&mut options, write_buffers_bytes, cache);
    options.set_write_buffer_size(config.write_buffer_bytes.min(write_buffers_bytes));
    // A memtable takes memory in steps of this size. By default they are so large that a few dozen
    // states in a small budget flush at every write (FLINK-19238).
    options.set_arena_block_size((write_buffers_bytes / 128).clamp(4 << 10, 1 << 20));
    options.set_max_write_buffer_number(3);

    // Without a log, this is what keeps the tables of one age.
    options.set_atomic_flush(true);
    options.set_max_background_jobs(int(config.background_jobs));
    options.set_max_open_files(config.max_open_files.map_or(-1, int));
    options.set_compaction_readahead_size(config.compaction_readahead_bytes);
    options.set_bytes_per_sync(1 << 20);
    // The engine's own log, of which RocksDB would keep a thousand files.
    options.set_keep_log_file_num(4);
    options.set_max_log_file_size(16 << 20);

    options.set_compression_type(compression(config.compression));
    options.set_bottommost_compression_type(compression(config.bottommost_compression));
    options.set_level_compaction_dynamic_level_bytes(true);
    options.set_target_file_size_base(config.target_file_bytes as u64);
    options.set_max_bytes_for_level_base(config.level_base_bytes as u64);

    options = differences::without_setter(options, config)?;
    for (name, value) in &config.native {
        options = differences::with_native_option(&mut options, name, value)?;
    }
    Ok(options)
}

/// In few shards: a filter of megabytes must fit into one, beside the write buffers that are charged to it, or it is read anew for each
/// `get`. Many would serve many threads, and there is one.
fn cache(config: &RocksConfig) -> LruCacheOptions {
    let mut cache = LruCacheOptions::default();
    cache.set_capacity(config.memory_budget_bytes);
    cache.set_num_shard_bits(CACHE_SHARD_BITS);
    cache
}

fn blocks(config: &RocksConfig, cache: &Cache) -> BlockBasedOptions {
    let mut blocks = BlockBasedOptions::default();
    blocks.set_block_cache(cache);
    blocks.set_block_size(config.block_bytes);
    // Indexes and filters in the cache, lest they grow beside the budget; those of the youngest
    // files stay, since every read asks them.
    blocks.set_cache_index_and_filter_blocks(true);
    blocks.set_pin_l0_filter_and_index_blocks_in_cache(true);
    if config.bloom_bits_per_key > 0 {
        blocks.set_bloom_filter(f64::from(int(config.bloom_bits_per_key)), false);
    }
    blocks
}

fn compression(compression: Compression) -> DBCompressionType {
    match compression {
        Compression::None => DBCompressionType::None,
        Compression::Lz4 => DBCompressionType::Lz4,
        Compression::Zstd => DBCompressionType::Zstd,
    }
}

fn int(number: usize) -> i32 {
    i32::try_from(number).expect("the configuration was checked")
}

/// Returns the options of every write: there is no write-ahead log, checkpoints take its place.
pub(crate) fn write() -> WriteOptions {
    let mut options = WriteOptions::default();
    options.disable_wal(true);
    options
}

/// Returns the options of a scan from `start` up to `end`, which RocksDB keeps a copy of.
pub(crate) fn scan(start: &[u8], end: Option<&[u8]>) -> ReadOptions {
    let mut options = ReadOptions::default();
    // A prefix extractor, which may be among the user's own options, must not cost a scan its
    // entries.
    options.set_total_order_seek(true);
    options.set_iterate_lower_bound(start);
    if let Some(end) = end {
        options.set_iterate_upper_bound(end);
    }
    options
}
