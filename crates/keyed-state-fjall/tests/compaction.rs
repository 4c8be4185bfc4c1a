//! After `compact`, deleted data takes no more room.
#![allow(clippy::unwrap_used, reason = "an error here is a failed test")]

mod support;

use std::path::Path;

use keyed_state_core::{Direction, Engine, KeyRange, TableId};
use keyed_state_fjall::{Compression, FjallEngine};
use support::{all, close, config, disk_bytes};

const ENTRIES: u32 = 2000;

fn fill(engine: &mut FjallEngine, table: TableId) {
    for index in 0..ENTRIES {
        engine.put(table, &index.to_be_bytes(), &[7; 500]).unwrap();
    }
}

fn open(path: &Path) -> FjallEngine {
    let config = config().compression(Compression::None);
    FjallEngine::open(path, &config).unwrap()
}

#[test]
fn deleted_data_leaves_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let keyspaces = folder.path().join("keyspaces");
    let mut engine = open(folder.path());
    engine.compact().unwrap();
    let table = engine.open_table("t").unwrap();
    engine.compact().unwrap();
    let empty = disk_bytes(&keyspaces);
    fill(&mut engine, table);
    engine.compact().unwrap();
    assert!(disk_bytes(&keyspaces) > empty + 900_000);
    // A cursor that was open in between must not keep anything.
    drop(engine.scan(table, KeyRange::ALL, Direction::Forward).unwrap());
    engine.delete_range(table, KeyRange::ALL).unwrap();
    engine.compact().unwrap();
    assert!(disk_bytes(&keyspaces) < empty + 10_000, "{}", disk_bytes(&keyspaces));
    assert!(all(&engine, table).is_empty());
    engine.compact().unwrap();
    engine.put(table, b"k", b"v").unwrap();
    engine.compact().unwrap();
    assert_eq!(all(&engine, table).len(), 1);
    close(engine);
}

#[test]
fn states_that_nobody_opened_are_compacted_too() {
    let folder = tempfile::tempdir().unwrap();
    let keyspaces = folder.path().join("keyspaces");
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    fill(&mut engine, table);
    engine.compact().unwrap();
    engine.delete_range(table, KeyRange::ALL).unwrap();
    close(engine);
    let mut engine = open(folder.path());
    assert!(disk_bytes(&keyspaces) > 900_000);
    engine.compact().unwrap();
    assert!(disk_bytes(&keyspaces) < 20_000, "{}", disk_bytes(&keyspaces));
    close(engine);
}
