//! Single rows and tables.

use keyed_state_core::{Direction, Engine, KeyRange, MAX_KEY_BYTES, MAX_TABLE_NAME_BYTES};

use super::support::{get, keys, open, reopen, rows, scan};
use crate::{
    EngineFixture, Outcome,
    support::{Home, Must},
};

/// Any bytes are legal in keys and values: they are found as they were put, and only they.
pub fn any_bytes_are_legal<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let keys = keys();
    for (number, key) in keys.iter().enumerate().step_by(2) {
        engine.put(table, key, &keys[keys.len() - 1 - number]).must();
    }
    for (number, key) in keys.iter().enumerate() {
        let expected = (number % 2 == 0).then(|| keys[keys.len() - 1 - number].clone());
        assert_eq!(get(&engine, table, key).must(), expected, "{key:02x?}");
    }
    Outcome::Ran
}

/// Keys of many `FF` bytes are keys like any other: an engine that marks the end of a table keeps its mark to itself.
pub fn the_highest_keys_are_keys<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let mut keys = vec![vec![0x61]];
    for high in [1, 4, 7, 8, 9, 16, 300, MAX_KEY_BYTES - 1] {
        for last in [0x00, 0x01, 0xFE, 0xFF] {
            keys.push([vec![0xFF; high], vec![last]].concat());
        }
    }
    keys.sort();
    keys.dedup();
    let expected: Vec<_> = keys.iter().map(|key| (key.clone(), vec![1])).collect();
    for key in &keys {
        engine.put(table, key, &[1]).must();
        assert_eq!(get(&engine, table, key).must(), Some(vec![1]));
    }
    assert!(rows(&engine, table) == expected);
    if engine.capabilities().compact {
        engine.compact().must();
        assert!(rows(&engine, table) == expected);
    }
    for (number, key) in keys.iter().enumerate() {
        let from = KeyRange::new(key, None);
        assert!(scan(&engine, table, from, Direction::Reverse).must().len() == keys.len() - number);
        let up_to = KeyRange::new(&[], Some(key));
        assert!(scan(&engine, table, up_to, Direction::Forward).must() == expected[..number]);
    }
    engine.delete(table, &keys[keys.len() - 1]).must();
    engine.delete_range(table, KeyRange::new(&[0xFF; 8], None)).must();
    let left = keys.iter().filter(|key| *key.as_slice() < [0xFF; 8][..]).count();
    assert!(rows(&engine, table) == expected[..left]);
    Outcome::Ran
}

/// An empty value is a value.
pub fn an_empty_value_is_a_value<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    engine.put(table, b"key", b"").must();
    assert_eq!(get(&engine, table, b"key").must(), Some(vec![]));
    assert_eq!(rows(&engine, table), [(b"key".to_vec(), vec![])]);
    engine.put(table, b"key", b"value").must();
    engine.put(table, b"key", b"").must();
    assert_eq!(get(&engine, table, b"key").must(), Some(vec![]));
    Outcome::Ran
}

/// Keys up to the limit and values of megabytes come back whole.
pub fn long_keys_and_large_values_come_back_whole<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let mut long = vec![0x61; MAX_KEY_BYTES];
    let mut other = long.clone();
    other[MAX_KEY_BYTES - 1] = 0x62;
    let large: Vec<u8> = (0..5_u32 << 20).map(|n| (n >> 7).to_le_bytes()[0]).collect();
    engine.put(table, &long, &large).must();
    engine.put(table, &other, b"other").must();
    assert!(get(&engine, table, &long).must().as_ref() == Some(&large), "5 MiB came back wrong");
    assert_eq!(get(&engine, table, &other).must(), Some(b"other".to_vec()));
    long.pop();
    assert_eq!(get(&engine, table, &long).must(), None);
    assert_eq!(rows(&engine, table).len(), 2);
    Outcome::Ran
}

/// A write is visible to every later read, and reads change nothing.
pub fn a_write_is_visible_to_every_later_read<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    assert_eq!(get(&engine, table, b"key").must(), None);
    for round in 0..200_u8 {
        engine.put(table, b"key", &[round]).must();
        for _ in 0..2 {
            assert_eq!(get(&engine, table, b"key").must(), Some(vec![round]));
            assert_eq!(rows(&engine, table), [(b"key".to_vec(), vec![round])]);
        }
        engine.delete(table, b"key").must();
        for _ in 0..2 {
            assert_eq!(get(&engine, table, b"key").must(), None);
            assert_eq!(rows(&engine, table), []);
        }
    }
    Outcome::Ran
}

/// Deleting takes one key, neither longer nor shorter ones; an absent key is fine.
pub fn deleting_takes_one_key<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let keys = keys();
    for deleted in &keys {
        for key in &keys {
            engine.put(table, key, b"v").must();
        }
        for _ in 0..2 {
            engine.delete(table, deleted).must();
        }
        let left = rows(&engine, table).into_iter().map(|(key, _)| key);
        assert!(left.eq(keys.iter().filter(|key| *key != deleted).cloned()), "{deleted:02x?}");
    }
    Outcome::Ran
}

/// Tables have nothing to do with each other.
pub fn tables_are_separate<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, one) = open(fixture, &home);
    let two = engine.open_table("table2").must();
    assert_ne!(one, two);
    engine.put(one, b"key", b"one").must();
    assert_eq!(get(&engine, two, b"key").must(), None);
    engine.put(two, b"key", b"two").must();
    engine.put(two, b"key2", b"two").must();
    assert_eq!(rows(&engine, one), [(b"key".to_vec(), b"one".to_vec())]);
    engine.delete(one, b"key").must();
    assert_eq!(rows(&engine, one), []);
    engine.delete_range(one, KeyRange::ALL).must();
    assert_eq!(rows(&engine, two).len(), 2);
    Outcome::Ran
}

/// The same name is the same table, and other names are others, up to the longest that core gives.
pub fn one_name_is_one_table<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut engine = fixture.open(home.path()).must();
    let long = "x".repeat(MAX_TABLE_NAME_BYTES - 1);
    let names = ["a", "A", "a.b", "a_b", "a-b", ".", "0", &format!("{long}1"), &format!("{long}2")];
    for round in 0..2 {
        for (number, name) in names.iter().enumerate() {
            let table = engine.open_table(name).must();
            assert_eq!(engine.open_table(name).must(), table, "{name:?}");
            let name = name.as_bytes();
            assert_eq!(get(&engine, table, b"k").must(), (round > 0).then(|| name.to_vec()));
            engine.put(table, b"k", name).must();
            assert_eq!(rows(&engine, table).len(), 1, "table {number}");
        }
    }
    if engine.capabilities().durable {
        let (mut engine, _) = reopen(fixture, &home, engine);
        for name in names.iter().rev() {
            let table = engine.open_table(name).must();
            assert_eq!(get(&engine, table, b"k").must(), Some(name.as_bytes().to_vec()));
        }
    }
    Outcome::Ran
}
