//! Batches.

use keyed_state_core::{Engine, WriteBatch};

use super::support::{open, rows};
use crate::{
    EngineFixture, Outcome,
    support::{Home, Must},
};

/// The operations of a batch happen in their order: of one key, the last counts.
pub fn a_batch_happens_in_its_order<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let mut batch = WriteBatch::new();
    batch.put(table, b"a", b"1");
    batch.put(table, b"a", b"2");
    batch.put(table, b"b", b"1");
    batch.delete(table, b"b");
    batch.delete(table, b"c");
    batch.put(table, b"c", b"1");
    batch.put(table, b"d", b"");
    engine.write(&batch).must();
    let expected = [("a", "2"), ("c", "1"), ("d", "")];
    let expected = expected.map(|(key, value)| (key.into(), value.into()));
    assert_eq!(rows(&engine, table), expected);
    // Applying it again changes nothing, and an empty one does nothing.
    engine.write(&batch).must();
    engine.write(&WriteBatch::new()).must();
    assert_eq!(rows(&engine, table), expected);
    Outcome::Ran
}

/// A batch may write to several tables.
pub fn a_batch_may_span_tables<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, one) = open(fixture, &home);
    let two = engine.open_table("two").must();
    engine.put(two, b"old", b"").must();
    let mut batch = WriteBatch::new();
    batch.put(one, b"k", b"1");
    batch.put(two, b"k", b"2");
    batch.delete(two, b"old");
    engine.write(&batch).must();
    assert_eq!(rows(&engine, one), [(b"k".to_vec(), b"1".to_vec())]);
    assert_eq!(rows(&engine, two), [(b"k".to_vec(), b"2".to_vec())]);
    Outcome::Ran
}

/// A batch of thousands of operations arrives whole.
pub fn a_large_batch_arrives_whole<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let mut batch = WriteBatch::new();
    for n in 0..20_000_u32 {
        batch.put(table, &n.to_be_bytes(), &[0x5A; 30]);
    }
    engine.write(&batch).must();
    assert_eq!(rows(&engine, table).len(), 20_000);
    batch.clear();
    for n in (0..20_000_u32).filter(|n| n % 100 != 0) {
        batch.delete(table, &n.to_be_bytes());
    }
    engine.write(&batch).must();
    assert_eq!(rows(&engine, table).len(), 200);
    Outcome::Ran
}
