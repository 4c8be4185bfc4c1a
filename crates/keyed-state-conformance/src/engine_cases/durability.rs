//! Flushing, compacting, closing and opening again.

use keyed_state_core::{Engine, ErrorKind, KeyRange, TableId};

use super::support::{Row, open, reopen, rows};
use crate::{
    EngineFixture, Outcome,
    support::{Home, Must, NO_COMPACTION, NOT_DURABLE},
};

fn write_rounds<E: Engine>(engine: &mut E, table: TableId, flushes: bool) -> Vec<Row> {
    for n in 0..100 {
        engine.put(table, &[n], b"old").must();
    }
    if flushes {
        engine.flush().must();
    }
    for n in 20..40 {
        engine.put(table, &[n], b"new").must();
    }
    for n in 40..50 {
        engine.delete(table, &[n]).must();
    }
    engine.delete_range(table, KeyRange::new(&[60], Some(&[90]))).must();
    engine.put(table, &[70], b"back").must();
    let value = |n| match n {
        20..40 => Some("new"),
        70 => Some("back"),
        40..50 | 60..90 => None,
        _ => Some("old"),
    };
    (0..100).filter_map(|n| Some((vec![n], value(n)?.into()))).collect()
}

/// A durable engine holds, when opened again after a close, exactly what it held, flushed before or not. (13, 19)
pub fn opening_again_gives_exactly_what_was_there<F: EngineFixture>(fixture: &F) -> Outcome {
    for flushes in [false, true] {
        let home = Home::new();
        let (mut engine, table) = open(fixture, &home);
        if !engine.capabilities().durable {
            return Outcome::Skipped(NOT_DURABLE);
        }
        let expected = write_rounds(&mut engine, table, flushes);
        assert_eq!(rows(&engine, table), expected);
        for _ in 0..2 {
            let (again, table) = reopen(fixture, &home, engine);
            assert_eq!(rows(&again, table), expected, "flushed before: {flushes}");
            engine = again;
        }
        let (mut engine, table) = reopen(fixture, &home, engine);
        engine.delete_range(table, KeyRange::ALL).must();
        let (engine, table) = reopen(fixture, &home, engine);
        assert_eq!(rows(&engine, table), []);
    }
    Outcome::Ran
}

/// Flushing changes nothing that is read.
pub fn flushing_changes_nothing<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    engine.flush().must();
    let expected = write_rounds(&mut engine, table, true);
    for _ in 0..2 {
        engine.flush().must();
        assert_eq!(rows(&engine, table), expected);
    }
    Outcome::Ran
}

/// Compacting changes nothing that is read: what was deleted or replaced stays so, opened again too. (19)
/// Undeclared it answers `Unsupported`.
pub fn compacting_changes_nothing<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    if !engine.capabilities().compact {
        engine.compact().must_fail(ErrorKind::Unsupported);
        return Outcome::Skipped(NO_COMPACTION);
    }
    let expected = write_rounds(&mut engine, table, true);
    for _ in 0..2 {
        engine.compact().must();
        assert_eq!(rows(&engine, table), expected);
    }
    if engine.capabilities().durable {
        let (engine, table) = reopen(fixture, &home, engine);
        assert_eq!(rows(&engine, table), expected);
    }
    Outcome::Ran
}

/// A directory is held by one engine at a time. The second is refused as `Locked`.
pub fn a_directory_has_one_holder<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    if !engine.capabilities().durable {
        return Outcome::Skipped(NOT_DURABLE);
    }
    fixture.open(home.path()).map(drop).must_fail(ErrorKind::Locked);
    engine.put(table, b"k", b"v").must();
    let (engine, table) = reopen(fixture, &home, engine);
    assert_eq!(rows(&engine, table).len(), 1);
    drop(engine);
    drop(fixture.open(home.path()).must());
    Outcome::Ran
}

/// Capabilities do not change, whatever happens.
pub fn capabilities_are_declared_once<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let declared = engine.capabilities();
    engine.put(table, b"k", b"v").must();
    engine.flush().must();
    assert_eq!(engine.capabilities(), declared);
    let (engine, _) = reopen(fixture, &home, engine);
    assert_eq!(engine.capabilities(), declared);
    Outcome::Ran
}
