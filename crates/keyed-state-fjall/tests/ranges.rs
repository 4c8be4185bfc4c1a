//! Deleted ranges: what they cover, what is put into them afterwards, and how they are forgotten.
#![allow(clippy::unwrap_used, reason = "an error here is a failed test")]

mod support;

use std::collections::BTreeMap;

use fastrand::Rng;
use keyed_state_core::{Direction, Engine, KeyRange, TableId, WriteBatch};
use keyed_state_fjall::FjallEngine;
use support::{Entry, all, close, get, open, scan};

/// What fjall holds of a table, dead or alive, and of the deleted ranges, the latest epoch included.
fn stored(engine: &FjallEngine, table: &str) -> (usize, usize) {
    let rows = |name: &str| {
        let keyspace = engine.database().keyspace(name, || panic!("{name} is there")).unwrap();
        let high = [0xFF; 8].as_slice();
        keyspace.range::<&[u8], _>(..high).count()
    };
    (rows(table), rows("~ranges"))
}

fn number(n: u32) -> [u8; 4] {
    n.to_be_bytes()
}

fn fill(engine: &mut FjallEngine, table: TableId, rows: u32) {
    let mut batch = WriteBatch::new();
    (0..rows).for_each(|row| batch.put(table, &number(row), b"value"));
    engine.write(&batch).unwrap();
}

fn key(rng: &mut Rng) -> Vec<u8> {
    let letters = [0x00, 0x01, 0x61, 0xFF];
    (0..rng.usize(1..5)).map(|_| letters[rng.usize(..4)]).collect()
}

/// Thousands of ranges, which overlap as they come, among puts, deletes, batches, flushes, compactions and openings.
#[test]
fn behaves_like_a_sorted_map_for_long() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let mut table = engine.open_table("t").unwrap();
    let mut model: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
    let mut rng = Rng::with_seed(11);
    for step in 0..30_000_u32 {
        let (a, b) = (key(&mut rng), key(&mut rng));
        match rng.u32(..1_000) {
            0..=399 => {
                engine.put(table, &a, &number(step)).unwrap();
                model.insert(a, number(step).to_vec());
            }
            400..=449 => {
                engine.delete(table, &a).unwrap();
                model.remove(&a);
            }
            450..=549 => {
                let mut batch = WriteBatch::new();
                for entry in 0..rng.u8(1..20) {
                    let key = [a.as_slice(), &[entry]].concat();
                    batch.put(table, &key, &b);
                    model.insert(key, b.clone());
                }
                engine.write(&batch).unwrap();
            }
            550..=719 => {
                let end = (rng.u8(..20) > 0).then_some(b.as_slice());
                let range = KeyRange::new(&a, end);
                engine.delete_range(table, range).unwrap();
                model.retain(|key, _| !range.contains(key));
            }
            720..=899 => assert_eq!(get(&engine, table, &a), model.get(&a).cloned(), "{step}"),
            900..=984 => {
                let range = KeyRange::new(&a, Some(&b));
                let inside = model.iter().filter(|(key, _)| range.contains(key));
                let mut expected: Vec<Entry> =
                    inside.map(|(key, value)| (key.clone(), value.clone())).collect();
                assert_eq!(scan(&engine, table, range, Direction::Forward), expected, "{step}");
                expected.reverse();
                assert_eq!(scan(&engine, table, range, Direction::Reverse), expected, "{step}");
            }
            985..=992 => engine.flush().unwrap(),
            993..=995 => engine.compact().unwrap(),
            _ => {
                close(engine);
                engine = open(folder.path());
                table = engine.open_table("t").unwrap();
                let expected: Vec<Entry> =
                    model.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                assert_eq!(all(&engine, table), expected, "{step}");
            }
        }
    }
    close(engine);
}

#[test]
fn a_compaction_drops_what_is_covered_and_forgets_the_ranges() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    fill(&mut engine, table, 3_000);
    engine.delete_range(table, KeyRange::new(&number(10), Some(&number(2_000)))).unwrap();
    engine.delete_range(table, KeyRange::new(&number(1_000), None)).unwrap();
    assert_eq!(stored(&engine, "t"), (3_000, 3), "nothing was walked over");
    engine.put(table, &number(1_500), b"younger").unwrap();
    close(engine);

    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    assert_eq!(all(&engine, table).len(), 11);
    engine.compact().unwrap();
    assert_eq!(stored(&engine, "t"), (11, 1));
    close(engine);

    // Stamps go on above those of the rows that are left.
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    assert_eq!(get(&engine, table, &number(1_500)).unwrap(), b"younger");
    engine.delete_range(table, KeyRange::ALL).unwrap();
    assert!(all(&engine, table).is_empty());
    close(engine);
}

/// Also those of tables that nobody has opened since, which are deleted still when somebody does.
#[test]
fn ranges_of_tables_that_are_not_opened_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    fill(&mut engine, table, 100);
    engine.delete_range(table, KeyRange::new(&number(50), None)).unwrap();
    close(engine);
    for _ in 0..5 {
        let mut engine = open(folder.path());
        engine.compact().unwrap();
        close(engine);
    }
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    assert_eq!(all(&engine, table).len(), 50);
    close(engine);
}

/// Small ranges are reclaimed by later ones, without any compaction.
#[test]
fn many_ranges_stay_few() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    fill(&mut engine, table, 20_000);
    for first in (0..20_000).step_by(4) {
        let range = (number(first), number(first + 3));
        engine.delete_range(table, KeyRange::new(&range.0, Some(&range.1))).unwrap();
        if first % 400 == 0 {
            engine.put(table, &number(first + 1), b"younger").unwrap();
        }
    }
    let (rows, ranges) = stored(&engine, "t");
    assert!(ranges <= 1_027, "{ranges}");
    assert!(rows < 20_000 - 3 * 3_000, "{rows}");
    assert_eq!(all(&engine, table).len(), 5_000 + 50);
    close(engine);
}

/// A range of more rows than a deletion may look at waits for a compaction, and is passed over until then.
#[test]
fn large_ranges_do_not_hold_up_small_ones() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    fill(&mut engine, table, 6_000);
    engine.delete_range(table, KeyRange::new(&[], Some(&number(1_000)))).unwrap();
    for first in (1_000..6_000).step_by(2) {
        let range = (number(first), number(first + 1));
        engine.delete_range(table, KeyRange::new(&range.0, Some(&range.1))).unwrap();
    }
    let (rows, ranges) = stored(&engine, "t");
    assert!(ranges <= 1_030 && rows < 6_000 - 1_000, "{ranges} ranges, {rows} rows");
    assert_eq!(all(&engine, table).len(), 2_500);
    engine.compact().unwrap();
    assert_eq!(stored(&engine, "t"), (2_500, 1));
    close(engine);
}
