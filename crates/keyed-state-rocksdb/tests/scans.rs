//! Scans in both directions, with every shape of bounds.

mod support;

use keyed_state_core::{Direction, Engine, KeyRange};
use support::{collect, open, scan};

#[test]
fn every_shape_of_bounds_in_both_directions() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    let table = engine.open_table("t").unwrap();
    let keys: [&[u8]; 6] = [&[0], &[0, 0], &[1], &[1, 0xFF], &[0xFF], &[0xFF, 0xFF]];
    for key in keys {
        engine.put(table, key, key).unwrap();
    }
    let starts: [&[u8]; 5] = [&[], &[0], &[0, 1], &[1, 0xFF], &[0xFF, 0xFF, 0]];
    let ends: [Option<&[u8]>; 6] =
        [None, Some(&[]), Some(&[0]), Some(&[1]), Some(&[0xFF]), Some(&[0xFF, 0xFF, 0xFF])];
    for flushed in [false, true] {
        if flushed {
            engine.flush().unwrap();
        }
        for start in starts {
            for end in ends {
                let range = KeyRange::new(start, end);
                let mut expected: Vec<_> = keys
                    .into_iter()
                    .filter(|key| range.contains(key))
                    .map(|key| (key.to_vec(), key.to_vec()))
                    .collect();
                assert_eq!(scan(&engine, table, range, Direction::Forward), expected, "{range:?}");
                expected.reverse();
                assert_eq!(scan(&engine, table, range, Direction::Reverse), expected, "{range:?}");
            }
        }
    }
}

#[test]
fn cursors_walk_independently_and_can_change_threads() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    let table = engine.open_table("t").unwrap();
    for key in 0..100_u8 {
        engine.put(table, &[key], &[key]).unwrap();
    }
    let mut forward = engine.scan(table, KeyRange::ALL, Direction::Forward).unwrap();
    let mut reverse = engine.scan(table, KeyRange::ALL, Direction::Reverse).unwrap();
    assert_eq!(forward.next().unwrap(), Some((&[0][..], &[0][..])));
    assert_eq!(reverse.next().unwrap(), Some((&[99][..], &[99][..])));
    let rest = std::thread::scope(|scope| {
        scope.spawn(move || collect(&mut *forward).unwrap().len()).join().unwrap()
    });
    assert_eq!(rest, 99);
    assert_eq!(reverse.next().unwrap(), Some((&[98][..], &[98][..])));
}

/// A prefix extractor makes RocksDB skip files by prefix; a scan over several prefixes would lose
/// entries.
#[test]
fn a_prefix_extractor_costs_a_scan_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let config = support::config()
        .rocksdb_options("prefix_extractor=fixed:2;memtable_prefix_bloom_size_ratio=0.1")
        .unwrap();
    let mut engine = keyed_state_rocksdb::RocksEngine::open(directory.path(), &config).unwrap();
    let table = engine.open_table("t").unwrap();
    for key in [b"aa1", b"bb1", b"cc1"] {
        engine.put(table, key, b"").unwrap();
        engine.flush().unwrap();
    }
    for direction in [Direction::Forward, Direction::Reverse] {
        let found = scan(&engine, table, KeyRange::new(b"ab", Some(b"d")), direction);
        assert_eq!(found.len(), 2, "{direction:?}");
    }
}
