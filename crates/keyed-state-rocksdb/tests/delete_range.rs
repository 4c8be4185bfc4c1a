//! `delete_range` takes exactly its range, whatever its bounds.

mod support;

use keyed_state_core::{Engine, ErrorKind, KeyRange, MAX_KEY_BYTES, TableId};
use support::{all_keys, get, open, refused, reopen};

#[test]
fn takes_the_start_and_leaves_the_end() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    let table = engine.open_table("t").unwrap();
    for key in [b"a", b"b", b"c", b"d"] {
        engine.put(table, key, b"").unwrap();
    }
    engine.delete_range(table, KeyRange::new(b"b", Some(b"d"))).unwrap();
    assert_eq!(all_keys(&engine, table), [b"a", b"d"]);
    engine.put(table, b"b", b"again").unwrap();
    assert_eq!(get(&engine, table, b"b").unwrap(), b"again");
}

#[test]
fn an_empty_or_inverted_range_deletes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    let table = engine.open_table("t").unwrap();
    engine.put(table, b"b", b"").unwrap();
    for range in [
        KeyRange::new(b"b", Some(b"b")),
        KeyRange::new(b"c", Some(b"a")),
        KeyRange::new(b"", Some(b"")),
    ] {
        engine.delete_range(table, range).unwrap();
        assert_eq!(all_keys(&engine, table), [b"b"], "{range:?}");
    }
    let unknown = engine.delete_range(TableId(7), KeyRange::new(b"c", Some(b"a")));
    refused(unknown, ErrorKind::UnknownState);
}

#[test]
fn a_range_without_end_reaches_the_greatest_key() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    let table = engine.open_table("t").unwrap();
    let neighbour = engine.open_table("u").unwrap();
    let greatest = vec![0xFF; MAX_KEY_BYTES];
    for key in [b"a".as_slice(), b"b", &[0xFF], &greatest] {
        engine.put(table, key, b"").unwrap();
        engine.put(neighbour, key, b"").unwrap();
    }
    engine.delete_range(table, KeyRange::new(b"b", None)).unwrap();
    assert_eq!(all_keys(&engine, table), [b"a"]);
    assert_eq!(all_keys(&engine, neighbour).len(), 4);

    engine.put(table, &greatest, b"later").unwrap();
    let mut engine = reopen(engine);
    let table = engine.open_table("t").unwrap();
    assert_eq!(get(&engine, table, &greatest).unwrap(), b"later");
    engine.compact().unwrap();
    assert_eq!(get(&engine, table, &greatest).unwrap(), b"later");
    engine.delete_range(table, KeyRange::ALL).unwrap();
    assert!(all_keys(&engine, table).is_empty());
}

/// A read sorts all unflushed range deletions, 60 ms with 200,000 of them. Bounded, a table is
/// flushed before they get there.
#[test]
fn many_range_deletions_flush_their_table() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    let table = engine.open_table("t").unwrap();
    for number in 0..2_500_u32 {
        let (start, end) = (number.to_be_bytes(), (number + 1).to_be_bytes());
        engine.delete_range(table, KeyRange::new(&start, Some(&end))).unwrap();
    }
    let unflushed = engine.table_property(table, "rocksdb.num-entries-active-mem-table").unwrap();
    let unflushed: u32 = unflushed.unwrap().parse().unwrap();
    assert!(unflushed < 1_001, "{unflushed} range deletions are unflushed");
}
