//! Buckets between memory and engine.

use std::iter;

use super::{
    bucket::Bucket,
    changes::{Changes, Mark},
    key::{TimerKey, compare},
    packed::Packed,
    rows::malformed,
    store::{Store, Stored},
};
use crate::Result;

/// With more rows than this, a bucket is written anew instead of appended to.
const MAX_ROWS: u32 = 256;

impl Bucket {
    /// Brings the timers into memory; `end` is the start of the next bucket.
    pub(super) fn load(&mut self, store: &mut Store<'_>, end: Option<&TimerKey>) -> Result<()> {
        if self.timers.is_none() {
            let timers = self.read(store, end)?;
            // Rows that cancel each other out must go at some time.
            self.stale = timers.is_empty();
            self.timers = Some(timers);
        }
        Ok(())
    }

    /// Reads what the engine has.
    pub(super) fn read(&self, store: &mut Store<'_>, end: Option<&TimerKey>) -> Result<Packed> {
        let timers = store.read(self.id, &self.stored)?;
        let early = timers.first().is_some_and(|first| compare(first, self.start.bytes()).is_lt());
        let late =
            end.zip(timers.last()).is_some_and(|(end, last)| compare(last, end.bytes()).is_ge());
        if early || late {
            return Err(malformed("it holds timers of another one"));
        }
        Ok(timers)
    }

    /// Removes a timer of which only the engine can tell if it is registered; returns whether it was there.
    pub(super) fn remove_stored(
        &mut self,
        timer: &TimerKey,
        store: &mut Store<'_>,
    ) -> Result<bool> {
        let there = store.contains(self.id, &self.stored, timer.bytes())?;
        if there {
            self.changes.set(timer.clone(), Mark::Removed);
        }
        Ok(there)
    }

    /// Deletes the rows of a bucket without timers.
    pub(super) fn clear(&mut self, store: &mut Store<'_>) -> Result<()> {
        let rows = store.write(self.id, self.stored.rows, 0, iter::empty())?;
        self.stored = Stored { rows, ..Stored::default() };
        Ok(())
    }

    /// Returns whether all that is in memory is in the engine too.
    pub(super) fn is_written(&self) -> bool {
        !self.stale && self.changes.is_empty()
    }

    /// Returns whether the changes can be written without the timers.
    pub(super) fn can_append(&self, limit_bytes: usize) -> bool {
        let bytes = self.stored.timer_bytes + self.changes.timer_bytes();
        !self.stale && (1..MAX_ROWS).contains(&self.stored.rows) && bytes <= limit_bytes
    }

    /// Makes the engine have what is in memory. The timers must be there, unless the changes can be
    /// appended.
    pub(super) fn write(&mut self, store: &mut Store<'_>, limit_bytes: usize) -> Result<()> {
        if !self.is_written() && self.can_append(limit_bytes) {
            self.append(store)?;
        }
        if self.is_written() { Ok(()) } else { self.rewrite(store) }
    }

    fn append(&mut self, store: &mut Store<'_>) -> Result<()> {
        let Stored { rows, timers, timer_bytes, .. } = self.stored;
        self.stored = Stored {
            rows: store.write(self.id, rows, rows, self.changes.iter())?,
            timers: timers + self.changes.len() as u64,
            exact: false,
            timer_bytes: timer_bytes + self.changes.timer_bytes(),
        };
        if self.timers.is_some() {
            self.fold();
        }
        self.changes = Changes::default();
        self.stale = self.timers.as_ref().is_some_and(Packed::is_empty);
        Ok(())
    }

    fn rewrite(&mut self, store: &mut Store<'_>) -> Result<()> {
        self.fold();
        // Already folded when the write fails.
        self.stale = true;
        let timers = self.timers.as_ref().expect("a bucket is loaded before it is rewritten");
        let named = timers.iter().map(|timer| (timer, Mark::Registered));
        self.stored = Stored {
            rows: store.write(self.id, self.stored.rows, 0, named)?,
            timers: timers.len() as u64,
            exact: true,
            timer_bytes: timers.timer_bytes(),
        };
        self.stale = false;
        // Nothing is between; so a poll before this time need not look.
        if let Some(first) = timers.first() {
            self.start = TimerKey::new(first);
        }
        Ok(())
    }

    /// Gives back the memory of what the engine has too.
    pub(super) fn forget(&mut self) {
        if self.stored.rows > 0 && self.is_written() {
            self.timers = None;
        }
    }
}
