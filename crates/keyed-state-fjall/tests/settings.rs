//! Options as text, as they stand in a URL.

use keyed_state_core::ErrorKind;
use keyed_state_fjall::{Compression, FjallConfig};

#[test]
fn text_sets_what_the_builder_sets() {
    let mut config = FjallConfig::new();
    let options = [
        ("cache_bytes", "1GiB"),
        ("write_buffer_bytes", "3MiB"),
        ("journal_bytes", "67108864"),
        ("compression", "none"),
        ("bloom_bits_per_key", "12"),
        ("block_bytes", "16KiB"),
        ("worker_threads", "3"),
        ("max_open_files", "100"),
    ];
    for (key, value) in options {
        config.set(key, value).unwrap();
    }
    let expected = FjallConfig::default()
        .cache_bytes(1 << 30)
        .write_buffer_bytes(3 << 20)
        .journal_bytes(64 << 20)
        .compression(Compression::None)
        .bloom_bits_per_key(12)
        .block_bytes(16 << 10)
        .worker_threads(3)
        .max_open_files(100);
    assert_eq!(config, expected);
    config.set("compression", "lz4").unwrap();
    assert_eq!(config, expected.compression(Compression::Lz4));
    let known: Vec<_> = FjallConfig::options().iter().map(|(name, _)| *name).collect();
    assert_eq!(known, options.map(|(name, _)| name), "every option is listed and tested");
}

#[test]
fn an_unknown_option_is_refused_with_the_known_ones() {
    let error = FjallConfig::new().set("cache_byte", "1").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("\"cache_byte\""), "{error}");
    for (name, help) in FjallConfig::options() {
        assert!(error.to_string().contains(name), "{error}");
        assert!(!help.is_empty());
    }
}

#[test]
fn a_bad_value_is_refused_and_changes_nothing() {
    let bad = [
        ("cache_bytes", "", "64KiB"),
        ("cache_bytes", "-1", "64KiB"),
        ("cache_bytes", "+1", "64KiB"),
        ("cache_bytes", "12MB", "64KiB"),
        ("cache_bytes", "1.5GiB", "64KiB"),
        ("cache_bytes", "GiB", "64KiB"),
        ("cache_bytes", "99999999999GiB", "64KiB"),
        ("write_buffer_bytes", "1023KiB", "at least 1048576"),
        ("journal_bytes", "63MiB", "at least 67108864"),
        ("compression", "zstd", "none or lz4"),
        ("bloom_bits_per_key", "101", "0 to 100"),
        ("block_bytes", "1023", "1024 to 1048576"),
        ("block_bytes", "8GiB", "1024 to 1048576"),
        ("worker_threads", "0", "1 to 256"),
        ("worker_threads", "many", "a whole number"),
        ("max_open_files", "9", "at least 10"),
        ("max_open_files", "unlimited", "a whole number"),
    ];
    for (key, value, expected) in bad {
        let mut config = FjallConfig::new();
        let error = config.set(key, value).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{key}={value}");
        let message = error.to_string();
        assert!(message.contains(key) && message.contains(expected), "{message}");
        assert_eq!(config, FjallConfig::new());
    }
}
