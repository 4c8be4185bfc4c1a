//! What the cases for engines share.

use keyed_state_core::{Direction, Engine, KeyRange, Result, TableId};

use crate::{
    EngineFixture,
    support::{Home, Must},
};

pub(super) type Row = (Vec<u8>, Vec<u8>);

/// Opens an engine with one table.
#[track_caller]
pub(super) fn open<F: EngineFixture>(fixture: &F, home: &Home) -> (F::Engine, TableId) {
    let mut engine = fixture.open(home.path()).must();
    let table = engine.open_table("table").must();
    (engine, table)
}

/// Closes `engine` and opens what it left.
#[track_caller]
pub(super) fn reopen<F: EngineFixture>(
    fixture: &F,
    home: &Home,
    engine: F::Engine,
) -> (F::Engine, TableId) {
    Box::new(engine).close().must();
    open(fixture, home)
}

pub(super) fn get(engine: &impl Engine, table: TableId, key: &[u8]) -> Result<Option<Vec<u8>>> {
    let mut value = None;
    let found = engine.get(table, key, &mut |bytes| value = Some(bytes.to_vec()))?;
    assert_eq!(found, value.is_some(), "`get` must visit the value exactly if it returns true");
    Ok(value)
}

pub(super) fn scan(
    engine: &impl Engine,
    table: TableId,
    range: KeyRange<'_>,
    direction: Direction,
) -> Result<Vec<Row>> {
    let mut cursor = engine.scan(table, range, direction)?;
    let mut rows = Vec::new();
    while let Some((key, value)) = cursor.next()? {
        rows.push((key.to_vec(), value.to_vec()));
    }
    Ok(rows)
}

/// Reads all rows, by both directions, which must agree.
#[track_caller]
pub(super) fn rows(engine: &impl Engine, table: TableId) -> Vec<Row> {
    let forward = scan(engine, table, KeyRange::ALL, Direction::Forward).must();
    let reverse = scan(engine, table, KeyRange::ALL, Direction::Reverse).must();
    assert!(forward.iter().eq(reverse.iter().rev()), "{forward:02x?}, but {reverse:02x?} reversed");
    forward
}

/// Every word of one or two letters of `00 01 61 FF`, ascending.
pub(super) fn keys() -> Vec<Vec<u8>> {
    let mut keys = crate::support::words(2);
    keys.retain(|key| !key.is_empty());
    keys.sort();
    keys
}

/// Bounds of ranges: those keys, the empty one, and some that lie between them.
pub(super) fn bounds() -> Vec<Vec<u8>> {
    let mut bounds = keys();
    bounds.extend([vec![], vec![0x62], vec![0x61, 0x00, 0x00], vec![0x61, 0xFE], vec![0xFF; 3]]);
    bounds.sort();
    bounds
}
