//! Keys, values, names and ids: the limits hold, and nothing is written beyond them.

mod support;

use keyed_state_core::{
    Direction, Engine, ErrorKind, KeyRange, MAX_KEY_BYTES, MAX_TABLE_NAME_BYTES, TableId,
    WriteBatch,
};
use support::{all_keys, close, get, open, refused, reopen};

#[test]
fn an_empty_or_overlong_key() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    let table = engine.open_table("t").unwrap();
    let overlong = vec![0; MAX_KEY_BYTES + 1];
    for key in [&[][..], &overlong] {
        refused(engine.get(table, key, &mut |_| ()), ErrorKind::InvalidArgument);
        refused(engine.put(table, key, b""), ErrorKind::InvalidArgument);
        refused(engine.delete(table, key), ErrorKind::InvalidArgument);
        let mut batch = WriteBatch::new();
        batch.put(table, b"good", b"");
        batch.put(table, key, b"");
        refused(engine.write(&batch), ErrorKind::InvalidArgument);
    }
    assert!(all_keys(&engine, table).is_empty());
}

#[test]
fn a_table_that_was_not_opened() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    engine.open_table("stored").unwrap();
    let mut engine = reopen(engine);
    let (unknown, known) = (TableId(1), TableId(0));
    refused(engine.get(known, b"k", &mut |_| ()), ErrorKind::UnknownState);
    assert_eq!(engine.open_table("t").unwrap(), known);
    refused(engine.get(unknown, b"k", &mut |_| ()), ErrorKind::UnknownState);
    refused(engine.put(unknown, b"k", b""), ErrorKind::UnknownState);
    refused(engine.delete(unknown, b"k"), ErrorKind::UnknownState);
    refused(engine.delete_range(unknown, KeyRange::ALL), ErrorKind::UnknownState);
    refused(engine.table_property(unknown, "rocksdb.stats"), ErrorKind::UnknownState);
    let scan = engine.scan(unknown, KeyRange::ALL, Direction::Forward);
    refused(scan.map(|_| ()), ErrorKind::UnknownState);
    let mut batch = WriteBatch::new();
    batch.put(known, b"k", b"");
    batch.put(unknown, b"k", b"");
    refused(engine.write(&batch), ErrorKind::UnknownState);
    assert_eq!(get(&engine, known, b"k"), None, "half a batch was written");
}

#[test]
fn table_names() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    let longest = "x".repeat(MAX_TABLE_NAME_BYTES);
    let names = ["a", "A", "0", "-._", "default", longest.as_str()];
    let tables = names.map(|name| engine.open_table(name).unwrap());
    for (table, name) in tables.into_iter().zip(names) {
        assert_eq!(engine.open_table(name).unwrap(), table, "the same name, the same id");
        engine.put(table, b"name", name.as_bytes()).unwrap();
    }
    let overlong = "x".repeat(MAX_TABLE_NAME_BYTES + 1);
    for name in ["", "a b", "é", "a/b", "nul\0", "=default", overlong.as_str()] {
        refused(engine.open_table(name), ErrorKind::InvalidArgument);
    }
    let mut engine = reopen(engine);
    for name in names {
        let table = engine.open_table(name).unwrap();
        assert_eq!(get(&engine, table, b"name").unwrap(), name.as_bytes());
    }
    close(engine);
}

#[test]
fn large_and_empty_values() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    let table = engine.open_table("t").unwrap();
    let large: Vec<u8> = (0..1_u32 << 20).map(|n| n.to_le_bytes()[(n % 3) as usize]).collect();
    let longest_key = vec![0xFF; MAX_KEY_BYTES];
    for round in 0..20_u8 {
        engine.put(table, &[round], &large).unwrap();
    }
    engine.put(table, b"empty", b"").unwrap();
    engine.put(table, &longest_key, &large).unwrap();
    let engine = {
        let mut engine = reopen(engine);
        assert_eq!(engine.open_table("t").unwrap(), table);
        engine.compact().unwrap();
        engine
    };
    assert_eq!(get(&engine, table, &[19]).unwrap(), large);
    assert_eq!(get(&engine, table, b"empty").unwrap(), b"");
    assert_eq!(get(&engine, table, &longest_key).unwrap(), large);
    assert_eq!(all_keys(&engine, table).len(), 22);
}
