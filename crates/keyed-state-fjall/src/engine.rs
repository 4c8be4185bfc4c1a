use std::{
    borrow::Cow,
    fmt, mem,
    ops::Bound,
    path::{self, Path, PathBuf},
    sync::Arc,
};

use fjall::{Database, Keyspace, OwnedWriteBatch, PersistMode};
use keyed_state_core::{
    Capabilities, CompactionFilter, Cursor, Direction, Engine, Error, ErrorKind, KeyRange, Result,
    TableId, WriteBatch, WriteOp,
};

use crate::{
    FjallConfig,
    cursor::{Deleted, FjallCursor},
    directory,
    error::{damaged, engine_error},
    filters::Filters,
    keys::{self, ANCHOR},
    limits::{check_bound, check_key, check_table_name, check_value},
    ranges::{RangeLog, Ranges, Record, Span},
    stamp,
    write_buffers::{self, WriteBuffers},
};

const KEPT_BYTES: usize = 1 << 20;

/// The deleted ranges of a table are kept in so many pieces at most; beyond, rows are deleted one by one.
const MAX_PIECES: usize = 1 << 16;
/// From so many pieces on, each deletion of a range looks at some that are there.
const PIECES_BEFORE_RECLAIM: usize = 1 << 10;
const PIECES_A_STEP: usize = 2;
/// Pieces of more rows are left to compactions.
const ROWS_A_PIECE: usize = 64;

/// A fjall database as an [`Engine`]: one keyspace a table, one journal and one memory budget for all.
///
/// Open it with [`open`](Self::open) and hand it to [`EngineBackend`](keyed_state_core::EngineBackend); see the crate's documentation for
/// an example.
///
/// Dropping it without [`close`](Engine::close) writes out what was not flushed too, but cannot tell
/// whether that failed.
pub struct FjallEngine {
    database: Database,
    /// By table id.
    keyspaces: Vec<Keyspace>,
    /// By table id too.
    ranges: Vec<Arc<Ranges>>,
    log: RangeLog,
    /// How many ranges were deleted so far.
    epoch: u64,
    /// Up to where each table's deleted ranges were looked at, by table id.
    reclaimed: Vec<Vec<u8>>,
    /// Epochs whose rows in the log are yet to be removed.
    forgotten: Vec<u64>,
    /// Lent to writes, for values behind their stamps.
    value: Vec<u8>,
    write_buffers: WriteBuffers,
    filters: Filters,
    config: FjallConfig,
    path: PathBuf,
}

impl FjallEngine {
    /// Opens the database in the directory `path`, creating both if they do not exist.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](ErrorKind::InvalidArgument): `path` is a file, or an option is outside its limits.
    /// - [`Locked`](ErrorKind::Locked): another process, or another handle in this one, has it open.
    /// - [`Incompatible`](ErrorKind::Incompatible): the directory holds something else, which is left as it
    ///   is, or a database of another format.
    /// - [`Storage`](ErrorKind::Storage): everything else, with fjall's error as the source.
    pub fn open(path: impl AsRef<Path>, config: &FjallConfig) -> Result<Self> {
        config.check()?;
        let path = path::absolute(&path).map_err(|error| {
            let path = path.as_ref().display();
            Error::new(ErrorKind::InvalidArgument, format!("\"{path}\" is no path of a directory"))
                .with_source(error)
        })?;
        directory::check(&path)?;
        let filters = Filters::default();
        let assigned = filters.clone();
        let database = config
            .database(&path)
            .with_compaction_filter_factories(Arc::new(move |keyspace| assigned.factory(keyspace)))
            .open()
            .map_err(|error| engine_error(error, "open the database", &path))?;
        let (log, epoch, records) = RangeLog::open(&database, config, &path)?;
        let mut forgotten = Vec::new();
        for Record { epoch, table, start, end } in records {
            // What was put into it since is not known any more.
            let ranges = filters.of(&table).ranges;
            ranges.delete(&start, end.as_deref(), epoch, true, &mut forgotten);
        }
        Ok(Self {
            database,
            keyspaces: Vec::new(),
            ranges: Vec::new(),
            reclaimed: Vec::new(),
            log,
            epoch,
            forgotten,
            value: Vec::new(),
            write_buffers: WriteBuffers::new(config.write_buffer_bytes),
            filters,
            config: config.clone(),
            path,
        })
    }

