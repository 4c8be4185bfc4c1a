use std::fmt::Write as _;

use crate::{
    BackendContext, Direction, Engine, Error, ErrorKind, KeyRange, Result, StateDefinition,
    StateKey, TableId,
};

/// The longest name that core gives to an engine's table, in bytes.
pub const MAX_TABLE_NAME_BYTES: usize = STATE_TABLE.len() + 3 * crate::MAX_STATE_NAME_BYTES;

const META_TABLE: &str = "keyed-state";
const STATE_TABLE: &str = "state.";

/// Version of the stored format: tables, rows of this one, composite keys.
const FORMAT: u32 = 1;

const BACKEND_ROW: &[u8] = b"backend";
const CLEAN_ROW: &[u8] = b"clean";
const CONTEXT_ROW: &[u8] = b"context";
const STATE_ROW: &[u8] = b"state/";

/// The table that says what the other tables are.
///
/// | row | value |
/// | --- | --- |
/// | `backend` | format, key type, max parallelism and key groups, as text |
/// | `clean` | `1` if closed cleanly, `0` while open or after a crash |
/// | `context` | times and the next list element's number, as of the last clean close |
/// | `state/NAME` | the state's schema |
#[derive(Debug)]
pub(super) struct Meta {
    table: TableId,
}

impl Meta {
    pub(super) fn open<K: StateKey>(
        engine: &mut impl Engine,
        context: &mut BackendContext,
    ) -> Result<Self> {
        let options = context.options();
        let table = engine.open_table(META_TABLE)?;
        let meta = Self { table };
        let expected = format!(
            "format {FORMAT}, key {}, max parallelism {}, key groups {}",
            K::schema(),
            options.groups(),
            options.owned_key_groups()
        );
        match meta.row(engine, BACKEND_ROW)? {
            None => {
                let anything =
                    engine.scan(table, KeyRange::ALL, Direction::Forward)?.next()?.is_some();
                if anything {
                    return Err(Error::new(
                        ErrorKind::Incompatible,
                        format!(
                            "table {META_TABLE:?} holds rows but not keyed-state's; this is no keyed-state store"
                        ),
                    ));
                }
                engine.put(table, BACKEND_ROW, expected.as_bytes())?;
            }
            Some(stored) if stored != expected => {
                return Err(Error::new(
                    ErrorKind::Incompatible,
                    format!("the stored state has {stored}; it cannot be opened with {expected}"),
                ));
            }
            Some(_) => {
                if meta.row(engine, CLEAN_ROW)?.as_deref() != Some("1") {
                    return Err(Error::new(
                        ErrorKind::NotCleanlyClosed,
                        "the stored state was not closed cleanly, so its parts may be of different \
                         ages; delete it and restore the last checkpoint",
                    ));
                }
                if let Some(bytes) = meta.bytes(engine, CONTEXT_ROW)? {
                    context.restore(&bytes)?;
                }
            }
        }
        if engine.capabilities().durable {
            // On disk before anything else is written: a crash from here on is seen at the next opening.
            engine.put(table, CLEAN_ROW, b"0")?;
            engine.flush()?;
        }
        Ok(meta)
    }

    /// Checks the state against what is stored under its name, and opens its table.
    pub(super) fn register(
        &self,
        engine: &mut impl Engine,
        definition: &StateDefinition,
    ) -> Result<TableId> {
        let row = [STATE_ROW, definition.name().as_bytes()].concat();
        let stored = self.row(engine, &row)?;
        if let Some(stored) = stored.as_deref().filter(|stored| *stored != definition.schema()) {
            return Err(Error::new(
                ErrorKind::StateMismatch,
                format!("state {:?} is stored as {stored}, not as {definition}", definition.name()),
            ));
        }
        let table = engine
            .open_table(&table_name(STATE_TABLE, definition.name()))
            .map_err(|error| error.context(format_args!("state {:?}", definition.name())))?;
        if stored.is_none() {
            engine.put(self.table, &row, definition.schema().as_bytes())?;
        }
        Ok(table)
    }

    /// Flushes everything, then says so. What else is to be kept must be written before.
    pub(super) fn mark_closed(
        &self,
        engine: &mut impl Engine,
        context: &mut BackendContext,
    ) -> Result<()> {
        if engine.capabilities().durable {
            context.timers_mut().save(engine)?;
            engine.put(self.table, CONTEXT_ROW, &context.to_bytes())?;
            engine.flush()?;
            engine.put(self.table, CLEAN_ROW, b"1")?;
            engine.flush()?;
        }
        Ok(())
    }

    fn row(&self, engine: &impl Engine, key: &[u8]) -> Result<Option<String>> {
        let bytes = self.bytes(engine, key)?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn bytes(&self, engine: &impl Engine, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let mut bytes = None;
        engine.get(self.table, key, &mut |value| bytes = Some(value.to_vec()))?;
        Ok(bytes)
    }
}

/// Puts `prefix`, which is no longer than that of states, before the name of a state or service, spelt in the
/// characters that every engine takes: other bytes become `%XX`, with `_` for the percent sign.
pub(crate) fn table_name(prefix: &str, of: &str) -> String {
    let mut name = prefix.to_owned();
    for byte in of.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.' {
            name.push(char::from(byte));
        } else {
            write!(name, "_{byte:02X}").expect("writing to a string cannot fail");
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_names_are_distinct_and_plain() {
        assert_eq!(table_name(STATE_TABLE, "clicks"), "state.clicks");
        assert_eq!(table_name(STATE_TABLE, "a b"), "state.a_20b");
        assert_eq!(table_name(STATE_TABLE, "a_20b"), "state.a_5F20b");
        assert_eq!(table_name(STATE_TABLE, "é"), "state._C3_A9");
        let longest = table_name(STATE_TABLE, &"\u{7FF}".repeat(crate::MAX_STATE_NAME_BYTES / 2));
        assert_eq!(longest.len(), MAX_TABLE_NAME_BYTES);
    }
}
