//! What the configuration says is what `RocksDB` does: its own file of options is the witness.

mod support;

use keyed_state_core::{Engine, ErrorKind};
use keyed_state_rocksdb::{Compression, Preset, RocksConfig, RocksEngine};
use support::{close, family_options, open, refused, reopen, stored_options};

#[test]
fn the_defaults_reach_every_column_family() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    engine.open_table("early").unwrap();
    let mut engine = reopen(engine);
    engine.open_table("late").unwrap();
    let options = stored_options(directory.path());
    for line in ["atomic_flush=true", "avoid_flush_during_shutdown=true", "max_open_files=-1"] {
        assert!(options.contains(line), "{line}");
    }
    for family in ["default", "early", "late"] {
        let options = family_options(&options, family);
        for line in [
            "memtable_max_range_deletions=1000",
            "level_compaction_dynamic_level_bytes=true",
            "compression=kLZ4Compression",
            "filter_policy=bloomfilter",
            "block_size=16384",
            "cache_index_and_filter_blocks=true",
            "whole_key_filtering=true",
        ] {
            assert!(options.contains(line), "{family}: {line} is not in {options}");
        }
    }
}

#[test]
fn typed_and_textual_settings_reach_the_database() {
    let directory = tempfile::tempdir().unwrap();
    let mut config = RocksConfig::new()
        .write_buffer_bytes(3 << 20)
        .compression(Compression::None)
        .max_open_files(Some(500))
        .rocksdb_options("max_subcompactions=3; compression_opts={level=4;strategy=1}")
        .unwrap();
    for (key, value) in [
        ("memory_budget_bytes", "32MiB"),
        ("block_bytes", "8KiB"),
        ("bloom_bits_per_key", "14"),
        ("bottommost_compression", "zstd"),
        ("memtable_max_range_deletions", "77"),
        ("level_base_bytes", "33554432"),
        ("cf.ttl", "86400"),
        ("cf.block_based_table_factory", "{block_restart_interval=8}"),
    ] {
        config.set(key, value).unwrap();
    }
    let mut engine = RocksEngine::open(directory.path(), &config).unwrap();
    engine.open_table("t").unwrap();
    let options = stored_options(directory.path());
    for line in ["max_open_files=500", "max_subcompactions=3"] {
        assert!(options.contains(line), "{line}");
    }
    let options = family_options(&options, "t");
    for line in [
        "write_buffer_size=3145728",
        "compression=kNoCompression",
        "bottommost_compression=kZSTD",
        "memtable_max_range_deletions=77",
        "max_bytes_for_level_base=33554432",
        "block_size=8192",
        "block_restart_interval=8",
        "ttl=86400",
    ] {
        assert!(options.contains(line), "{line} is not in {options}");
    }
    let capacity = engine.property("rocksdb.block-cache-capacity").unwrap();
    assert_eq!(capacity.as_deref(), Some("33554432"), "a nested option keeps the shared cache");
    close(engine);
}

#[test]
fn filters_have_the_bits_they_are_given() {
    let directory = tempfile::tempdir().unwrap();
    let config = RocksConfig::new().bloom_bits_per_key(16);
    let mut engine = RocksEngine::open(directory.path(), &config).unwrap();
    let table = engine.open_table("t").unwrap();
    for n in 0..8_000_u32 {
        engine.put(table, &n.to_be_bytes(), b"").unwrap();
    }
    engine.flush().unwrap();
    let properties = engine.table_property(table, "rocksdb.aggregated-table-properties").unwrap();
    let properties = properties.unwrap();
    let size = properties.split("; ").find_map(|part| part.strip_prefix("filter block size="));
    let bits = size.unwrap().parse::<u32>().unwrap() * 8 / 8_000;
    assert_eq!(bits, 16, "{properties}");
}

#[test]
fn no_filters_if_no_bits() {
    let directory = tempfile::tempdir().unwrap();
    let config = RocksConfig::new().bloom_bits_per_key(0);
    let mut engine = RocksEngine::open(directory.path(), &config).unwrap();
    engine.open_table("t").unwrap();
    assert!(stored_options(directory.path()).contains("filter_policy=nullptr"));
}