    /// Returns the database itself, for what this crate does not cover, such as statistics.
    ///
    /// What is written through it must be in a keyspace that is not a table's.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Returns the absolute path of the database's directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn keyspace(&self, table: TableId) -> Result<&Keyspace> {
        self.keyspaces.get(table.0 as usize).ok_or_else(|| {
            Error::new(
                ErrorKind::UnknownState,
                format!(
                    "table {} was not opened in the fjall database {}",
                    table.0,
                    self.path.display()
                ),
            )
        })
    }

    /// Makes room for entries that are about to be written.
    fn make_room(&mut self, entries: usize, bytes: usize) -> Result<()> {
        self.write_buffers
            .make_room(&self.database, &self.keyspaces, entries, bytes)
            .map_err(|error| engine_error(error, "write out memtables", &self.path))
    }

    fn batch(&self, capacity: usize) -> OwnedWriteBatch {
        OwnedWriteBatch::with_capacity(self.database.clone(), capacity).durability(None)
    }

    fn commit(&self, batch: OwnedWriteBatch) -> Result<()> {
        batch.commit().map_err(|error| engine_error(error, "write a batch", &self.path))
    }

    fn persist(&self) -> Result<()> {
        self.database
            .persist(PersistMode::SyncAll)
            .map_err(|error| engine_error(error, "sync the journal", &self.path))
    }

    fn add_table(&mut self, name: &str) -> Result<usize> {
        check_table_name(name)?;
        let keyspace = self.open_keyspace(name)?;
        // Memtables found again in the journals: at four of them in a keyspace, fjall makes writers sleep.
        write_buffers::write_out(&self.database, &keyspace)
            .map_err(|error| self.table_error(error, "open", &keyspace))?;
        let ranges = self.filters.of(name).ranges;
        let index = self.keyspaces.len();
        if ranges.len() > 0 {
            self.write_buffers.has_filter(index);
        }
        self.ranges.push(ranges);
        self.reclaimed.push(Vec::new());
        self.keyspaces.push(keyspace);
        Ok(index)
    }

    /// Makes an error of a value without stamp.
    #[cold]
    pub(crate) fn malformed(&self, keyspace: &Keyspace, stored: &[u8]) -> Error {
        damaged(
            &self.path,
            &format!("the value of {stored:02x?} in table {:?} has no stamp", &**keyspace.name()),
        )
    }

    /// Every keyspace in the database, also of states that nobody registered since it was opened.
    fn all_keyspaces(&self) -> impl Iterator<Item = Result<Keyspace>> {
        self.database.list_keyspace_names().into_iter().map(|name| self.open_keyspace(&name))
    }

    fn open_keyspace(&self, name: &str) -> Result<Keyspace> {
        self.database
            .keyspace(name, || self.config.keyspace())
            .map_err(|error| engine_error(error, format_args!("open table {name:?}"), &self.path))
    }

    #[cold]
    pub(crate) fn table_error(
        &self,
        error: fjall::Error,
        verb: &str,
        keyspace: &Keyspace,
    ) -> Error {
        engine_error(error, format_args!("{verb} table {:?}", &**keyspace.name()), &self.path)
    }
}

