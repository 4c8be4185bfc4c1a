//! What is stored of a service beside its timers: written whenever it is saved, read when it is opened.
//!
//! ```text
//! 'm'               format (u8) ‖ has a time (u8) ‖ time (i64) ‖ next bucket (u64) ‖ rows below (u32) ‖ schema
//! 'c' ‖ row (u32)   { length of start (varint) ‖ start ‖ bucket ‖ rows ‖ timers ‖ exact ‖ bytes (varints) } …
//! ```
//!
//! Only exact keys are read, never a range, so that the tombstones of fired timers cost nothing when opening.

use super::{
    bucket::Bucket,
    key::{self, TimerKey},
    store::{Store, Stored},
};
use crate::{Error, ErrorKind, Result, varint};

const FORMAT: u8 = 1;
const META_ROW: &[u8] = b"m";
const FIXED_BYTES: usize = 1 + 1 + 8 + 8 + 4;
const ROW_BYTES: usize = 64 << 10;

/// More than any bucket is stored with; so damaged numbers cannot ask for more memory.
const MAX_BUCKET_BYTES: u64 = 1 << 20;

/// A service as it was saved.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    pub(super) schema: String,
    pub(super) time_ms: Option<i64>,
    pub(super) next_id: u64,
    pub(super) buckets: Vec<Bucket>,
    pub(super) rows: u32,
}

/// What is written of a service beside its buckets.
pub(super) struct Head<'a> {
    pub(super) schema: &'a str,
    pub(super) time_ms: Option<i64>,
    pub(super) next_id: u64,
}

/// Writes a service in place of what was saved in `before` rows, wholly or not at all; returns how many rows that
/// takes.
pub(super) fn write<'b>(
    store: &mut Store<'_>,
    head: &Head<'_>,
    buckets: impl Iterator<Item = &'b Bucket>,
    before: u32,
) -> Result<u32> {
    let Store { engine, table, batch, scratch } = store;
    let mut rows = 0;
    batch.clear();
    scratch.clear();
    let mut buckets = buckets.peekable();
    while let Some(bucket) = buckets.next() {
        let start = bucket.start().bytes();
        varint::encode(start.len() as u64, scratch);
        scratch.extend_from_slice(start);
        let Stored { rows: stored_rows, timers, exact, timer_bytes } = *bucket.rows();
        for number in
            [bucket.id(), stored_rows.into(), timers, u64::from(exact), timer_bytes as u64]
        {
            varint::encode(number, scratch);
        }
        if scratch.len() >= ROW_BYTES || buckets.peek().is_none() {
            batch.put(*table, &row_key(rows), scratch);
            scratch.clear();
            rows += 1;
        }
    }
    for row in rows..before {
        batch.delete(*table, &row_key(row));
    }
    scratch.extend_from_slice(&[FORMAT, u8::from(head.time_ms.is_some())]);
    scratch.extend_from_slice(&head.time_ms.unwrap_or_default().to_be_bytes());
    scratch.extend_from_slice(&head.next_id.to_be_bytes());
    scratch.extend_from_slice(&rows.to_be_bytes());
    scratch.extend_from_slice(head.schema.as_bytes());
    batch.put(*table, META_ROW, scratch);
    engine.write(batch)?;
    Ok(rows)
}

/// Reads what was saved of a service, if it was.
pub(super) fn read(store: &mut Store<'_>) -> Result<Option<Catalogue>> {
    let mut catalogue = None;
    store.engine.get(store.table, META_ROW, &mut |row| catalogue = Some(head(row)))?;
    let Some(catalogue) = catalogue else { return Ok(None) };
    let mut catalogue = catalogue.ok_or_else(|| malformed("its head is not of format 1"))?;
    for row in 0..catalogue.rows {
        let mut read = None;
        store.engine.get(store.table, &row_key(row), &mut |row| {
            read = Some(buckets(row, &mut catalogue.buckets));
        })?;
        read.ok_or_else(|| malformed("a row is missing"))??;
    }
    if !catalogue.buckets.is_sorted_by(|a, b| a.start() < b.start()) {
        return Err(malformed("its buckets are out of order"));
    }
    Ok(Some(catalogue))
}

fn head(row: &[u8]) -> Option<Catalogue> {
    let (fixed, schema) = row.split_first_chunk::<FIXED_BYTES>()?;
    let (&[format, has_time], numbers) = fixed.split_first_chunk()?;
    let (time_ms, numbers) = numbers.split_first_chunk()?;
    let (next_id, numbers) = numbers.split_first_chunk()?;
    (format == FORMAT).then_some(Catalogue {
        schema: String::from_utf8_lossy(schema).into_owned(),
        time_ms: (has_time != 0).then_some(i64::from_be_bytes(*time_ms)),
        next_id: u64::from_be_bytes(*next_id),
        buckets: Vec::new(),
        rows: u32::from_be_bytes(numbers.try_into().ok()?),
    })
}

fn buckets(mut row: &[u8], buckets: &mut Vec<Bucket>) -> Result<()> {
    while !row.is_empty() {
        let length = varint::decode(&mut row)?;
        let (start, rest) = usize::try_from(length)
            .ok()
            .and_then(|length| row.split_at_checked(length))
            .filter(|(start, _)| key::split(start).is_some())
            .ok_or_else(|| malformed("a bucket's start is no timer"))?;
        row = rest;
        let mut number = || varint::decode(&mut row);
        let id = number()?;
        let rows = u32::try_from(number()?).map_err(|_| malformed("a bucket has too many rows"))?;
        let (timers, exact, bytes) = (number()?, number()? != 0, number()?);
        let timer_bytes = usize::try_from(bytes)
            .ok()
            .filter(|_| bytes <= MAX_BUCKET_BYTES && timers <= bytes && rows > 0)
            .ok_or_else(|| malformed("a bucket has too many bytes"))?;
        let stored = Stored { rows, timers, exact, timer_bytes };
        buckets.push(Bucket::stored(TimerKey::new(start), id, stored));
    }
    Ok(())
}

fn row_key(row: u32) -> [u8; 5] {
    let mut key = [b'c'; 5];
    key[1..].copy_from_slice(&row.to_be_bytes());
    key
}

fn malformed(what: &str) -> Error {
    Error::new(ErrorKind::Codec, format!("what is stored of it is malformed: {what}"))
}
