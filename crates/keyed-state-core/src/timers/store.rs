use std::ops::Range;

use super::{
    changes::Mark,
    packed::Packed,
    rows::{self, malformed},
};
use crate::{Direction, Engine, KeyRange, Result, TableId, WriteBatch, timers::key::compare};

/// Where the timers of one service are stored, with scratch memory.
pub(super) struct Store<'a> {
    pub(super) engine: &'a mut dyn Engine,
    pub(super) table: TableId,
    pub(super) batch: &'a mut WriteBatch,
    pub(super) scratch: &'a mut Vec<u8>,
}

/// What the engine holds of a bucket: its rows and what is in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) rows: u32,
    /// How many timers the rows name, at least as many as there are.
    pub(super) timers: u64,
    /// Each timer is named once, and registered.
    pub(super) exact: bool,
    /// How long the named timers are together.
    pub(super) timer_bytes: usize,
}

impl Store<'_> {
    /// Appends rows with `timers`, which ascend, after the first `kept` rows of a bucket, and deletes the others of
    /// its `before` rows; wholly or not at all. Returns how many rows there are then.
    pub(super) fn write<'t>(
        &mut self,
        bucket: u64,
        before: u32,
        kept: u32,
        timers: impl Iterator<Item = (&'t [u8], Mark)>,
    ) -> Result<u32> {
        let Self { engine, table, batch, scratch } = self;
        let mut rows = kept;
        batch.clear();
        rows::encode(timers, scratch, |row| {
            batch.put(*table, &rows::row_key(bucket, rows), row);
            rows += 1;
        });
        for row in rows..before {
            batch.delete(*table, &rows::row_key(bucket, row));
        }
        if !batch.is_empty() {
            engine.write(batch)?;
        }
        Ok(rows)
    }

    /// Reads the timers of a bucket, each once.
    pub(super) fn read(&mut self, bucket: u64, stored: &Stored) -> Result<Packed> {
        let mut bytes = Vec::new();
        let mut named: Vec<(Range<usize>, Mark)> = Vec::new();
        self.visit(bucket, stored, |timer, mark| {
            let start = bytes.len();
            bytes.extend_from_slice(timer);
            named.push((start..bytes.len(), mark));
            Ok(())
        })?;
        // Stable, so that of equal timers the one named last comes last; and nearly linear, since each row ascends.
        named.sort_by(|(a, _), (b, _)| compare(&bytes[a.clone()], &bytes[b.clone()]));
        let mut packed = Packed::with_capacity(named.len(), bytes.len());
        let mut named = named.into_iter().peekable();
        while let Some((range, mark)) = named.next() {
            let timer = &bytes[range];
            let overridden = named.peek().is_some_and(|(next, _)| bytes[next.clone()] == *timer);
            if !overridden && mark == Mark::Registered {
                packed.push(timer);
            }
        }
        Ok(packed.shrunk())
    }

    /// Returns whether a timer is stored in a bucket.
    pub(super) fn contains(&mut self, bucket: u64, stored: &Stored, timer: &[u8]) -> Result<bool> {
        let mut last = Mark::Removed;
        self.visit(bucket, stored, |named, mark| {
            if named == timer {
                last = mark;
            }
            Ok(())
        })?;
        Ok(last == Mark::Registered)
    }

    /// Passes all timers that the rows of a bucket name to `visit`.
    fn visit(
        &mut self,
        bucket: u64,
        stored: &Stored,
        mut visit: impl FnMut(&[u8], Mark) -> Result<()>,
    ) -> Result<()> {
        let (start, end) = (rows::row_key(bucket, 0), rows::row_key(bucket, stored.rows));
        let range = KeyRange::new(&start, Some(&end));
        let mut cursor = self.engine.scan(self.table, range, Direction::Forward)?;
        let mut next = 0;
        // Bytes that a row shares cost it nothing: without a bound, few damaged ones could fill the memory.
        let mut left = stored.timer_bytes;
        while let Some((key, row)) = cursor.next()? {
            if key != rows::row_key(bucket, next) {
                break;
            }
            rows::decode(row, self.scratch, |timer, mark| {
                left = left
                    .checked_sub(timer.len())
                    .ok_or_else(|| malformed("it holds more than was written"))?;
                visit(timer, mark)
            })?;
            next += 1;
        }
        if next < stored.rows || left > 0 {
            return Err(malformed("some of it is missing"));
        }
        Ok(())
    }
}
