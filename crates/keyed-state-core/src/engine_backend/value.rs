use std::{cell::Cell, fmt, sync::Mutex};

use super::{
    composite_key::check_key_length,
    rows::{Rows, Touches},
};
use crate::{Engine, Error, ErrorKind, Result, StateValue, TableId, ValueState, WriteBatch};

/// The longest encoded value, in bytes. The least of the engines' own limits, less what an engine's adapter may put before a value, so
/// that all behave alike.
pub const MAX_VALUE_BYTES: usize = u32::MAX as usize - 16;

pub(super) fn check_value_length(value: &[u8]) -> Result<()> {
    if value.len() <= MAX_VALUE_BYTES {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!("a value must have at most {MAX_VALUE_BYTES} encoded bytes, not {}", value.len()),
    ))
}

/// Reads and decodes the live value of `key`, and its last touch; `touches` notes the read, if it is given.
pub(super) fn read<V: StateValue>(
    engine: &impl Engine,
    table: TableId,
    key: &[u8],
    rows: Rows,
    touches: Option<&Mutex<Touches>>,
) -> Result<Option<(V, Option<i64>)>> {
    let mut read = Ok(None);
    engine.get(table, key, &mut |row| {
        read = rows.live(row).and_then(|live| {
            live.map(|live| {
                if let Some(touches) = touches {
                    rows.touch(touches, table, key, &live);
                }
                Ok((V::decode(live.value)?, live.touched_ms))
            })
            .transpose()
        });
    })?;
    read
}

/// Returns whether `key` has a live value; `touches` notes the read, if it is given.
pub(super) fn is_live(
    engine: &impl Engine,
    table: TableId,
    key: &[u8],
    rows: Rows,
    touches: Option<&Mutex<Touches>>,
) -> Result<bool> {
    if rows.0.is_none() {
        return engine.get(table, key, &mut |_| {});
    }
    let mut found = Ok(false);
    engine.get(table, key, &mut |row| {
        found = rows.live(row).map(|live| {
            if let (Some(live), Some(touches)) = (&live, touches) {
                rows.touch(touches, table, key, live);
            }
            live.is_some()
        });
    })?;
    found
}

/// View of a value state in an [`EngineBackend`](crate::EngineBackend).
pub struct EngineValue<'a, E, V> {
    engine: &'a mut E,
    table: TableId,
    key: &'a [u8],
    rows: Rows,
    scratch: &'a mut Cell<Vec<u8>>,
    batch: &'a mut WriteBatch,
    touches: &'a mut Mutex<Touches>,
    default: Option<&'a V>,
}

impl<'a, E: Engine, V: StateValue> EngineValue<'a, E, V> {
    pub(super) fn new(
        engine: &'a mut E,
        (table, rows): (TableId, Rows),
        key: &'a [u8],
        scratch: &'a mut Cell<Vec<u8>>,
        batch: &'a mut WriteBatch,
        touches: &'a mut Mutex<Touches>,
        default: Option<&'a V>,
    ) -> Self {
        Self { engine, table, key, rows, scratch, batch, touches, default }
    }

    /// Before a write: a touch written after it would bring the old value back.
    fn settle(&mut self) -> Result<()> {
        if self.rows.reads_touch() {
            Touches::settle(self.touches, self.engine, self.batch)?;
        }
        Ok(())
    }
}

impl<E, V> fmt::Debug for EngineValue<'_, E, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineValue").field("table", &self.table).finish_non_exhaustive()
    }
}

#[deny(clippy::missing_trait_methods)]
impl<E: Engine, V: StateValue> ValueState<V> for EngineValue<'_, E, V> {
    fn get(&self) -> Result<Option<V>> {
        let stored = read(self.engine, self.table, self.key, self.rows, Some(self.touches))?;
        Ok(stored.map(|(value, _)| value).or_else(|| self.default.cloned()))
    }

    fn get_with_touch(&self) -> Result<Option<(V, Option<i64>)>> {
        read(self.engine, self.table, self.key, self.rows, None)
    }

    fn is_set(&self) -> Result<bool> {
        is_live(self.engine, self.table, self.key, self.rows, None)
    }

    fn set(&mut self, value: V) -> Result<()> {
        check_key_length(self.key)?;
        self.settle()?;
        let bytes = self.scratch.get_mut();
        bytes.clear();
        self.rows.begin(None, bytes);
        value.encode(bytes)?;
        check_value_length(bytes)?;
        self.engine.put(self.table, self.key, bytes)
    }

    fn clear(&mut self) -> Result<()> {
        self.settle()?;
        self.engine.delete(self.table, self.key)
    }
}
