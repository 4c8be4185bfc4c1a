//! The laws of `Engine`, against sorted maps: random operations with flushes, compactions and reopening.
#![allow(clippy::unwrap_used, reason = "an error here is a failed test")]

mod support;

use std::{collections::BTreeMap, ops::Bound};

use keyed_state_core::{Direction, Engine, KeyRange, TableId, WriteBatch};
use keyed_state_fjall::FjallEngine;
use proptest::prelude::*;
use support::{close, get, open, scan};

const TABLES: [&str; 2] = ["a", "b"];

type Model = [BTreeMap<Vec<u8>, Vec<u8>>; 2];

#[derive(Clone, Debug)]
enum Write {
    Put(usize, Vec<u8>, Vec<u8>),
    Delete(usize, Vec<u8>),
}

#[derive(Clone, Debug)]
enum Step {
    One(Write),
    Batch(Vec<Write>),
    DeleteRange(usize, Vec<u8>, Option<Vec<u8>>),
    Get(usize, Vec<u8>),
    Scan(usize, Vec<u8>, Option<Vec<u8>>, bool),
    Flush,
    Compact,
    Reopen,
}

fn bytes(lengths: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::sample::select(vec![0_u8, 1, 0x61, 0xFF]), lengths)
}

fn write() -> impl Strategy<Value = Write> {
    prop_oneof![
        3 => (0..2_usize, bytes(1..4), bytes(0..30)).prop_map(|(t, k, v)| Write::Put(t, k, v)),
        1 => (0..2_usize, bytes(1..4)).prop_map(|(t, k)| Write::Delete(t, k)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let end = || prop::option::of(bytes(0..4));
    prop_oneof![
        8 => write().prop_map(Step::One),
        3 => prop::collection::vec(write(), 0..6).prop_map(Step::Batch),
        4 => (0..2_usize, bytes(0..4), end()).prop_map(|(t, s, e)| Step::DeleteRange(t, s, e)),
        3 => (0..2_usize, bytes(1..4)).prop_map(|(t, k)| Step::Get(t, k)),
        4 => (0..2_usize, bytes(0..4), end(), any::<bool>())
            .prop_map(|(t, s, e, r)| Step::Scan(t, s, e, r)),
        1 => Just(Step::Flush),
        1 => Just(Step::Compact),
        1 => Just(Step::Reopen),
    ]
}

fn apply_to_model(write: &Write, model: &mut Model) {
    match write {
        Write::Put(table, key, value) => {
            model[*table].insert(key.clone(), value.clone());
        }
        Write::Delete(table, key) => {
            model[*table].remove(key);
        }
    }
}

fn range_of<'a>(
    map: &'a BTreeMap<Vec<u8>, Vec<u8>>,
    range: KeyRange<'_>,
) -> Vec<(&'a Vec<u8>, &'a Vec<u8>)> {
    if range.is_empty() {
        return Vec::new();
    }
    let end = range.end.map_or(Bound::Unbounded, Bound::Excluded);
    map.range::<[u8], _>((Bound::Included(range.start), end)).collect()
}

fn owned(entries: Vec<(&Vec<u8>, &Vec<u8>)>) -> Vec<support::Entry> {
    entries.into_iter().map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn open_tables(engine: &mut FjallEngine) -> [TableId; 2] {
    TABLES.map(|name| engine.open_table(name).unwrap())
}

fn run(steps: &[Step]) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let mut tables = open_tables(&mut engine);
    let mut model = Model::default();
    for step in steps {
        match step {
            Step::One(write) => {
                match write {
                    Write::Put(table, key, value) => engine.put(tables[*table], key, value),
                    Write::Delete(table, key) => engine.delete(tables[*table], key),
                }
                .unwrap();
                apply_to_model(write, &mut model);
            }
            Step::Batch(writes) => {
                let mut batch = WriteBatch::new();
                for write in writes {
                    match write {
                        Write::Put(table, key, value) => batch.put(tables[*table], key, value),
                        Write::Delete(table, key) => batch.delete(tables[*table], key),
                    }
                    apply_to_model(write, &mut model);
                }
                engine.write(&batch).unwrap();
            }
            Step::DeleteRange(table, start, end) => {
                let range = KeyRange::new(start, end.as_deref());
                engine.delete_range(tables[*table], range).unwrap();
                model[*table].retain(|key, _| !range.contains(key));
            }
            Step::Get(table, key) => {
                let found = get(&engine, tables[*table], key);
                prop_assert_eq!(found.as_ref(), model[*table].get(key));
            }
            Step::Scan(table, start, end, reverse) => {
                let range = KeyRange::new(start, end.as_deref());
                let mut expected = owned(range_of(&model[*table], range));
                let direction = if *reverse {
                    expected.reverse();
                    Direction::Reverse
                } else {
                    Direction::Forward
                };
                prop_assert_eq!(scan(&engine, tables[*table], range, direction), expected);
            }
            Step::Flush => engine.flush().unwrap(),
            Step::Compact => engine.compact().unwrap(),
            Step::Reopen => {
                close(engine);
                engine = open(folder.path());
                tables = open_tables(&mut engine);
            }
        }
    }
    for (table, map) in tables.into_iter().zip(&model) {
        let expected = owned(map.iter().collect());
        prop_assert_eq!(scan(&engine, table, KeyRange::ALL, Direction::Forward), expected);
    }
    close(engine);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

    #[test]
    fn behaves_like_sorted_maps(steps in prop::collection::vec(step(), 1..60)) {
        run(&steps)?;
    }
}
