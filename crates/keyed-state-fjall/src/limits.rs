//! What fjall takes; it panics at anything else.

use keyed_state_core::{Error, ErrorKind, MAX_KEY_BYTES, MAX_VALUE_BYTES, Result};

const MAX_TABLE_NAME_BYTES: usize = 255;

pub(crate) fn check_table_name(name: &str) -> Result<()> {
    check_not_empty("the name of a table", name.as_bytes())?;
    check_length("the name of a table", name.as_bytes(), MAX_TABLE_NAME_BYTES)
}

pub(crate) fn check_key(key: &[u8]) -> Result<()> {
    check_not_empty("a key", key)?;
    check_length("a key", key, MAX_KEY_BYTES)
}

pub(crate) fn check_value(value: &[u8]) -> Result<()> {
    check_length("a value", value, MAX_VALUE_BYTES)
}

pub(crate) fn check_bound(bound: &[u8]) -> Result<()> {
    check_length("the bound of a range", bound, MAX_KEY_BYTES)
}

fn check_not_empty(what: &str, bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() {
        return Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("{what} must not be empty for fjall"),
        ));
    }
    Ok(())
}

fn check_length(what: &str, bytes: &[u8], most: usize) -> Result<()> {
    if bytes.len() > most {
        return Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("{what} must have at most {most} bytes for fjall, not {}", bytes.len()),
        ));
    }
    Ok(())
}
