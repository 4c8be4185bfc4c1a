//! What the scenarios share.
#![allow(dead_code, reason = "every scenario uses its part of it")]
#![allow(clippy::unwrap_used, reason = "a helper that fails fails the test")]

use keyed_state_core::{Cursor, Direction, Engine, Error, ErrorKind, KeyRange, Result, TableId};
use keyed_state_rocksdb::{RocksConfig, RocksEngine};
use std::path::Path;

pub(crate) type Entry = (Vec<u8>, Vec<u8>);

/// Small enough that opening costs little and files are many.
pub(crate) fn config() -> RocksConfig {
    RocksConfig::new().memory_budget_bytes(8 << 20).background_jobs(2)
}

pub(crate) fn open(path: &Path) -> RocksEngine {
    RocksEngine::open(path, &config()).unwrap()
}

pub(crate) fn reopen(engine: RocksEngine) -> RocksEngine {
    let path = engine.path().to_owned();
    close(engine);
    open(&path)
}

pub(crate) fn close(engine: RocksEngine) {
    Box::new(engine).close().unwrap();
}

pub(crate) fn get(engine: &RocksEngine, table: TableId, key: &[u8]) -> Option<Vec<u8>> {
    let mut found = None;
    let there = engine.get(table, key, &mut |value| found = Some(value.to_vec())).unwrap();
    assert_eq!(there, found.is_some());
    found
}

pub(crate) fn collect(cursor: &mut dyn Cursor) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    while let Some((key, value)) = cursor.next()? {
        entries.push((key.to_vec(), value.to_vec()));
    }
    assert_eq!(cursor.next()?, None, "an exhausted cursor stays exhausted");
    Ok(entries)
}

pub(crate) fn scan(
    engine: &RocksEngine,
    table: TableId,
    range: KeyRange<'_>,
    direction: Direction,
) -> Vec<Entry> {
    collect(&mut *engine.scan(table, range, direction).unwrap()).unwrap()
}

pub(crate) fn all_keys(engine: &RocksEngine, table: TableId) -> Vec<Vec<u8>> {
    scan(engine, table, KeyRange::ALL, Direction::Forward).into_iter().map(|(key, _)| key).collect()
}

#[track_caller]
pub(crate) fn refused<T: std::fmt::Debug>(result: Result<T>, kind: ErrorKind) -> Error {
    let error = result.expect_err("expected a refusal");
    assert_eq!(error.kind(), kind, "{error:?}");
    error
}

/// The files of `path` whose names end with `suffix`, sorted.
pub(crate) fn files(path: &Path, suffix: &str) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries
        .filter(|path| path.file_name().unwrap().to_string_lossy().ends_with(suffix))
        .collect();
    found.sort();
    found
}

/// The text of the newest file of options that RocksDB wrote.
pub(crate) fn stored_options(path: &Path) -> String {
    let mut files: Vec<_> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("OPTIONS-"))
        .collect();
    files.sort();
    std::fs::read_to_string(files.last().expect("a file OPTIONS-…")).unwrap()
}

/// The part of `options` about column family `name`, its table factory included.
pub(crate) fn family_options<'a>(options: &'a str, name: &str) -> &'a str {
    let start = options.find(&format!("[CFOptions \"{name}\"]")).expect("the column family");
    let part = &options[start..];
    let end = part[1..].find("[CFOptions ").map_or(part.len(), |end| end + 1);
    &part[..end]
}
