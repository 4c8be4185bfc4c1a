//! The laws of `Engine`, against a sorted map: every operation, in any order, over flush,
//! compaction and reopening.

mod support;

use std::{collections::BTreeMap, ops::Bound};

use keyed_state_core::{Direction, Engine, KeyRange, TableId, WriteBatch};
use proptest::{collection::vec, option, prelude::*};
use support::{Entry, close, get, open, reopen, scan};

type Model = BTreeMap<Vec<u8>, Vec<u8>>;

#[derive(Clone, Debug)]
enum Op {
    Put(usize, Vec<u8>, Vec<u8>),
    Delete(usize, Vec<u8>),
    DeleteRange(usize, Vec<u8>, Option<Vec<u8>>),
    Write(Vec<(usize, Vec<u8>, Option<Vec<u8>>)>),
    Get(usize, Vec<u8>),
    Scan(usize, Vec<u8>, Option<Vec<u8>>, bool),
    Flush,
    Compact,
    Reopen,
}

fn bytes(len: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Vec<u8>> + Clone {
    vec(prop::sample::select(vec![0x00, 0x01, 0x61, 0xFF]), len)
}

fn op() -> impl Strategy<Value = Op> {
    let table = || 0..2_usize;
    let key = || bytes(1..=4);
    let bound = || bytes(0..=4);
    prop_oneof![
        6 => (table(), key(), bytes(0..=4)).prop_map(|(t, k, v)| Op::Put(t, k, v)),
        3 => (table(), key()).prop_map(|(t, k)| Op::Delete(t, k)),
        3 => (table(), bound(), option::of(bound())).prop_map(|(t, s, e)| Op::DeleteRange(t, s, e)),
        2 => vec((table(), key(), option::of(bytes(0..=2))), 0..6).prop_map(Op::Write),
        3 => (table(), key()).prop_map(|(t, k)| Op::Get(t, k)),
        5 => (table(), bound(), option::of(bound()), any::<bool>())
            .prop_map(|(t, s, e, r)| Op::Scan(t, s, e, r)),
        1 => Just(Op::Flush),
        1 => Just(Op::Compact),
        1 => Just(Op::Reopen),
    ]
}

fn within(model: &Model, start: &[u8], end: Option<&[u8]>) -> Vec<Entry> {
    if KeyRange::new(start, end).is_empty() {
        return Vec::new();
    }
    let bounds = (Bound::Included(start), end.map_or(Bound::Unbounded, Bound::Excluded));
    model.range::<[u8], _>(bounds).map(|(k, v)| (k.clone(), v.clone())).collect()
}

proptest! {
    // The shrunk operations are printed; a failure's seed is worth no file of its own.
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn behaves_as_a_sorted_map(ops in vec(op(), 1..60)) {
        const NAMES: [&str; 2] = ["a", "default"];
        let directory = tempfile::tempdir().unwrap();
        let mut engine = open(directory.path());
        let mut tables: Vec<TableId> =
            NAMES.iter().map(|name| engine.open_table(name).unwrap()).collect();
        let mut models = [Model::new(), Model::new()];
        for op in ops {
            match op {
                Op::Put(t, key, value) => {
                    engine.put(tables[t], &key, &value).unwrap();
                    models[t].insert(key, value);
                }
                Op::Delete(t, key) => {
                    engine.delete(tables[t], &key).unwrap();
                    models[t].remove(&key);
                }
                Op::DeleteRange(t, start, end) => {
                    let range = KeyRange::new(&start, end.as_deref());
                    engine.delete_range(tables[t], range).unwrap();
                    models[t].retain(|key, _| !range.contains(key));
                }
                Op::Write(ops) => {
                    let mut batch = WriteBatch::new();
                    for (t, key, value) in ops {
                        if let Some(value) = value {
                            batch.put(tables[t], &key, &value);
                            models[t].insert(key, value);
                        } else {
                            batch.delete(tables[t], &key);
                            models[t].remove(&key);
                        }
                    }
                    engine.write(&batch).unwrap();
                }
                Op::Get(t, key) => {
                    prop_assert_eq!(get(&engine, tables[t], &key), models[t].get(&key).cloned());
                }
                Op::Scan(t, start, end, reverse) => {
                    let mut expected = within(&models[t], &start, end.as_deref());
                    let direction = if reverse { Direction::Reverse } else { Direction::Forward };
                    if reverse {
                        expected.reverse();
                    }
                    let range = KeyRange::new(&start, end.as_deref());
                    prop_assert_eq!(scan(&engine, tables[t], range, direction), expected);
                }
                Op::Flush => engine.flush().unwrap(),
                Op::Compact => engine.compact().unwrap(),
                Op::Reopen => {
                    engine = reopen(engine);
                    // In another order: ids belong to one open engine, names to the data.
                    for (t, name) in NAMES.iter().enumerate().rev() {
                        tables[t] = engine.open_table(name).unwrap();
                    }
                }
            }
        }
        for (t, model) in models.iter().enumerate() {
            let stored = scan(&engine, tables[t], KeyRange::ALL, Direction::Forward);
            prop_assert_eq!(stored, within(model, &[], None));
        }
        close(engine);
    }
}
