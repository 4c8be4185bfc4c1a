//! What the cases for engines share.

use keyed_state_core::{
    BackendOptions, Direction, Engine, EngineBackend, KeyRange, KeyedStateBackend, ManualClock,
    Result, TableId,
};

use crate::{
    Call, EngineFixture, Failures,
    support::{Home, Must},
};

pub(super) type Row = (Vec<u8>, Vec<u8>);

/// A backend whose engine counts its calls, and fails them on demand.
pub(super) type Counted = EngineBackend<u64, Box<dyn Engine>>;

/// Calls by number, in the order of [`Call::ALL`].
pub(super) type Calls = [u64; Call::ALL.len()];

/// Opens a backend under the key 1, and the clock that it goes by.
#[track_caller]
pub(super) fn counted<F: EngineFixture>(
    fixture: &F,
    home: &Home,
    calls: &Failures,
) -> (Counted, ManualClock) {
    let clock = ManualClock::new(0);
    let options = BackendOptions::new().clock(clock.clone());
    let engine = fixture.open_failing(home.path(), calls).must();
    let mut backend = EngineBackend::open(engine, options).must();
    backend.set_current_key(&1).must();
    (backend, clock)
}

/// Returns the calls that `run` makes.
pub(super) fn calls_of(calls: &Failures, run: impl FnOnce()) -> Calls {
    let before = Call::ALL.map(|call| calls.count(call));
    run();
    let mut after = Call::ALL.map(|call| calls.count(call));
    after.iter_mut().zip(before).for_each(|(after, before)| *after -= before);
    after
}

/// Returns the sum of some calls.
pub(super) fn sum(calls: &Calls, of: &[Call]) -> u64 {
    of.iter().map(|call| calls[*call as usize]).sum()
}

/// Calls that write.
pub(super) const WRITES: [Call; 4] = [Call::Put, Call::Delete, Call::DeleteRange, Call::Write];

/// Opens an engine with one table.
#[track_caller]
pub(super) fn open<F: EngineFixture>(fixture: &F, home: &Home) -> (F::Engine, TableId) {
    let mut engine = fixture.open(home.path()).must();
    let table = engine.open_table("table").must();
    (engine, table)
}

/// Opens an engine and the table that the state `name` has there.
#[track_caller]
pub(super) fn open_state<F: EngineFixture>(
    fixture: &F,
    home: &Home,
    name: &str,
) -> (F::Engine, TableId) {
    let mut engine = fixture.open(home.path()).must();
    let table = engine.open_table(&format!("state.{name}")).must();
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
