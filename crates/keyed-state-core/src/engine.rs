use std::{fmt, sync::Arc};

use crate::{CompactionFilter, Error, ErrorKind, Result, WriteBatch};

/// A table of an engine: a column family, a keyspace or a key prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub u32);

/// Half-open range of byte keys: `start <= key`, and `key < end` if there is an end.
///
/// A range whose end is not above its start is empty, never an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyRange<'a> {
    /// First key in the range.
    pub start: &'a [u8],
    /// First key past the range; `None` means unbounded.
    pub end: Option<&'a [u8]>,
}

impl<'a> KeyRange<'a> {
    /// Every key.
    pub const ALL: KeyRange<'static> = KeyRange { start: &[], end: None };

    /// Returns the range from `start` up to `end`.
    #[must_use]
    pub fn new(start: &'a [u8], end: Option<&'a [u8]>) -> Self {
        Self { start, end }
    }

    /// Returns whether no key can lie in the range.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.end.is_some_and(|end| end <= self.start)
    }

    /// Returns whether `key` lies in the range.
    #[must_use]
    pub fn contains(&self, key: &[u8]) -> bool {
        self.start <= key && self.end.is_none_or(|end| key < end)
    }
}

impl fmt::Debug for KeyRange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end {
            Some(end) => write!(f, "[{:02x?}, {end:02x?})", self.start),
            None => write!(f, "[{:02x?}, ..)", self.start),
        }
    }
}

/// Which way a scan walks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From the smallest key to the largest.
    #[default]
    Forward,
    /// From the largest key to the smallest.
    Reverse,
}

/// What an engine or backend offers beyond the required methods.
///
/// Declared once and held to it by the conformance suite: what is declared must work, and what is not
/// must answer [`Unsupported`](ErrorKind::Unsupported). Build it with `..Capabilities::default()`, so that
/// new fields default to "no".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Capabilities {
    /// Data survives closing and opening again.
    pub durable: bool,
    /// `delete_range` costs the same whatever lies in the range. Without it, `delete_range` still works
    /// but walks the range.
    pub native_delete_range: bool,
    /// `compact` works.
    pub compact: bool,
    /// `set_compaction_filter` works. Without it, core removes expired rows itself, a few at each access
    /// to their state.
    pub compaction_filter: bool,
    /// States may have a [`Ttl`](crate::Ttl). Of backends alone: [`EngineBackend`](crate::EngineBackend) offers it on every
    /// engine.
    pub ttl: bool,
}

/// An ordered byte-level key-value store: all that a storage author has to provide.
///
/// [`EngineBackend`](crate::EngineBackend) makes a full keyed backend of it. Object safe: `Box<dyn Engine>` is an
/// engine too, for a choice at run time.
///
/// # Laws
///
/// The conformance suite tests all of them.
///
/// - Keys compare as unsigned bytes. Any bytes are legal in keys and values, an empty value included;
///   keys are never empty and never longer than [`MAX_KEY_BYTES`](crate::MAX_KEY_BYTES).
/// - A write is visible to every later read. Reads change nothing.
/// - [`write`](Self::write) and [`delete_range`](Self::delete_range) happen wholly or not at all.
/// - After an error the engine either works as before or answers errors from then on; it never loses an
///   acknowledged write silently.
/// - An engine that is `durable` holds, when opened again after [`close`](Self::close), exactly what it held. After a crash it
///   may hold anything that was flushed or less: [`EngineBackend`](crate::EngineBackend) refuses to
///   open such a directory, so no write-ahead log is needed.
///
/// A wrapper around another engine should carry `#[deny(clippy::missing_trait_methods)]`, lest a default
/// of this trait hides the inner engine's method.
pub trait Engine: Send + Sync {
    /// Returns what this engine offers. Never changes while the engine is open.
    fn capabilities(&self) -> Capabilities;

    /// Opens the table `name`, creating it if it does not exist; the same name gives the same id.
    ///
    /// Names come from core and consist of 1 to [`MAX_TABLE_NAME_BYTES`](crate::MAX_TABLE_NAME_BYTES)
    /// of `a-z A-Z 0-9 _ - .`.
    fn open_table(&mut self, name: &str) -> Result<TableId>;

