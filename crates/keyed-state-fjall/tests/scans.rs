//! Scans: both directions, every shape of bounds, over memtables, files and both.
#![allow(clippy::unwrap_used, reason = "an error here is a failed test")]

mod support;

use keyed_state_core::{Cursor, Direction, Engine, KeyRange, TableId};
use keyed_state_fjall::FjallEngine;
use support::{close, open, scan};

const KEYS: [&[u8]; 9] = [
    &[0],
    &[0, 0],
    &[0, 0xFF],
    &[0x61],
    &[0x61, 0],
    &[0x61, 0xFF, 0xFF],
    &[0xFF],
    &[0xFF, 0],
    &[0xFF, 0xFF],
];

/// Keys, what lies between them, before and behind all of them.
fn bounds() -> Vec<Vec<u8>> {
    let mut bounds = vec![Vec::new(), vec![0xFF, 0xFF, 0xFF]];
    for key in KEYS {
        bounds.push(key.to_vec());
        bounds.push([key, &[1]].concat());
    }
    bounds
}

fn check_all_ranges(engine: &FjallEngine, table: TableId) {
    let bounds = bounds();
    for start in &bounds {
        for end in bounds.iter().map(Some).chain([None]) {
            let range = KeyRange::new(start, end.map(Vec::as_slice));
            let mut expected: Vec<_> =
                KEYS.iter().filter(|key| range.contains(key)).map(|key| key.to_vec()).collect();
            let keys = |direction| -> Vec<Vec<u8>> {
                scan(engine, table, range, direction).into_iter().map(|(key, _)| key).collect()
            };
            assert_eq!(keys(Direction::Forward), expected, "{range:?}");
            expected.reverse();
            assert_eq!(keys(Direction::Reverse), expected, "{range:?} in reverse");
        }
    }
}

#[test]
fn both_directions_and_every_bound_over_memtable_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    let neighbour = engine.open_table("u").unwrap();
    for key in KEYS {
        engine.put(table, key, b"old").unwrap();
        engine.put(neighbour, &[key, b"n"].concat(), b"").unwrap();
    }
    check_all_ranges(&engine, table);
    engine.compact().unwrap();
    check_all_ranges(&engine, table);
    // Both at once, with tombstones in the memtable over what is in the files and the other way round.
    for key in KEYS.iter().step_by(2) {
        engine.delete(table, key).unwrap();
        engine.put(table, key, b"new").unwrap();
        engine.put(table, &[key, &b"gone"[..]].concat(), b"").unwrap();
    }
    engine.compact().unwrap();
    for key in KEYS.iter().step_by(2) {
        engine.delete(table, &[key, &b"gone"[..]].concat()).unwrap();
    }
    check_all_ranges(&engine, table);
    close(engine);
}

#[test]
fn an_empty_or_inverted_range_has_no_entry() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    engine.put(table, b"b", b"").unwrap();
    let ranges: [(&[u8], &[u8]); 3] = [(b"b", b"b"), (b"c", b"a"), (b"", b"")];
    for (start, end) in ranges {
        let range = KeyRange::new(start, Some(end));
        assert!(scan(&engine, table, range, Direction::Forward).is_empty());
        assert!(scan(&engine, table, range, Direction::Reverse).is_empty());
        engine.delete_range(table, range).unwrap();
    }
    assert_eq!(support::all(&engine, table).len(), 1);
    close(engine);
}

#[test]
fn a_cursor_can_be_walked_on_another_thread() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    for key in KEYS {
        engine.put(table, key, b"v").unwrap();
    }
    let mut cursor: Box<dyn Cursor + Send + '_> =
        engine.scan(table, KeyRange::ALL, Direction::Forward).unwrap();
    assert!(cursor.next().unwrap().is_some());
    let rest = std::thread::scope(|scope| {
        scope
            .spawn(move || {
                let mut count = 0;
                while cursor.next().unwrap().is_some() {
                    count += 1;
                }
                count
            })
            .join()
            .unwrap()
    });
    assert_eq!(rest, KEYS.len() - 1);
    close(engine);
}
