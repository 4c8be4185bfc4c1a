//! The chapter "Choosing a backend" lists every option of every engine, and no other.

use std::collections::BTreeSet;

/// The names in the first column of the table under `heading`.
fn listed(heading: &str) -> BTreeSet<&'static str> {
    let (_, section) = include_str!("../src/backends.md").split_once(heading).expect("its heading");
    let rows = section.lines().skip_while(|line| !line.starts_with('|')).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .filter_map(|row| row.split('|').nth(1))
        .flat_map(|names| names.split('`').skip(1).step_by(2))
        .collect()
}

fn known(options: &'static [(&'static str, &'static str)]) -> BTreeSet<&'static str> {
    options.iter().map(|(name, _)| *name).collect()
}

#[test]
fn options_of_every_backend() {
    assert_eq!(
        listed("### Options of every backend\n"),
        BTreeSet::from([
            "clear",
            "clear_memory_bytes",
            "key_groups",
            "max_parallelism",
            "timer_memory_bytes"
        ])
    );
}

#[test]
fn options_of_fjall() {
    assert_eq!(listed("### Options of fjall\n"), known(keyed_state::fjall::FjallConfig::options()));
}

#[cfg(feature = "rocksdb")]
#[test]
fn options_of_rocksdb() {
    assert_eq!(
        listed("### Options of RocksDB\n"),
        known(keyed_state::rocksdb::RocksConfig::options())
    );
}