    /// Calls `visit` with the value of `key` and returns true, or returns false if there is none.
    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool>;

    /// Sets `key` to `value`.
    fn put(&mut self, table: TableId, key: &[u8], value: &[u8]) -> Result<()>;

    /// Removes `key`; an absent key is fine.
    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<()>;

    /// Opens a cursor before the first key of `range`, seen in `direction`.
    ///
    /// Pass both bounds to the store: a scan that runs past its range to find the end pays for every
    /// tombstone on the way.
    fn scan(
        &self,
        table: TableId,
        range: KeyRange<'_>,
        direction: Direction,
    ) -> Result<Box<dyn Cursor + Send + '_>>;

    /// Removes every key of `range`, wholly or not at all.
    ///
    /// With [`native_delete_range`](Capabilities::native_delete_range) the cost does not depend on what
    /// lies in the range.
    fn delete_range(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()>;

    /// Applies the operations of `batch` in their order, wholly or not at all.
    fn write(&mut self, batch: &WriteBatch) -> Result<()>;

    /// Makes everything written so far durable. Does nothing where nothing is durable.
    fn flush(&mut self) -> Result<()>;

    /// Rewrites the engine's files so that deleted data takes no more room; waits for the end.
    ///
    /// Requires [`Capabilities::compact`].
    fn compact(&mut self) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, "this engine has no manual compaction"))
    }

    /// Lets `filter` decide, from now on, which rows of `table` compactions drop.
    ///
    /// Called at most once for a table, after it was opened. Only rows that a compaction rewrites are asked about, each
    /// perhaps many times or never; rows that were written before the call too. Until this is called for a stored table,
    /// its rows stay.
    ///
    /// Requires [`Capabilities::compaction_filter`].
    fn set_compaction_filter(
        &mut self,
        table: TableId,
        filter: Arc<dyn CompactionFilter>,
    ) -> Result<()> {
        let _ = (table, filter);
        Err(Error::new(ErrorKind::Unsupported, "this engine has no compaction filters"))
    }

    /// Flushes and releases the store; afterwards it can be opened again, here or elsewhere.
    fn close(self: Box<Self>) -> Result<()>;
}

/// Walks a range of keys.
pub trait Cursor {
    /// Steps to the next entry and lends it; `None` at the end and ever after.
    ///
    /// After an error the cursor is exhausted.
    fn next(&mut self) -> Result<Option<(&[u8], &[u8])>>;
}

#[deny(clippy::missing_trait_methods)]
impl<E: Engine + ?Sized> Engine for Box<E> {
    fn capabilities(&self) -> Capabilities {
        (**self).capabilities()
    }

    fn open_table(&mut self, name: &str) -> Result<TableId> {
        (**self).open_table(name)
    }

    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool> {
        (**self).get(table, key, visit)
    }

    fn put(&mut self, table: TableId, key: &[u8], value: &[u8]) -> Result<()> {
        (**self).put(table, key, value)
    }

    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<()> {
        (**self).delete(table, key)
    }

    fn scan(
        &self,
        table: TableId,
        range: KeyRange<'_>,
        direction: Direction,
    ) -> Result<Box<dyn Cursor + Send + '_>> {
        (**self).scan(table, range, direction)
    }

    fn delete_range(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()> {
        (**self).delete_range(table, range)
    }

    fn write(&mut self, batch: &WriteBatch) -> Result<()> {
        (**self).write(batch)
    }

    fn flush(&mut self) -> Result<()> {
        (**self).flush()
    }

    fn compact(&mut self) -> Result<()> {
        (**self).compact()
    }

    fn set_compaction_filter(
        &mut self,
        table: TableId,
        filter: Arc<dyn CompactionFilter>,
    ) -> Result<()> {
        (**self).set_compaction_filter(table, filter)
    }

    fn close(self: Box<Self>) -> Result<()> {
        (*self).close()
    }
}
