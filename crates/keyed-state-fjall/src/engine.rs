use std::{
    fmt,
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
    cursor::FjallCursor,
    directory,
    error::engine_error,
    filters::Filters,
    keys::{self, ANCHOR},
    limits::{check_bound, check_key, check_table_name, check_value},
    write_buffers::{self, WriteBuffers},
};

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
            .with_compaction_filter_factories(Arc::new(move |keyspace| {
                Some(assigned.factory(keyspace))
            }))
            .open()
            .map_err(|error| engine_error(error, "open the database", &path))?;
        Ok(Self {
            database,
            keyspaces: Vec::new(),
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
        self.keyspaces.push(keyspace);
        Ok(self.keyspaces.len() - 1)
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

impl Engine for FjallEngine {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            durable: true,
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
        match keyspace.get(keys::stored(key)) {
            Ok(Some(value)) => {
                visit(&value);
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
        let keyspace = self.keyspace(table)?;
        keyspace
            .insert(&*keys::stored(key), value)
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
        let entries = entries(keyspace, range)?;
        Ok(Box::new(FjallCursor::new(self, keyspace, direction, entries)))
    }

    fn delete_range(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()> {
        let keyspace = self.keyspace(table)?;
        let Some(entries) = entries(keyspace, range)? else { return Ok(()) };
        let mut batch = self.batch(0);
        let mut bytes = 0;
        for entry in entries {
            let key = entry.key().map_err(|error| self.table_error(error, "scan", keyspace))?;
            bytes += key.len();
            batch.remove(keyspace, key);
        }
        self.make_room(batch.len(), bytes)?;
        self.commit(batch)
    }

    fn write(&mut self, batch: &WriteBatch) -> Result<()> {
        let mut checked = self.batch(batch.len());
        let mut bytes = 0;
        for op in batch.iter() {
            let keyspace = self.keyspace(op.table())?;
            check_key(op.key())?;
            bytes += op.key().len();
            match op {
                WriteOp::Put { key, value, .. } => {
                    check_value(value)?;
                    bytes += value.len();
                    checked.insert(keyspace, &*keys::stored(key), value);
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
        Ok(())
    }

    fn set_compaction_filter(
        &mut self,
        table: TableId,
        filter: Arc<dyn CompactionFilter>,
    ) -> Result<()> {
        let keyspace = self.keyspace(table)?;
        self.filters.slot(keyspace.name()).set(filter);
        self.write_buffers.has_filter(table.0 as usize);
        Ok(())
    }

    fn close(self: Box<Self>) -> Result<()> {
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

/// Returns the entries of `range`, or `None` where there can be none.
fn entries(keyspace: &Keyspace, range: KeyRange<'_>) -> Result<Option<fjall::Iter>> {
    check_bound(range.start)?;
    range.end.map_or(Ok(()), check_bound)?;
    if range.is_empty() {
        return Ok(None);
    }
    let (start, end) = (keys::stored(range.start), range.end.map(keys::stored));
    let start = if start.is_empty() { Bound::Unbounded } else { Bound::Included(&*start) };
    let end = Bound::Excluded(end.as_deref().unwrap_or(&ANCHOR));
    Ok(Some(keyspace.range::<&[u8], _>((start, end))))
}