#[test]
fn presets_open_and_differ() {
    let mut seen = Vec::new();
    for preset in Preset::ALL {
        let config = RocksConfig::preset(preset.name()).unwrap();
        assert_eq!(config, RocksConfig::from(preset));
        assert_eq!(preset.to_string(), preset.name());
        let mut set = RocksConfig::new().block_bytes(12345);
        set.set("preset", preset.name()).unwrap();
        assert_eq!(config, set, "a preset stands for all that came before");
        let directory = tempfile::tempdir().unwrap();
        close(RocksEngine::open(directory.path(), &config).unwrap());
        assert!(!seen.contains(&config), "{preset}");
        seen.push(config);
    }
    assert_eq!(RocksConfig::new(), RocksConfig::preset("default").unwrap());
    let error = refused(RocksConfig::preset("fast"), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("default, hard_disk, hard_disk_high_memory, flash"));
}

#[test]
fn every_listed_option_is_known() {
    let examples = [
        ("preset", "flash"),
        ("compression", "none"),
        ("bottommost_compression", "zstd"),
        ("write_buffer_percent", "40"),
        ("memory_budget_bytes", "1GiB"),
        ("max_open_files", "unlimited"),
        ("rocksdb_options", "max_background_jobs=3"),
    ];
    for (name, help) in RocksConfig::options() {
        let example = examples.iter().find(|(key, _)| key == name);
        let value = example.map_or(if name.ends_with("_bytes") { "64KiB" } else { "8" }, |e| e.1);
        let name = name.replace("db.NAME", "db.max_subcompactions");
        let name = name.replace("cf.NAME", "cf.max_write_buffer_number");
        RocksConfig::new().set(&name, value).unwrap();
        assert!(!help.is_empty() && !help.ends_with('.'), "{help}");
    }
}

#[test]
fn bad_text_names_key_value_and_expectation() {
    for (key, value, expected) in [
        ("memory_budget_bytes", "lots", "a size in bytes"),
        ("memory_budget_bytes", "", "a size in bytes"),
        ("memory_budget_bytes", "+1MiB", "a size in bytes"),
        ("memory_budget_bytes", "-1", "a size in bytes"),
        ("memory_budget_bytes", "1.5GiB", "a size in bytes"),
        ("memory_budget_bytes", "64MB", "64KiB, 256MiB or 2GiB"),
        ("memory_budget_bytes", "99999999999GiB", "a size in bytes"),
        ("memory_budget_bytes", "8KiB", "at least 1048576"),
        ("write_buffer_percent", "95", "10 to 90"),
        ("bloom_bits_per_key", "many", "a whole number"),
        ("compression", "snappy", "none, lz4 or zstd"),
        ("max_open_files", "3", "64 to "),
        ("preset", "slow", "hard_disk_high_memory"),
        ("rocksdb_options", "max_background_jobs", "name=value"),
        ("rocksdb_options", "no_such_option=1", "no_such_option=1"),
        ("db.max_background_jobs", "four", "max_background_jobs=four"),
        ("db.max_background_jobs", "4;comparator=x", "one value"),
        ("cf.comparator", "leveldb.BytewiseComparator", "unsigned bytes"),
        ("cf.compaction_style", "kCompactionStyleFIFO", "never dropped"),
        ("db.", "", "RocksDB does not take"),
        ("db.x\0", "1", "RocksDB does not take"),
    ] {
        let mut config = RocksConfig::new();
        let error = refused(config.set(key, value), ErrorKind::InvalidArgument);
        let message = error.to_string();
        assert!(message.contains(expected), "{key}={value}: {message}");
        assert_eq!(config, RocksConfig::new(), "the configuration stays as it was");
    }
    let mut config = RocksConfig::new();
    let message = refused(config.set("colour", "red"), ErrorKind::InvalidArgument).to_string();
    assert!(message.contains("\"colour\"") && message.contains("memory_budget_bytes"), "{message}");
    let error = refused(config.set("db.no_such_option", "1"), ErrorKind::InvalidArgument);
    let source = std::error::Error::source(&error).expect("RocksDB's own message");
    assert!(source.to_string().contains("no_such_option"), "{source}");
}
