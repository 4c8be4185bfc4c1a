//! What the tests share.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use keyed_state_core::{Direction, Engine, KeyRange, TableId};
use keyed_state_fjall::{FjallConfig, FjallEngine};

pub(crate) type Entry = (Vec<u8>, Vec<u8>);

/// Small enough for many engines at once.
pub(crate) fn config() -> FjallConfig {
    FjallConfig::new().cache_bytes(1 << 20).worker_threads(1)
}

pub(crate) fn open(path: &Path) -> FjallEngine {
    FjallEngine::open(path, &config()).unwrap()
}

pub(crate) fn close(engine: FjallEngine) {
    Box::new(engine).close().unwrap();
}

pub(crate) fn get(engine: &FjallEngine, table: TableId, key: &[u8]) -> Option<Vec<u8>> {
    let mut found = None;
    let is_there = engine.get(table, key, &mut |value| found = Some(value.to_vec())).unwrap();
    assert_eq!(is_there, found.is_some());
    found
}

pub(crate) fn scan(
    engine: &FjallEngine,
    table: TableId,
    range: KeyRange<'_>,
    direction: Direction,
) -> Vec<Entry> {
    let mut cursor = engine.scan(table, range, direction).unwrap();
    let mut entries = Vec::new();
    while let Some((key, value)) = cursor.next().unwrap() {
        entries.push((key.to_vec(), value.to_vec()));
    }
    assert!(cursor.next().unwrap().is_none(), "an exhausted cursor stays exhausted");
    entries
}

pub(crate) fn all(engine: &FjallEngine, table: TableId) -> Vec<Entry> {
    scan(engine, table, KeyRange::ALL, Direction::Forward)
}

/// Bytes of all files in `folder` and below.
pub(crate) fn disk_bytes(folder: &Path) -> u64 {
    files(folder).iter().map(|file| fs::metadata(file).map_or(0, |metadata| metadata.len())).sum()
}

/// Copies a database, without the zeros at the end of journals: fjall reserves 64 MiB.
pub(crate) fn copy_database(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_database(&entry.path(), &target);
        } else {
            fs::write(target, written(&entry.path())).unwrap();
        }
    }
}

/// The content of a file; of a journal, up to its last byte that is not zero.
pub(crate) fn written(file: &Path) -> Vec<u8> {
    let mut bytes = fs::read(file).unwrap();
    if file.extension().is_some_and(|extension| extension == "jnl") {
        let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        bytes.truncate(end);
    }
    bytes
}

/// All files in `folder` and below, in a fixed order.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            files.extend(self::files(&entry.path()));
        } else {
            files.push(entry.path());
        }
    }
    files.sort();
    files
}
