//! What core never exceeds and an engine refuses.

use keyed_state_core::{
    Error, ErrorKind, MAX_KEY_BYTES, MAX_TABLE_NAME_BYTES, MAX_VALUE_BYTES, Result,
};

pub(crate) fn check_table_name(name: &str) -> Result<()> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if (1..=MAX_TABLE_NAME_BYTES).contains(&name.len()) && name.bytes().all(plain) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!(
            "a table's name must have 1 to {MAX_TABLE_NAME_BYTES} of a-z A-Z 0-9 _ - and ., \
             unlike {name:?}"
        ),
    ))
}

pub(crate) fn check_key(key: &[u8]) -> Result<()> {
    if (1..=MAX_KEY_BYTES).contains(&key.len()) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!("a key must have 1 to {MAX_KEY_BYTES} bytes, not {}", key.len()),
    ))
}

pub(crate) fn check_value(value: &[u8]) -> Result<()> {
    if value.len() <= MAX_VALUE_BYTES {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!("a value must have at most {MAX_VALUE_BYTES} bytes, not {}", value.len()),
    ))
}
