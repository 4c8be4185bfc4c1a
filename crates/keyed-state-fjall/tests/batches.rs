//! `write` and `delete_range` happen wholly or not at all, in their order.
#![allow(clippy::unwrap_used, reason = "an error here is a failed test")]

mod support;

use std::fs;

use keyed_state_core::{Engine, ErrorKind, KeyRange, MAX_KEY_BYTES, TableId, WriteBatch};
use support::{all, close, copy_database, get, open, written};

#[test]
fn operations_of_a_batch_apply_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    engine.put(table, b"put-delete", b"before").unwrap();
    let mut batch = WriteBatch::new();
    batch.put(table, b"put-delete", b"1");
    batch.delete(table, b"put-delete");
    batch.delete(table, b"delete-put");
    batch.put(table, b"delete-put", b"2");
    batch.put(table, b"put-put", b"3");
    batch.put(table, b"put-put", b"4");
    engine.write(&batch).unwrap();
    let expected = [(b"delete-put".to_vec(), b"2".to_vec()), (b"put-put".to_vec(), b"4".to_vec())];
    assert_eq!(all(&engine, table), expected);
    close(engine);
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    assert_eq!(all(&engine, table), expected, "read back from the journal");
    engine.compact().unwrap();
    assert_eq!(all(&engine, table), expected, "read back from files");
    close(engine);
}

#[test]
fn a_batch_with_a_bad_operation_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    engine.put(table, b"kept", b"").unwrap();
    let bad: [(TableId, &[u8], ErrorKind); 3] = [
        (table, b"", ErrorKind::InvalidArgument),
        (table, &vec![1; MAX_KEY_BYTES + 1], ErrorKind::InvalidArgument),
        (TableId(7), b"k", ErrorKind::UnknownState),
    ];
    for (bad_table, key, kind) in bad {
        let mut batch = WriteBatch::new();
        batch.put(table, b"new", b"");
        batch.delete(table, b"kept");
        batch.put(bad_table, key, b"");
        assert_eq!(engine.write(&batch).unwrap_err().kind(), kind);
        assert_eq!(all(&engine, table), [(b"kept".to_vec(), Vec::new())]);
    }
    engine.write(&WriteBatch::new()).unwrap();
    close(engine);
}

#[test]
fn delete_range_takes_exactly_the_range() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let (table, other) = (engine.open_table("t").unwrap(), engine.open_table("u").unwrap());
    for key in [b"a", b"b", b"c", b"d"] {
        engine.put(table, key, b"").unwrap();
        engine.put(other, key, b"").unwrap();
    }
    engine.delete_range(table, KeyRange::new(b"b", Some(b"d"))).unwrap();
    assert_eq!(all(&engine, table), [(b"a".to_vec(), vec![]), (b"d".to_vec(), vec![])]);
    engine.put(table, b"b", b"again").unwrap();
    assert_eq!(get(&engine, table, b"b").unwrap(), b"again");
    engine.delete_range(table, KeyRange::ALL).unwrap();
    assert!(all(&engine, table).is_empty());
    assert_eq!(all(&engine, other).len(), 4);
    close(engine);
}

/// A crash leaves a journal that ends anywhere: cuts it at every place within the last operation and
/// looks what is there after opening.
#[test]
fn a_crash_leaves_all_or_nothing_of_a_range_deletion_and_of_a_batch() {
    const KEYS: usize = 20;
    for delete_range in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("0.jnl");
        let mut engine = open(folder.path());
        let table = engine.open_table("t").unwrap();
        let mut batch = WriteBatch::new();
        for index in 0..KEYS {
            engine.put(table, format!("{index:02}").as_bytes(), b"v").unwrap();
            batch.delete(table, format!("{index:02}").as_bytes());
        }
        engine.flush().unwrap();
        let before = written(&journal).len();
        if delete_range {
            engine.delete_range(table, KeyRange::ALL).unwrap();
        } else {
            engine.write(&batch).unwrap();
        }
        close(engine);
        let after = written(&journal).len();
        assert!(after > before);
        let original = tempfile::tempdir().unwrap();
        copy_database(folder.path(), original.path());
        let mut seen = [false; 2];
        for cut in (before..=after).step_by(23).chain([after - 1, after]) {
            let copy = tempfile::tempdir().unwrap();
            copy_database(original.path(), copy.path());
            let file = fs::OpenOptions::new().write(true).open(copy.path().join("0.jnl")).unwrap();
            file.set_len(cut as u64).unwrap();
            let mut engine = open(copy.path());
            let table = engine.open_table("t").unwrap();
            match all(&engine, table).len() {
                0 => seen[0] = true,
                KEYS => seen[1] = true,
                some => panic!("cut at {cut}: {some} of {KEYS} keys are left"),
            }
            close(engine);
        }
        assert_eq!(seen, [true, true], "both outcomes were reached");
    }
}
