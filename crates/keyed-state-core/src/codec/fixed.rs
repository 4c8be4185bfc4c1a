//! What the types of fixed width share.

use crate::{Error, ErrorKind, Result};

/// Takes the first `N` bytes from the front of `input`.
#[inline]
pub(super) fn take<const N: usize>(input: &mut &[u8], schema: &str) -> Result<[u8; N]> {
    let (head, rest) =
        input.split_first_chunk().ok_or_else(|| wrong_length(schema, N, input.len()))?;
    *input = rest;
    Ok(*head)
}

/// Takes all of `bytes`, which must be `N`.
#[inline]
pub(super) fn exactly<const N: usize>(bytes: &[u8], schema: &str) -> Result<[u8; N]> {
    bytes.try_into().map_err(|_| wrong_length(schema, N, bytes.len()))
}

/// Runs `decode_part` over all of `bytes` and refuses what it leaves.
#[inline]
pub(super) fn whole<T>(
    mut bytes: &[u8],
    schema: &str,
    decode_part: impl FnOnce(&mut &[u8]) -> Result<T>,
) -> Result<T> {
    let value = decode_part(&mut bytes)?;
    if bytes.is_empty() { Ok(value) } else { Err(trailing(schema, bytes.len())) }
}

#[cold]
pub(super) fn trailing(schema: &str, count: usize) -> Error {
    Error::new(ErrorKind::Codec, format!("{count} bytes are left over after a {schema}"))
}

#[cold]
pub(super) fn invalid(schema: &str, found: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Codec, format!("the stored bytes are no {schema}: {found}"))
}

#[cold]
fn wrong_length(schema: &str, expected: usize, found: usize) -> Error {
    Error::new(ErrorKind::Codec, format!("{schema} takes {expected} bytes, not {found}"))
}