/// Deleting ranges, and forgetting what was deleted.
impl FjallEngine {
    /// Deletes the rows of `range` one by one.
    fn delete_rows(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()> {
        let mut deletes = WriteBatch::new();
        let mut cursor = self.scan(table, range, Direction::Forward)?;
        while let Some((key, _)) = cursor.next()? {
            deletes.delete(table, key);
        }
        drop(cursor);
        self.write(&deletes)
    }

    /// Looks at the next few pieces of a table's deleted ranges. What is dead in small ones is deleted row by row, and they are forgotten.
    fn reclaim_some(&mut self, index: usize) -> Result<()> {
        for _ in 0..PIECES_A_STEP {
            let from = mem::take(&mut self.reclaimed[index]);
            let Some(span) = self.ranges[index].first_from(&from) else { return Ok(()) };
            self.reclaimed[index] = [span.start.as_slice(), &[0]].concat();
            self.reclaim(index, &span, ROWS_A_PIECE)?;
        }
        Ok(())
    }

    /// Looks at all pieces of a table's deleted ranges after a compaction, which has dropped what was dead in them.
    fn reclaim_all(&mut self, index: usize) -> Result<()> {
        let mut from = Vec::new();
        while let Some(span) = self.ranges[index].first_from(&from) {
            self.reclaim(index, &span, usize::MAX)?;
            from = [span.start.as_slice(), &[0]].concat();
        }
        Ok(())
    }

    /// Deletes what is dead in a piece, if it has no more rows than `most`, and forgets it.
    fn reclaim(&mut self, index: usize, span: &Span, most: usize) -> Result<()> {
        let keyspace = &self.keyspaces[index];
        let end = span.end.as_deref().unwrap_or(&ANCHOR);
        let bounds = (Bound::Included(span.start.as_slice()), Bound::Excluded(end));
        let mut batch = self.batch(0);
        let mut bytes = 0;
        for (number, row) in keyspace.range::<&[u8], _>(bounds).enumerate() {
            if number == most {
                return Ok(());
            }
            let row = row.into_inner();
            let (key, value) = row.map_err(|error| self.table_error(error, "scan", keyspace))?;
            let stamp = stamp::split(&value).ok_or_else(|| self.malformed(keyspace, &key))?.0;
            if stamp < span.epoch {
                bytes += key.len();
                batch.remove(keyspace, key);
            }
        }
        self.make_room(batch.len(), bytes)?;
        self.commit(batch)?;
        self.ranges[index].forget(&span.start, &mut self.forgotten);
        Ok(())
    }

    fn remove_forgotten(&self, batch: &mut OwnedWriteBatch) {
        for epoch in &self.forgotten {
            self.log.remove(*epoch, batch);
        }
    }

    /// Removes the rows of what was forgotten from the log. A row too many would do no harm: all it covers is gone or younger.
    fn write_forgotten(&mut self) -> Result<()> {
        let mut batch = self.batch(self.forgotten.len());
        self.remove_forgotten(&mut batch);
        self.commit(batch)?;
        self.forgotten.clear();
        Ok(())
    }
}

impl Engine for FjallEngine {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            durable: true,
            native_delete_range: true,
            compact: true,
            compaction_filter: true,
            ..Capabilities::default()
        }
    }

    fn open_table(&mut self, name: &str) -> Result<TableId> {
        let known = self.keyspaces.iter().position(|keyspace| &**keyspace.name() == name);
        let index = known.map_or_else(|| self.add_table(name), Ok)?;
        u32::try_from(index).map(TableId).map_err(|_| {
            Error::new(ErrorKind::InvalidArgument, "a database has at most 2^32 tables")
        })
    }

    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool> {
        let keyspace = self.keyspace(table)?;
        check_key(key)?;
        let key = keys::stored(key);
        match keyspace.get(&key) {
            Ok(Some(stored)) => {
                let (stamp, value) =
                    stamp::split(&stored).ok_or_else(|| self.malformed(keyspace, &key))?;
                if stamp < self.ranges[table.0 as usize].epoch_at(&key) {
                    return Ok(false);
                }
                visit(value);
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => Err(self.table_error(error, "read", keyspace)),
        }
    }

    fn put(&mut self, table: TableId, key: &[u8], value: &[u8]) -> Result<()> {
        self.keyspace(table)?;
        check_key(key)?;
        check_value(value)?;
        self.make_room(1, key.len() + value.len())?;
        let key = keys::stored(key);
        self.ranges[table.0 as usize].note_put(&key);
        // One large value must not hold its memory for ever.
        self.value.clear();
        self.value.shrink_to(KEPT_BYTES);
        stamp::stamp(self.epoch, value, &mut self.value);
        let keyspace = self.keyspace(table)?;
        keyspace
            .insert(&*key, &*self.value)
            .map_err(|error| self.table_error(error, "write to", keyspace))
    }

    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<()> {
        self.keyspace(table)?;
        check_key(key)?;
        self.make_room(1, key.len())?;
        let keyspace = self.keyspace(table)?;
        keyspace
            .remove(&*keys::stored(key))
            .map_err(|error| self.table_error(error, "delete from", keyspace))
    }

    fn scan(
        &self,
        table: TableId,
        range: KeyRange<'_>,
        direction: Direction,
    ) -> Result<Box<dyn Cursor + Send + '_>> {
        let keyspace = self.keyspace(table)?;
        let ranges = &self.ranges[table.0 as usize];
        let entries = entries(keyspace, range)?;
        let deleted = (ranges.len() > 0).then(|| {
            let (start, end) = bounds(range);
            Deleted::new(Arc::clone(ranges), start.into_owned(), end.into_owned())
        });
        Ok(Box::new(FjallCursor::new(self, keyspace, direction, entries, deleted)))
    }

    fn delete_range(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()> {
        self.keyspace(table)?;
        check_range(range)?;
        if range.is_empty() {
            return Ok(());
        }
        let index = table.0 as usize;
        if self.ranges[index].len() >= MAX_PIECES {
            return self.delete_rows(table, range);
        }
        // Before, so that an error leaves the range as it was.
        if self.ranges[index].len() >= PIECES_BEFORE_RECLAIM {
            self.reclaim_some(index)?;
        }
        let keyspace = &self.keyspaces[index];
        let record = Record {
            epoch: self.epoch + 1,
            table: (**keyspace.name()).to_owned(),
            start: keys::stored(range.start).into_owned(),
            end: range.end.map(|end| keys::stored(end).into_owned()),
        };
        let mut batch = self.batch(2 + self.forgotten.len());
        let bytes = self.log.append(&record, &mut batch);
        self.remove_forgotten(&mut batch);
        self.make_room(batch.len(), bytes)?;
        self.commit(batch)?;
        self.forgotten.clear();
        let Record { epoch, start, end, .. } = record;
        self.epoch = epoch;
        self.ranges[index].delete(&start, end.as_deref(), epoch, false, &mut self.forgotten);
        self.write_buffers.has_filter(index);
        Ok(())
    }

    fn write(&mut self, batch: &WriteBatch) -> Result<()> {
        let mut checked = self.batch(batch.len());
        let (mut bytes, mut buffer) = (0, Vec::new());
        for op in batch.iter() {
            let keyspace = self.keyspace(op.table())?;
            check_key(op.key())?;
            bytes += op.key().len();
            match op {
                WriteOp::Put { key, value, .. } => {
                    check_value(value)?;
                    bytes += value.len();
                    let key = keys::stored(key);
                    self.ranges[op.table().0 as usize].note_put(&key);
                    stamp::stamp(self.epoch, value, &mut buffer);
                    checked.insert(keyspace, &*key, &*buffer);
                }
                WriteOp::Delete { key, .. } => checked.remove(keyspace, &*keys::stored(key)),
            }
        }
        self.make_room(batch.len(), bytes)?;
        self.commit(checked)
    }

    /// Syncs the journal: it has every write since the memtables were last written out, and opening
    /// reads it. Writing the memtables out as well would leave a small file for each state at each flush.
    fn flush(&mut self) -> Result<()> {
        self.persist()
    }

    fn compact(&mut self) -> Result<()> {
        for keyspace in self.all_keyspaces() {
            let keyspace = keyspace?;
            write_buffers::compact(&self.database, &keyspace)
                .map_err(|error| self.table_error(error, "compact", &keyspace))?;
        }
        for index in 0..self.keyspaces.len() {
            self.reclaim_all(index)?;
        }
        self.write_forgotten()
    }

    fn set_compaction_filter(
        &mut self,
        table: TableId,
        filter: Arc<dyn CompactionFilter>,
    ) -> Result<()> {
        let keyspace = self.keyspace(table)?;
        self.filters.of(keyspace.name()).slot.set(filter);
        self.write_buffers.has_filter(table.0 as usize);
        Ok(())
    }

    fn close(mut self: Box<Self>) -> Result<()> {
        self.write_forgotten()?;
        self.write_buffers
            .anchor_all(&self.database, &self.keyspaces)
            .map_err(|error| engine_error(error, "write out memtables", &self.path))?;
        // Dropping the database waits for its workers, then releases the lock.
        self.persist()
    }
}

impl fmt::Debug for FjallEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables: Vec<&str> = self.keyspaces.iter().map(|keyspace| &**keyspace.name()).collect();
        f.debug_struct("FjallEngine")
            .field("path", &self.path)
            .field("tables", &tables)
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

/// Returns the bounds of `range` as they are stored.
fn bounds(range: KeyRange<'_>) -> (Cow<'_, [u8]>, Cow<'_, [u8]>) {
    (keys::stored(range.start), range.end.map_or(Cow::Borrowed(ANCHOR.as_slice()), keys::stored))
}

fn check_range(range: KeyRange<'_>) -> Result<()> {
    check_bound(range.start)?;
    range.end.map_or(Ok(()), check_bound)
}

/// Returns the entries of `range`, or `None` where there can be none.
fn entries(keyspace: &Keyspace, range: KeyRange<'_>) -> Result<Option<fjall::Iter>> {
    check_range(range)?;
    if range.is_empty() {
        return Ok(None);
    }
    let (start, end) = bounds(range);
    let start = if start.is_empty() { Bound::Unbounded } else { Bound::Included(&*start) };
    Ok(Some(keyspace.range::<&[u8], _>((start, Bound::Excluded(&*end)))))
}
