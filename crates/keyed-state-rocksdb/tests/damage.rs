//! Damaged files are errors that have `RocksDB`'s own as source, never a panic and never a shorter
//! answer.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails the test")]

mod support;

use std::{fs, path::Path};

use keyed_state_core::{Cursor, Direction, Engine, Error, ErrorKind, KeyRange, Result};
use keyed_state_rocksdb::RocksEngine;
use support::{close, config, files, open, refused};

const ROWS: u32 = 5_000;

fn fill(path: &Path) {
    let mut engine = open(path);
    let table = engine.open_table("t").unwrap();
    for n in 0..ROWS {
        engine.put(table, &n.to_be_bytes(), &n.to_le_bytes().repeat(10)).unwrap();
    }
    close(engine);
}

fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= 0xFF;
    fs::write(path, bytes).unwrap();
}

fn engine_error(error: &Error) -> String {
    std::error::Error::source(error).expect("the engine's error is the source").to_string()
}

/// FLINK-26852: an iterator that failed was taken for one at its end, and a savepoint lacked the
/// rest.
#[test]
fn a_scan_over_a_damaged_block_is_no_short_scan() {
    let directory = tempfile::tempdir().unwrap();
    fill(directory.path());
    let file = files(directory.path(), ".sst").remove(0);
    let middle = fs::metadata(&file).unwrap().len() / 2;
    flip(&file, usize::try_from(middle).unwrap());

    let mut engine = open(directory.path());
    let table = engine.open_table("t").unwrap();
    for direction in [Direction::Forward, Direction::Reverse] {
        let mut cursor = engine.scan(table, KeyRange::ALL, direction).unwrap();
        let (count, error) = walk(&mut *cursor).expect_err("the block is damaged");
        assert!(count > 0 && count < ROWS, "{count} rows came before the damage");
        assert_eq!(error.kind(), ErrorKind::Storage);
        assert!(error.to_string().contains("scan table \"t\""), "{error}");
        assert!(engine_error(&error).starts_with("Corruption"), "{error:?}");
        assert_eq!(cursor.next().unwrap(), None, "after an error it is exhausted");
    }
    let failed = (0..ROWS)
        .filter_map(|n| engine.get(table, &n.to_be_bytes(), &mut |_| ()).err())
        .inspect(|error| assert_eq!(error.kind(), ErrorKind::Storage))
        .count();
    assert!(failed > 0, "no get saw the damage");
    let error = refused(engine.compact(), ErrorKind::Storage);
    assert!(engine_error(&error).starts_with("Corruption"), "{error:?}");
    // No acknowledged write is lost silently: what follows fails too.
    engine.put(table, b"k", b"v").and_then(|()| engine.flush()).unwrap_err();
}

fn walk(cursor: &mut dyn Cursor) -> Result<u32, (u32, Error)> {
    let mut count = 0;
    loop {
        match cursor.next() {
            Ok(Some(_)) => count += 1,
            Ok(None) => return Ok(count),
            Err(error) => return Err((count, error)),
        }
    }
}

#[test]
fn a_table_file_cut_short() {
    let directory = tempfile::tempdir().unwrap();
    fill(directory.path());
    let file = files(directory.path(), ".sst").remove(0);
    let len = fs::metadata(&file).unwrap().len();
    fs::File::options().write(true).open(&file).unwrap().set_len(len / 2).unwrap();
    let error = refused(RocksEngine::open(directory.path(), &config()), ErrorKind::Storage);
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    assert!(engine_error(&error).contains(&name), "{error:?}");
}

#[test]
fn a_missing_table_file() {
    let directory = tempfile::tempdir().unwrap();
    fill(directory.path());
    fs::remove_file(files(directory.path(), ".sst").remove(0)).unwrap();
    refused(RocksEngine::open(directory.path(), &config()), ErrorKind::Storage);
}

#[test]
fn a_damaged_manifest() {
    let directory = tempfile::tempdir().unwrap();
    fill(directory.path());
    let current = fs::read_to_string(directory.path().join("CURRENT")).unwrap();
    let manifest = directory.path().join(current.trim());
    let whole = fs::read(&manifest).unwrap();
    for at in [0, whole.len() / 2] {
        flip(&manifest, at);
        let error = refused(RocksEngine::open(directory.path(), &config()), ErrorKind::Storage);
        assert!(engine_error(&error).starts_with("Corruption"), "{error:?}");
        fs::write(&manifest, &whole).unwrap();
    }
    fs::remove_file(&manifest).unwrap();
    refused(RocksEngine::open(directory.path(), &config()), ErrorKind::Storage);
    fs::write(&manifest, &whole).unwrap();
    close(open(directory.path()));
}

#[test]
fn a_damaged_current_file() {
    let directory = tempfile::tempdir().unwrap();
    fill(directory.path());
    for text in ["", "MANIFEST-0000", "nonsense\n"] {
        fs::write(directory.path().join("CURRENT"), text).unwrap();
        refused(RocksEngine::open(directory.path(), &config()), ErrorKind::Storage);
    }
}
