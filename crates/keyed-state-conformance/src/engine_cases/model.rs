//! Random operations against a sorted map.

use std::collections::BTreeMap;

use keyed_state_core::{Direction, Engine, KeyRange, TableId, WriteBatch};
use proptest::prelude::*;

use super::support::{Row, get, open, reopen, rows, scan};
use crate::{
    EngineFixture, Outcome,
    model::Effort,
    support::{Home, Must},
};

#[derive(Clone, Debug)]
enum Step {
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

fn step() -> impl Strategy<Value = Step> {
    let letter = || prop::sample::select(vec![0x00_u8, 0x01, 0x61, 0xFF]);
    let key = move || prop::collection::vec(letter(), 1..4);
    let bound = move || prop::collection::vec(letter(), 0..4);
    let end = move || prop::option::weighted(0.8, bound());
    let table = || 0..2_usize;
    let op = (table(), key(), prop::option::of(bound()));
    prop_oneof![
        8 => (table(), key(), bound()).prop_map(|(t, k, v)| Step::Put(t, k, v)),
        3 => (table(), key()).prop_map(|(t, k)| Step::Delete(t, k)),
        3 => (table(), bound(), end()).prop_map(|(t, s, e)| Step::DeleteRange(t, s, e)),
        3 => prop::collection::vec(op, 0..6).prop_map(Step::Write),
        4 => (table(), key()).prop_map(|(t, k)| Step::Get(t, k)),
        4 => (table(), bound(), end(), any::<bool>()).prop_map(|(t, s, e, r)| Step::Scan(t, s, e, r)),
        1 => Just(Step::Flush),
        1 => Just(Step::Compact),
        1 => Just(Step::Reopen),
    ]
}

type Model = [BTreeMap<Vec<u8>, Vec<u8>>; 2];

fn apply(engine: &mut impl Engine, tables: [TableId; 2], model: &mut Model, step: Step) {
    match step {
        Step::Put(table, key, value) => {
            engine.put(tables[table], &key, &value).must();
            model[table].insert(key, value);
        }
        Step::Delete(table, key) => {
            engine.delete(tables[table], &key).must();
            model[table].remove(&key);
        }
        Step::DeleteRange(table, start, end) => {
            let range = KeyRange::new(&start, end.as_deref());
            engine.delete_range(tables[table], range).must();
            model[table].retain(|key, _| !range.contains(key));
        }
        Step::Write(ops) => {
            let mut batch = WriteBatch::new();
            for (table, key, value) in ops {
                if let Some(value) = value {
                    batch.put(tables[table], &key, &value);
                    model[table].insert(key, value);
                } else {
                    batch.delete(tables[table], &key);
                    model[table].remove(&key);
                }
            }
            engine.write(&batch).must();
        }
        Step::Get(table, key) => {
            let found = get(engine, tables[table], &key).must();
            assert_eq!(found.as_ref(), model[table].get(&key), "{key:02x?}");
        }
        Step::Scan(table, start, end, reverse) => {
            let range = KeyRange::new(&start, end.as_deref());
            let within = model[table].iter().filter(|(key, _)| range.contains(key));
            let mut expected: Vec<Row> =
                within.map(|(key, value)| (key.clone(), value.clone())).collect();
            let direction = if reverse { Direction::Reverse } else { Direction::Forward };
            if reverse {
                expected.reverse();
            }
            assert_eq!(scan(engine, tables[table], range, direction).must(), expected);
        }
        Step::Flush => engine.flush().must(),
        Step::Compact if engine.capabilities().compact => engine.compact().must(),
        Step::Compact | Step::Reopen => {}
    }
}

/// Behaves like a sorted map under random operations, flushes, compactions and reopenings. (17, 19)
pub fn behaves_like_a_sorted_map<F: EngineFixture>(fixture: &F) -> Outcome {
    let effort = Effort::from_env();
    effort.run(&prop::collection::vec(step(), 1..=effort.steps()), |steps| {
        let home = Home::new();
        let (mut engine, table) = open(fixture, &home);
        let mut tables = [table, engine.open_table("other").must()];
        let mut model = Model::default();
        for step in steps {
            if matches!(step, Step::Reopen) && engine.capabilities().durable {
                let (again, table) = reopen(fixture, &home, engine);
                engine = again;
                tables = [table, engine.open_table("other").must()];
            }
            apply(&mut engine, tables, &mut model, step);
        }
        for (table, model) in tables.into_iter().zip(model) {
            assert!(rows(&engine, table).into_iter().eq(model));
        }
    });
    Outcome::Ran
}
