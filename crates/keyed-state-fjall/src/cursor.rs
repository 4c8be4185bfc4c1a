use std::borrow::Cow;

use fjall::{Guard, Iter, Keyspace, KvPair};
use keyed_state_core::{Cursor, Direction, Result};

use crate::{FjallEngine, keys::original};

/// Walks a range of a keyspace.
///
/// fjall's iterators read the version that was the latest when they were opened. They would see later
/// writes to its memtable, but there are none: the cursor borrows the engine, and writing needs it mutably.
pub(crate) struct FjallCursor<'a> {
    engine: &'a FjallEngine,
    keyspace: &'a Keyspace,
    direction: Direction,
    /// `None` when exhausted: fjall does not say what its iterators do after an error.
    entries: Option<Iter>,
    /// The entry that is lent out; it shares the memory of fjall's block or memtable.
    entry: Option<KvPair>,
    /// Its key, where that is stored in another form.
    key: Vec<u8>,
}

impl<'a> FjallCursor<'a> {
    /// Without `entries` there is nothing to walk.
    pub(crate) fn new(
        engine: &'a FjallEngine,
        keyspace: &'a Keyspace,
        direction: Direction,
        entries: Option<Iter>,
    ) -> Self {
        Self { engine, keyspace, direction, entries, entry: None, key: Vec::new() }
    }
}

impl Cursor for FjallCursor<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        let Some(entries) = &mut self.entries else { return Ok(None) };
        let step = match self.direction {
            Direction::Forward => entries.next(),
            Direction::Reverse => entries.next_back(),
        };
        match step.map(Guard::into_inner) {
            Some(Ok(entry)) => {
                let (stored, value) = self.entry.insert(entry);
                Ok(Some(match original(stored) {
                    Cow::Borrowed(key) => (key, value),
                    Cow::Owned(key) => {
                        self.key = key;
                        (&self.key, value)
                    }
                }))
            }
            Some(Err(error)) => {
                self.entries = None;
                Err(self.engine.table_error(error, "scan", self.keyspace))
            }
            None => {
                self.entries = None;
                Ok(None)
            }
        }
    }
}
