use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use keyed_state_core::{
    Capabilities, CompactionFilter, Cursor, Direction, Engine, Error, ErrorKind, KeyRange, Result,
    TableId, WriteBatch,
};

/// A call of an engine that can be made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// [`Engine::open_table`].
    OpenTable,
    /// [`Engine::get`].
    Get,
    /// [`Engine::put`].
    Put,
    /// [`Engine::delete`].
    Delete,
    /// [`Engine::scan`].
    Scan,
    /// [`Cursor::next`] of any cursor.
    Next,
    /// [`Engine::delete_range`].
    DeleteRange,
    /// [`Engine::write`].
    Write,
    /// [`Engine::flush`].
    Flush,
    /// [`Engine::compact`].
    Compact,
    /// [`Engine::close`].
    Close,
}

impl Call {
    /// Every call.
    pub const ALL: [Self; 11] = [
        Self::OpenTable,
        Self::Get,
        Self::Put,
        Self::Delete,
        Self::Scan,
        Self::Next,
        Self::DeleteRange,
        Self::Write,
        Self::Flush,
        Self::Compact,
        Self::Close,
    ];
}

/// Handle on a [`FailingEngine`]: says which calls fail, and counts them. Clones share both.
///
/// ```
/// use keyed_state_conformance::{Call, FailingEngine, Failures, reference::TreeEngine};
/// use keyed_state_core::Engine;
///
/// let failures = Failures::new();
/// let mut engine = FailingEngine::new(TreeEngine::in_memory(), failures.clone());
/// let table = engine.open_table("t")?;
/// failures.fail(Call::Put, 2);
/// engine.put(table, b"first", b"")?;
/// assert!(engine.put(table, b"second", b"").is_err());
/// failures.heal();
/// engine.put(table, b"third", b"")?;
/// assert_eq!(failures.count(Call::Put), 3);
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Failures(Arc<[Counter; Call::ALL.len()]>);

#[derive(Default)]
struct Counter {
    calls: AtomicU64,
    /// The number of the first call that fails; 0 means none.
    fails_from: AtomicU64,
}

impl Failures {
    /// Creates a handle by which nothing fails yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the `nth` call from now, and all later ones, fail until [`heal`](Self::heal); 1 is the next.
    pub fn fail(&self, call: Call, nth: u64) {
        let counter = &self.0[call as usize];
        counter.fails_from.store(counter.calls.load(Ordering::Relaxed) + nth, Ordering::Relaxed);
    }

    /// Lets everything succeed again.
    pub fn heal(&self) {
        for counter in self.0.iter() {
            counter.fails_from.store(0, Ordering::Relaxed);
        }
    }

    /// Returns how often `call` was made, failures included.
    #[must_use]
    pub fn count(&self, call: Call) -> u64 {
        self.0[call as usize].calls.load(Ordering::Relaxed)
    }

    /// Counts a call, and fails it if so arranged. For engines that fail on their inside.
    ///
    /// # Errors
    ///
    /// [`Storage`](ErrorKind::Storage), as arranged.
    pub fn check(&self, call: Call) -> Result<()> {
        let counter = &self.0[call as usize];
        let number = counter.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let fails_from = counter.fails_from.load(Ordering::Relaxed);
        if fails_from == 0 || number < fails_from {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Storage, format!("{call:?} was made to fail")))
    }
}

impl fmt::Debug for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = Call::ALL.map(|call| (call, self.count(call)));
        f.debug_map().entries(calls.into_iter().filter(|(_, count)| *count > 0)).finish()
    }
}

/// An engine whose calls fail on demand, before they reach the engine inside.
///
/// Never fails by itself: see [`Failures`]. Dropping it drops the engine inside, as in a crash.
#[derive(Debug)]
pub struct FailingEngine<E> {
    inner: E,
    failures: Failures,
}

impl<E: Engine> FailingEngine<E> {
    /// Wraps `inner`, to fail as `failures` says.
    pub fn new(inner: E, failures: Failures) -> Self {
        Self { inner, failures }
    }
}

#[deny(clippy::missing_trait_methods)]
impl<E: Engine> Engine for FailingEngine<E> {
    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn open_table(&mut self, name: &str) -> Result<TableId> {
        self.failures.check(Call::OpenTable)?;
        self.inner.open_table(name)
    }

    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool> {
        self.failures.check(Call::Get)?;
        self.inner.get(table, key, visit)
    }

    fn put(&mut self, table: TableId, key: &[u8], value: &[u8]) -> Result<()> {
        self.failures.check(Call::Put)?;
        self.inner.put(table, key, value)
    }

    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<()> {
        self.failures.check(Call::Delete)?;
        self.inner.delete(table, key)
    }

    fn scan(
        &self,
        table: TableId,
        range: KeyRange<'_>,
        direction: Direction,
    ) -> Result<Box<dyn Cursor + Send + '_>> {
        self.failures.check(Call::Scan)?;
        let inner = Some(self.inner.scan(table, range, direction)?);
        Ok(Box::new(FailingCursor { inner, failures: &self.failures }))
    }

    fn delete_range(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()> {
        self.failures.check(Call::DeleteRange)?;
        self.inner.delete_range(table, range)
    }

    fn write(&mut self, batch: &WriteBatch) -> Result<()> {
        self.failures.check(Call::Write)?;
        self.inner.write(batch)
    }

    fn flush(&mut self) -> Result<()> {
        self.failures.check(Call::Flush)?;
        self.inner.flush()
    }

    fn compact(&mut self) -> Result<()> {
        self.failures.check(Call::Compact)?;
        self.inner.compact()
    }

    fn set_compaction_filter(
        &mut self,
        table: TableId,
        filter: Arc<dyn CompactionFilter>,
    ) -> Result<()> {
        self.inner.set_compaction_filter(table, filter)
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.failures.check(Call::Close)?;
        Box::new(self.inner).close()
    }
}

struct FailingCursor<'a> {
    /// `None` after an error: the cursor is exhausted then.
    inner: Option<Box<dyn Cursor + Send + 'a>>,
    failures: &'a Failures,
}

impl Cursor for FailingCursor<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        if let Err(error) = self.failures.check(Call::Next) {
            self.inner = None;
            return Err(error);
        }
        match &mut self.inner {
            Some(cursor) => cursor.next(),
            None => Ok(None),
        }
    }
}
