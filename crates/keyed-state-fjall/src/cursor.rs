use std::{borrow::Cow, ops::Bound, sync::Arc};

use fjall::{Guard, Iter, Keyspace, KvPair};
use keyed_state_core::{Cursor, Direction, Result};

use crate::{
    FjallEngine,
    keys::original,
    ranges::{Ranges, Span},
    stamp,
};

/// So many dead rows are stepped over before the rest of a deleted range is skipped, which costs about as much as so many steps.
const STEPS_BEFORE_SKIP: usize = 8;

/// Walks a range of a keyspace.
///
/// fjall's iterators read the version that was the latest when they were opened. They would see later
/// writes to its memtable, but there are none: the cursor borrows the engine, and writing needs it mutably. For the same reason no
/// range is deleted meanwhile, nor forgotten.
pub(crate) struct FjallCursor<'a> {
    engine: &'a FjallEngine,
    keyspace: &'a Keyspace,
    direction: Direction,
    /// `None` when exhausted: fjall does not say what its iterators do after an error.
    entries: Option<Iter>,
    /// Where ranges were deleted.
    deleted: Option<Deleted>,
    /// The entry that is lent out; it shares the memory of fjall's block or memtable.
    entry: Option<KvPair>,
    /// Its key, where that is stored in another form.
    key: Vec<u8>,
}

/// What a cursor needs to step over deleted ranges.
pub(crate) struct Deleted {
    pub(crate) ranges: Arc<Ranges>,
    /// The cursor's own range, as stored.
    pub(crate) start: Vec<u8>,
    pub(crate) end: Vec<u8>,
    /// What the last row lay in.
    span: Option<Span>,
    /// How many dead rows there were one after the other.
    dead: usize,
}

impl Deleted {
    pub(crate) fn new(ranges: Arc<Ranges>, start: Vec<u8>, end: Vec<u8>) -> Self {
        Self { ranges, start, end, span: None, dead: 0 }
    }

    /// Returns whether a row is dead, and where to go on if not at the next.
    fn judge(&mut self, stored: &[u8], stamp: u64, direction: Direction) -> (bool, Option<Skip>) {
        let span = match self.span.take() {
            Some(span) if span.contains(stored) => span,
            _ => self.ranges.span_at(stored),
        };
        let dead = stamp < span.epoch;
        self.dead = if dead { self.dead + 1 } else { 0 };
        let skip = if self.dead >= STEPS_BEFORE_SKIP && !span.written {
            self.dead = 0;
            Some(match direction {
                Direction::Forward => {
                    span.end.as_ref().map_or(Skip::ToTheEnd, |end| Skip::From(end.clone()))
                }
                Direction::Reverse => Skip::UpTo(span.start.clone()),
            })
        } else {
            None
        };
        self.span = Some(span);
        (dead, skip)
    }
}

/// What a cursor has left after a deleted range.
enum Skip {
    From(Vec<u8>),
    UpTo(Vec<u8>),
    ToTheEnd,
}

impl<'a> FjallCursor<'a> {
    /// Without `entries` there is nothing to walk.
    pub(crate) fn new(
        engine: &'a FjallEngine,
        keyspace: &'a Keyspace,
        direction: Direction,
        entries: Option<Iter>,
        deleted: Option<Deleted>,
    ) -> Self {
        Self { engine, keyspace, direction, entries, deleted, entry: None, key: Vec::new() }
    }

    /// Steps to the next live entry, and returns how long its stamp is.
    fn step(&mut self) -> Result<Option<usize>> {
        loop {
            let Some(entries) = &mut self.entries else { return Ok(None) };
            let step = match self.direction {
                Direction::Forward => entries.next(),
                Direction::Reverse => entries.next_back(),
            };
            let (stored, value) = match step.map(Guard::into_inner) {
                Some(Ok(entry)) => &*self.entry.insert(entry),
                Some(Err(error)) => {
                    self.entries = None;
                    return Err(self.engine.table_error(error, "scan", self.keyspace));
                }
                None => {
                    self.entries = None;
                    return Ok(None);
                }
            };
            let Some((stamp, rest)) = stamp::split(value) else {
                self.entries = None;
                return Err(self.engine.malformed(self.keyspace, stored));
            };
            let stamp_len = value.len() - rest.len();
            let Some(deleted) = &mut self.deleted else { return Ok(Some(stamp_len)) };
            let (dead, skip) = deleted.judge(stored, stamp, self.direction);
            if !dead {
                return Ok(Some(stamp_len));
            }
            let (start, end) = match skip {
                None => continue,
                Some(Skip::From(start)) => (start, deleted.end.clone()),
                Some(Skip::UpTo(end)) => (deleted.start.clone(), end),
                Some(Skip::ToTheEnd) => (deleted.end.clone(), deleted.end.clone()),
            };
            self.entries = (start < end).then(|| {
                let bounds = (Bound::Included(start.as_slice()), Bound::Excluded(end.as_slice()));
                self.keyspace.range::<&[u8], _>(bounds)
            });
        }
    }
}

impl Cursor for FjallCursor<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        let Some(stamp_len) = self.step()? else { return Ok(None) };
        let Some((stored, value)) = &self.entry else { return Ok(None) };
        let value = &value[stamp_len..];
        Ok(Some(match original(stored) {
            Cow::Borrowed(key) => (key, value),
            Cow::Owned(key) => {
                self.key = key;
                (&self.key, value)
            }
        }))
    }
}
