//! There is no write-ahead log. What was flushed or closed is there again, in all tables.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails the test")]

mod support;

use std::fs;

use keyed_state_core::{Direction, Engine, KeyRange, WriteBatch};
use keyed_state_rocksdb::RocksEngine;
use support::{all_keys, close, files, get, open, reopen};

fn log_bytes(path: &std::path::Path) -> u64 {
    files(path, ".log").iter().map(|path| fs::metadata(path).unwrap().len()).sum()
}

#[test]
fn no_write_reaches_a_log() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    let table = engine.open_table("t").unwrap();
    let before = log_bytes(directory.path());
    let mut batch = WriteBatch::new();
    for n in 0..1_000_u32 {
        engine.put(table, &n.to_be_bytes(), &[7; 100]).unwrap();
        engine.delete(table, &(n / 2).to_be_bytes()).unwrap();
        batch.put(table, &n.to_le_bytes(), &[8; 100]);
    }
    engine.write(&batch).unwrap();
    engine.delete_range(table, KeyRange::new(&[0, 1], Some(&[0, 2]))).unwrap();
    assert_eq!(log_bytes(directory.path()), before);
    engine.flush().unwrap();
    assert_eq!(log_bytes(directory.path()), before);
}

#[test]
fn close_keeps_every_table() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    for n in 0..20_u8 {
        let table = engine.open_table(&format!("table-{n}")).unwrap();
        engine.put(table, b"n", &[n]).unwrap();
    }
    let mut engine = reopen(engine);
    for n in (0..20_u8).rev() {
        let table = engine.open_table(&format!("table-{n}")).unwrap();
        assert_eq!(get(&engine, table, b"n").unwrap(), [n]);
    }
    // A table that nobody opens this time is not lost for it.
    let mut engine = reopen(engine);
    engine.open_table("table-0").unwrap();
    engine.compact().unwrap();
    let mut engine = reopen(engine);
    let table = engine.open_table("table-7").unwrap();
    assert_eq!(get(&engine, table, b"n").unwrap(), [7]);
}

#[test]
fn dropping_loses_what_was_not_flushed_in_all_tables_alike() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    let tables = ["a", "b"].map(|name| engine.open_table(name).unwrap());
    for table in tables {
        engine.put(table, b"flushed", b"").unwrap();
    }
    engine.flush().unwrap();
    for table in tables {
        engine.put(table, b"unflushed", b"").unwrap();
    }
    drop(engine);
    let mut engine = open(directory.path());
    for name in ["a", "b"] {
        let table = engine.open_table(name).unwrap();
        assert_eq!(all_keys(&engine, table), [b"flushed"], "table {name}");
    }
}

#[test]
fn compaction_gives_the_room_back() {
    let directory = tempfile::tempdir().unwrap();
    // RocksDB's own compactions would get there too, at a time of their choice.
    let config = support::config().rocksdb_options("disable_auto_compactions=true").unwrap();
    let open = || RocksEngine::open(directory.path(), &config).unwrap();
    let mut engine = open();
    let tables = ["points", "range", "tombstones"].map(|name| engine.open_table(name).unwrap());
    // Pseudo-random, so that it does not compress.
    let mut state = 1_u64;
    let mut noise = || {
        let bytes = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_be_bytes()[0]
        });
        bytes.take(1_000).collect::<Vec<_>>()
    };
    for n in 0..4_000_u32 {
        engine.put(tables[0], &n.to_be_bytes(), &noise()).unwrap();
        engine.put(tables[1], &n.to_be_bytes(), &noise()).unwrap();
        engine.delete(tables[2], &n.to_be_bytes()).unwrap();
    }
    engine.flush().unwrap();
    let bytes = || -> u64 {
        files(directory.path(), ".sst").iter().map(|path| fs::metadata(path).unwrap().len()).sum()
    };
    assert!(bytes() > 7_000_000);
    for n in 1..4_000_u32 {
        engine.delete(tables[0], &n.to_be_bytes()).unwrap();
    }
    engine.delete_range(tables[1], KeyRange::new(&[0, 0, 0, 1], None)).unwrap();
    close(engine);

    // Of the three tables only one is open when they are compacted.
    let mut engine = open();
    let table = engine.open_table("points").unwrap();
    engine.compact().unwrap();
    assert_eq!(files(directory.path(), ".sst").len(), 2, "one row each is left of two tables");
    assert!(bytes() < 10_000, "{} bytes are left", bytes());
    assert_eq!(support::scan(&engine, table, KeyRange::ALL, Direction::Forward).len(), 1);
    close(engine);
}
