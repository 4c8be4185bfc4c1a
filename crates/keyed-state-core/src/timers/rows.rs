//! The rows in which a bucket is stored.
//!
//! ```text
//! key     'b' ‖ bucket (u64) ‖ row (u32)
//! value   { shared bytes × 2 + removed (varint) ‖ length of the rest (varint) ‖ the rest } …
//! ```
//!
//! A row holds timers in ascending order, each without the bytes that it shares with the one before. Later
//! rows of a bucket override earlier ones.

use super::{changes::Mark, key};
use crate::{Error, ErrorKind, Result, varint};

/// Rows longer than this are cut: some engines handle large values badly.
const ROW_BYTES: usize = 64 << 10;

/// Writes the key of a row to `out`.
pub(super) fn row_key(bucket: u64, row: u32) -> [u8; 13] {
    let mut key = [b'b'; 13];
    key[1..9].copy_from_slice(&bucket.to_be_bytes());
    key[9..].copy_from_slice(&row.to_be_bytes());
    key
}

/// Encodes `timers`, which ascend, and passes row after row to `emit`. `row` is scratch.
pub(super) fn encode<'a>(
    timers: impl Iterator<Item = (&'a [u8], Mark)>,
    row: &mut Vec<u8>,
    mut emit: impl FnMut(&[u8]),
) {
    row.clear();
    let mut before: &[u8] = &[];
    for (timer, mark) in timers {
        if row.len() >= ROW_BYTES {
            emit(row);
            row.clear();
            before = &[];
        }
        let shared = before.iter().zip(timer).take_while(|(a, b)| a == b).count();
        varint::encode((shared as u64) << 1 | u64::from(mark == Mark::Removed), row);
        varint::encode((timer.len() - shared) as u64, row);
        row.extend_from_slice(&timer[shared..]);
        before = timer;
    }
    if !row.is_empty() {
        emit(row);
    }
}

/// Decodes a row and passes its timers to `visit` in their order. `timer` is scratch.
pub(super) fn decode(
    mut row: &[u8],
    timer: &mut Vec<u8>,
    mut visit: impl FnMut(&[u8], Mark) -> Result<()>,
) -> Result<()> {
    timer.clear();
    while !row.is_empty() {
        let head = varint::decode(&mut row)?;
        let length = varint::decode(&mut row)?;
        let (shared, rest) = usize::try_from(head >> 1)
            .ok()
            .filter(|shared| *shared <= timer.len())
            .zip(usize::try_from(length).ok().and_then(|length| row.split_at_checked(length)))
            .map(|(shared, (timer, rest))| {
                row = rest;
                (shared, timer)
            })
            .ok_or_else(|| malformed("a length points past the end"))?;
        timer.truncate(shared);
        timer.extend_from_slice(rest);
        if key::split(timer).is_none() {
            return Err(malformed("it is shorter than a timer"));
        }
        visit(timer, if head & 1 == 0 { Mark::Registered } else { Mark::Removed })?;
    }
    Ok(())
}

pub(super) fn malformed(what: &str) -> Error {
    Error::new(ErrorKind::Codec, format!("a stored row of timers is malformed: {what}"))
}
