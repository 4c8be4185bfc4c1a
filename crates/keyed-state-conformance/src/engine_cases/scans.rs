//! Scans and cursors.

use keyed_state_core::{Direction, Engine, KeyRange, prefix_successor};

use super::support::{bounds, keys, open, rows, scan};
use crate::{
    EngineFixture, Outcome,
    support::{Home, Must},
};

/// Keys compare as unsigned bytes. (32)
pub fn keys_compare_as_unsigned_bytes<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    for byte in (0..=255).rev() {
        engine.put(table, &[byte], &[byte]).must();
        engine.put(table, &[0x61, byte], &[byte]).must();
    }
    let found: Vec<Vec<u8>> = rows(&engine, table).into_iter().map(|(key, _)| key).collect();
    assert_eq!(found.len(), 512);
    assert!(found.is_sorted(), "{found:02x?}");
    Outcome::Ran
}

/// A scan gives exactly its range, from either end, for all pairs of bounds; a range whose end is not above
/// its start is empty. (4, 17, 34, 51)
pub fn a_scan_gives_exactly_its_range<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let keys = keys();
    for key in &keys {
        engine.put(table, key, key).must();
    }
    let bounds = bounds();
    let ends: Vec<Option<&[u8]>> =
        bounds.iter().map(|end| Some(end.as_slice())).chain([None]).collect();
    // Once from memory, then from what a flush left.
    for _ in 0..2 {
        for start in &bounds {
            for end in &ends {
                let range = KeyRange::new(start, *end);
                let expected: Vec<_> = keys
                    .iter()
                    .filter(|key| range.contains(key))
                    .map(|key| (key.clone(), key.clone()))
                    .collect();
                let found = scan(&engine, table, range, Direction::Forward).must();
                assert_eq!(found, expected, "{range:?}");
                let mut found = scan(&engine, table, range, Direction::Reverse).must();
                found.reverse();
                assert_eq!(found, expected, "{range:?} in reverse");
            }
        }
        engine.flush().must();
    }
    Outcome::Ran
}

/// The range of a prefix ends before the first key beyond it, also where the prefix ends in `FF`. (4, 25)
pub fn a_scan_of_a_prefix_ends_with_it<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let mut keys = crate::support::words(3);
    keys.retain(|key| !key.is_empty());
    keys.extend([vec![0x62], vec![0x62, 0x00], vec![0x02], vec![0x02, 0x00]]);
    keys.sort();
    for key in &keys {
        engine.put(table, key, b"").must();
    }
    for prefix in &keys {
        let end = prefix_successor(prefix);
        let range = KeyRange::new(prefix, end.as_deref());
        let found = scan(&engine, table, range, Direction::Forward).must();
        let found = found.iter().map(|(key, _)| key);
        assert!(found.eq(keys.iter().filter(|key| key.starts_with(prefix))), "{prefix:02x?}");
    }
    Outcome::Ran
}

/// An exhausted cursor stays exhausted. (38)
pub fn an_exhausted_cursor_stays_exhausted<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    for key in keys() {
        engine.put(table, &key, b"").must();
    }
    let ranges =
        [KeyRange::ALL, KeyRange::new(&[0x01], Some(&[0x61])), KeyRange::new(b"b", Some(b"a"))];
    for range in ranges {
        for direction in [Direction::Forward, Direction::Reverse] {
            let mut cursor = engine.scan(table, range, direction).must();
            while cursor.next().must().is_some() {}
            for _ in 0..3 {
                assert!(cursor.next().must().is_none(), "{range:?} {direction:?}");
            }
        }
    }
    Outcome::Ran
}

/// Thousands of rows come once each, however engines read ahead, and from several cursors at once. (17, 53)
pub fn a_long_scan_gives_every_row_once<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let expected: Vec<_> =
        (0..5000_u32).map(|n| (n.to_be_bytes().to_vec(), vec![0xA5; 20])).collect();
    for (number, (key, value)) in expected.iter().enumerate() {
        engine.put(table, key, value).must();
        // Several files, where there are any, and the last rows in memory.
        if number % 2000 == 1999 {
            engine.flush().must();
        }
    }
    assert_eq!(rows(&engine, table), expected);
    let mut forward = engine.scan(table, KeyRange::ALL, Direction::Forward).must();
    let mut reverse = engine.scan(table, KeyRange::ALL, Direction::Reverse).must();
    for (low, high) in expected.iter().zip(expected.iter().rev()) {
        assert_eq!(forward.next().must().map(|(key, _)| key), Some(low.0.as_slice()));
        assert_eq!(reverse.next().must().map(|(key, _)| key), Some(high.0.as_slice()));
    }
    Outcome::Ran
}
