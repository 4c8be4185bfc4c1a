use std::{cell::Cell, fmt};

use super::composite_key::check_key_length;
use crate::{Engine, Error, ErrorKind, Result, StateValue, TableId, ValueState};

/// The longest encoded value, in bytes. The least of the engines' own limits, so that all behave alike.
pub const MAX_VALUE_BYTES: usize = u32::MAX as usize;

pub(super) fn check_value_length(value: &[u8]) -> Result<()> {
    if value.len() <= MAX_VALUE_BYTES {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!("a value must have at most {MAX_VALUE_BYTES} encoded bytes, not {}", value.len()),
    ))
}

/// Reads and decodes the value of `key`.
pub(super) fn read<V: StateValue>(
    engine: &impl Engine,
    table: TableId,
    key: &[u8],
) -> Result<Option<V>> {
    let mut decoded = None;
    engine.get(table, key, &mut |bytes| decoded = Some(V::decode(bytes)))?;
    decoded.transpose()
}

/// View of a value state in an [`EngineBackend`](crate::EngineBackend).
pub struct EngineValue<'a, E, V> {
    engine: &'a mut E,
    table: TableId,
    key: &'a [u8],
    scratch: &'a mut Cell<Vec<u8>>,
    default: Option<&'a V>,
}

impl<'a, E, V: StateValue> EngineValue<'a, E, V> {
    pub(super) fn new(
        engine: &'a mut E,
        table: TableId,
        key: &'a [u8],
        scratch: &'a mut Cell<Vec<u8>>,
        default: Option<&'a V>,
    ) -> Self {
        Self { engine, table, key, scratch, default }
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
        Ok(read(self.engine, self.table, self.key)?.or_else(|| self.default.cloned()))
    }

    fn is_set(&self) -> Result<bool> {
        self.engine.get(self.table, self.key, &mut |_| {})
    }

    fn set(&mut self, value: V) -> Result<()> {
        check_key_length(self.key)?;
        let bytes = self.scratch.get_mut();
        bytes.clear();
        value.encode(bytes)?;
        check_value_length(bytes)?;
        self.engine.put(self.table, self.key, bytes)
    }

    fn clear(&mut self) -> Result<()> {
        self.engine.delete(self.table, self.key)
    }
}
