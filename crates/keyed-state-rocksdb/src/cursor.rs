use std::fmt;

use keyed_state_core::{Cursor, Direction, Result};
use rocksdb::DBRawIteratorWithThreadMode;

use crate::{engine::RocksEngine, error, table::Database};

/// Walks a range, as it was when the scan began.
pub(crate) struct RocksCursor<'a> {
    /// Bounded by its read options; `None` if there is nothing to walk.
    iterator: Option<DBRawIteratorWithThreadMode<'a, Database>>,
    direction: Direction,
    started: bool,
    exhausted: bool,
    engine: &'a RocksEngine,
    table_name: &'a str,
}

impl<'a> RocksCursor<'a> {
    /// Makes a cursor of an iterator; without one there is nothing to walk.
    pub(crate) fn new(
        iterator: Option<DBRawIteratorWithThreadMode<'a, Database>>,
        direction: Direction,
        engine: &'a RocksEngine,
        table_name: &'a str,
    ) -> Self {
        Self { iterator, direction, started: false, exhausted: false, engine, table_name }
    }
}

impl Cursor for RocksCursor<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        let Some(iterator) = &mut self.iterator else { return Ok(None) };
        if self.exhausted {
            return Ok(None);
        }
        match (self.direction, self.started) {
            (Direction::Forward, false) => iterator.seek_to_first(),
            (Direction::Forward, true) => iterator.next(),
            (Direction::Reverse, false) => iterator.seek_to_last(),
            (Direction::Reverse, true) => iterator.prev(),
        }
        self.started = true;
        if let Some(row) = iterator.item() {
            return Ok(Some(row));
        }
        // The end and a failure look alike; only the status tells (FLINK-26852).
        self.exhausted = true;
        iterator.status().map(|()| None).map_err(|source| {
            error::storage(
                format_args!("scan table {:?}", self.table_name),
                self.engine.path(),
                source,
            )
        })
    }
}

impl fmt::Debug for RocksCursor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RocksCursor")
            .field("table", &self.table_name)
            .field("direction", &self.direction)
            .field("exhausted", &self.exhausted)
            .finish_non_exhaustive()
    }
}
