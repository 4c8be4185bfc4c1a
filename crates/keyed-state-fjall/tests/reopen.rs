//! What was there at `close` is there at the next opening, at once.
#![allow(clippy::unwrap_used, reason = "an error here is a failed test")]

mod support;

use std::sync::Arc;

use keyed_state_core::{CompactionFilter, CompactionRun, Engine, Verdict};
use support::{all, close, get, open};

/// fjall's workers hold parts of the database and end on their own; the lock must be gone when `close`
/// returns.
#[test]
fn opens_at_once_after_closing_fifty_times() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..50_u8 {
        let mut engine = open(folder.path());
        let table = engine.open_table("t").unwrap();
        let expected: Vec<_> =
            (0..round).map(|earlier| (vec![earlier, 1], vec![earlier; 100])).collect();
        assert_eq!(all(&engine, table), expected);
        engine.put(table, &[round, 1], &[round; 100]).unwrap();
        match round % 3 {
            0 => engine.compact().unwrap(),
            1 => engine.flush().unwrap(),
            _ => {}
        }
        close(engine);
    }
}

#[test]
fn opens_at_once_after_dropping() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..10_u8 {
        let mut engine = open(folder.path());
        let table = engine.open_table("t").unwrap();
        assert_eq!(all(&engine, table).len(), usize::from(round));
        engine.put(table, &[round, 1], b"").unwrap();
        drop(engine);
    }
}

#[test]
fn tables_keep_their_entries_apart_in_any_order_of_opening() {
    let names = ["b", "a", "state.A", "state.a", "x_-.9", &"n".repeat(246)];
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    for name in names {
        let table = engine.open_table(name).unwrap();
        assert_eq!(engine.open_table(name).unwrap(), table, "the same name gives the same id");
        engine.put(table, b"name", name.as_bytes()).unwrap();
    }
    close(engine);
    let mut engine = open(folder.path());
    for name in names.iter().rev() {
        let table = engine.open_table(name).unwrap();
        assert_eq!(get(&engine, table, b"name").unwrap(), name.as_bytes());
        assert_eq!(all(&engine, table).len(), 1);
    }
    close(engine);
}

#[test]
fn creates_missing_parents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("not").join("there");
    close(open(&path));
    close(open(&path));
}

/// Drops every row.
struct All;

impl CompactionFilter for All {
    fn start(&self) -> Box<dyn CompactionRun> {
        Box::new(Self)
    }
}

impl CompactionRun for All {
    fn verdict(&mut self, _: &[u8], _: &[u8]) -> Verdict {
        Verdict::Drop
    }
}

/// However often it is opened: what fjall takes for the age of its files must not fall behind the journal.
#[test]
fn what_a_filter_dropped_never_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..25_u8 {
        let mut engine = open(folder.path());
        let table = engine.open_table("t").unwrap();
        assert!(all(&engine, table).is_empty(), "round {round}: the journal was replayed");
        // Every other round leaves the table to nobody: its filter is not set.
        if round % 2 == 0 {
            engine.set_compaction_filter(table, Arc::new(All)).unwrap();
            if round % 8 == 0 {
                engine.put(table, &[round], b"dropped").unwrap();
                engine.compact().unwrap();
                assert!(all(&engine, table).is_empty());
            }
        }
        close(engine);
    }
}
