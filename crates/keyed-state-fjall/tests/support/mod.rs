//! What the tests share.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::{fs, path::Path};

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
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let metadata = entry.metadata().unwrap();
            if metadata.is_dir() { disk_bytes(&entry.path()) } else { metadata.len() }
        })
        .sum()
}

pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
