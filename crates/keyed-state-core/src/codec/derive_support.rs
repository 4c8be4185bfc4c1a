//! What the derive macros' expansions call. Not part of the public interface.

use crate::{Error, ErrorKind, Result};

/// Implemented by both derives, so that the error for a type with both has this name in it.
pub trait DeriveStateKeyOrStateValueButNotBoth {}

/// The error for an enum's tag that no variant has.
#[cold]
#[must_use]
pub fn unknown_tag(type_name: &str, tag: u16) -> Error {
    Error::new(ErrorKind::Codec, format!("{type_name} has no variant with the tag {tag}"))
}

/// Refuses bytes after a value that has no fields.
pub fn nothing_left(type_name: &str, bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() { Ok(()) } else { Err(super::fixed::trailing(type_name, bytes.len())) }
}
