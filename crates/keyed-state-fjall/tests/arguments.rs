//! Bad arguments are errors where fjall would panic.
#![allow(clippy::unwrap_used, reason = "an error here is a failed test")]

mod support;

use keyed_state_core::{
    Capabilities, Direction, Engine, ErrorKind, KeyRange, MAX_KEY_BYTES, Result, TableId,
};
use support::{all, close, get, open};

fn kind<T>(result: Result<T>) -> ErrorKind {
    result.map(drop).unwrap_err().kind()
}

#[test]
fn keys_have_1_to_65534_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    for key in [vec![], vec![1; MAX_KEY_BYTES + 1]] {
        assert_eq!(kind(engine.put(table, &key, b"")), ErrorKind::InvalidArgument);
        assert_eq!(kind(engine.delete(table, &key)), ErrorKind::InvalidArgument);
        assert_eq!(kind(engine.get(table, &key, &mut |_| ())), ErrorKind::InvalidArgument);
    }
    let longest = vec![1; MAX_KEY_BYTES];
    engine.put(table, &longest, b"v").unwrap();
    engine.compact().unwrap();
    assert_eq!(get(&engine, table, &longest).unwrap(), b"v");
    engine.delete(table, &longest).unwrap();
    assert!(all(&engine, table).is_empty());
    close(engine);
}

#[test]
fn bounds_of_scans_have_at_most_65534_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    let (longest, too_long) = (vec![1; MAX_KEY_BYTES], vec![1; MAX_KEY_BYTES + 1]);
    for range in [KeyRange::new(&too_long, None), KeyRange::new(&[], Some(&too_long))] {
        assert_eq!(kind(engine.scan(table, range, Direction::Forward)), ErrorKind::InvalidArgument);
        assert_eq!(kind(engine.delete_range(table, range)), ErrorKind::InvalidArgument);
    }
    engine.delete_range(table, KeyRange::new(&longest, Some(&longest))).unwrap();
    engine.delete_range(table, KeyRange::new(&[], Some(&longest))).unwrap();
    close(engine);
}

#[test]
fn names_of_tables_have_1_to_255_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    assert_eq!(kind(engine.open_table("")), ErrorKind::InvalidArgument);
    assert_eq!(kind(engine.open_table(&"n".repeat(256))), ErrorKind::InvalidArgument);
    engine.open_table(&"n".repeat(255)).unwrap();
    close(engine);
}

#[test]
fn a_table_id_that_was_not_issued_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    engine.open_table("t").unwrap();
    let table = TableId(1);
    assert_eq!(kind(engine.put(table, b"k", b"")), ErrorKind::UnknownState);
    assert_eq!(kind(engine.delete(table, b"k")), ErrorKind::UnknownState);
    assert_eq!(kind(engine.get(table, b"k", &mut |_| ())), ErrorKind::UnknownState);
    assert_eq!(kind(engine.delete_range(table, KeyRange::ALL)), ErrorKind::UnknownState);
    assert_eq!(
        kind(engine.scan(table, KeyRange::ALL, Direction::Forward)),
        ErrorKind::UnknownState
    );
    close(engine);
}

#[test]
fn declares_what_it_offers() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    let expected = Capabilities {
        durable: true,
        native_delete_range: true,
        compact: true,
        compaction_filter: true,
        ..Capabilities::default()
    };
    assert_eq!(engine.capabilities(), expected);
    close(engine);
}
