use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use keyed_state_core::{
    Capabilities, CompactionFilter, Cursor, Direction, Engine, Error, ErrorKind, KeyRange,
    MAX_KEY_BYTES, Result, TableId, WriteBatch, WriteOp,
};
use rocksdb::{
    BottommostLevelCompaction, ColumnFamilyDescriptor, CompactOptions, DEFAULT_COLUMN_FAMILY_NAME,
    Options, ReadOptions, WriteOptions,
};

use crate::{
    RocksConfig,
    cursor::RocksCursor,
    differences::{self, ENGINE},
    directory::{self, Found},
    error,
    filters::Filters,
    limits::{check_key, check_table_name, check_value},
    options,
    table::{Database, Table, column_family, table_name},
};

/// The end of a range without end: above every key that may be stored.
static ABOVE_EVERY_KEY: [u8; MAX_KEY_BYTES + 1] = [0xFF; MAX_KEY_BYTES + 1];

/// An open RocksDB database, a column family for each table.
///
/// Made for [`EngineBackend`](keyed_state_core::EngineBackend); see the [crate
/// documentation](crate) for an example and the limits.
pub struct RocksEngine {
    // The tables stand before the database, and so are dropped before it.
    tables: Vec<Table>,
    /// Stored tables that nobody has opened yet: nothing is written to them, but compaction finds
    /// them.
    unopened: Vec<Table>,
    db: Database,
    options: Options,
    filters: Filters,
    write_options: WriteOptions,
    get_options: ReadOptions,
    path: PathBuf,
}

impl RocksEngine {
    /// Opens the database in the directory `path`, or creates it there, directories above included.
    ///
    /// What an existing one was written with does not bind `config`: new files are written as it
    /// says, old ones are read as they are.
    ///
    /// # Errors
    ///
    /// [`Locked`](ErrorKind::Locked) if another process or another handle has it open;
    /// [`Incompatible`](ErrorKind::Incompatible) if something else is in the directory, which then
    /// stays as it is, or the database holds another program's data;
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) if the path is no directory or RocksDB does
    /// not take the options; [`Storage`](ErrorKind::Storage) for everything else, such as a damaged
    /// file.
    pub fn open(path: impl AsRef<Path>, config: &RocksConfig) -> Result<Self> {
        let path = path.as_ref();
        let mut options = options::database(config)?;
        let families = match directory::inspect(path)? {
            Found::Database => column_families(path)?,
            Found::Nothing => {
                directory::create(path)?;
                options.create_if_missing(true);
                vec![DEFAULT_COLUMN_FAMILY_NAME.to_owned()]
            }
        };
        let mut filters = Filters::default();
        let mut descriptors = Vec::with_capacity(families.len());
        for family in &families {
            let options = match table_name(family) {
                Some(table) => filters.options(table, &options),
                None => options.clone(),
            };
            descriptors.push(ColumnFamilyDescriptor::new(family, options));
        }
        let db = Database::open_cf_descriptors(&options, path, descriptors)
            .map_err(|source| error::opening(path, source))?;
        check_ours(&db, path)?;
        let unopened =
            families.iter().filter_map(|family| find(&db, table_name(family)?)).collect();
        Ok(Self {
            tables: Vec::new(),
            unopened,
            db,
            options,
            filters,
            write_options: options::write(),
            get_options: ReadOptions::default(),
            path: path.to_owned(),
        })
    }

    /// Returns the directory that the database is in.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the database itself, for what this crate does not cover, such as statistics.
    ///
    /// What is written through it must be in a column family that is not a table's, and not be relied
    /// upon to survive: nothing here writes a log.
    #[must_use]
    pub fn database(&self) -> &rocksdb::DBWithThreadMode<rocksdb::MultiThreaded> {
        &self.db
    }

    /// Returns what RocksDB says about the whole database under `name`, such as
    /// `rocksdb.block-cache-usage`; `None` if it knows no such property.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for a name with a NUL in it.
    pub fn property(&self, name: &str) -> Result<Option<String>> {
        self.db.property_value(name).map_err(|source| bad_property(name, source))
    }

    /// Returns what RocksDB says about `table` under `name`, such as `rocksdb.estimate-num-keys`.
    ///
    /// # Errors
    ///
    /// As [`property`](Self::property), and [`UnknownState`](ErrorKind::UnknownState).
    pub fn table_property(&self, table: TableId, name: &str) -> Result<Option<String>> {
        self.db
            .property_value_cf(self.table(table)?.handle(), name)
            .map_err(|source| bad_property(name, source))
    }

    fn table(&self, id: TableId) -> Result<&Table> {
        self.tables.get(id.0 as usize).ok_or_else(|| {
            Error::new(
                ErrorKind::UnknownState,
                format!("{id:?} is no table of the {ENGINE} database in {}", self.path.display()),
            )
        })
    }

    #[cold]
    fn failed(&self, verb: &str, table: &Table, source: rocksdb::Error) -> Error {
        error::storage(format_args!("{verb} table {:?}", table.name()), &self.path, source)
    }

    /// How many background jobs have failed since the database was opened.
    fn background_errors(&self) -> u64 {
        let count = self.db.property_int_value("rocksdb.background-errors");
        count.ok().flatten().unwrap_or_default()
    }
}

impl Engine for RocksEngine {
    #[allow(clippy::needless_update, reason = "what core may add later is not offered here")]
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
        check_table_name(name)?;
        let id = |index| TableId(u32::try_from(index).expect("fewer than 2^32 tables"));
        if let Some(index) = self.tables.iter().position(|table| table.name() == name) {
            return Ok(id(index));
        }
        let stored = self.unopened.iter().position(|table| table.name() == name);
        let table = if let Some(index) = stored {
            self.unopened.swap_remove(index)
        } else {
            let options = self.filters.options(name, &self.options);
            self.db.create_cf(column_family(name), &options).map_err(|source| {
                error::storage(format_args!("create table {name:?}"), &self.path, source)
            })?;
            find(&self.db, name).expect("the column family was just created")
        };
        self.tables.push(table);
        Ok(id(self.tables.len() - 1))
    }

    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool> {
        let table = self.table(table)?;
        check_key(key)?;
        match self.db.get_pinned_cf_opt(table.handle(), key, &self.get_options) {
            Ok(Some(value)) => {
                visit(&value);
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(source) => Err(self.failed("read from", table, source)),
        }
    }

    fn put(&mut self, table: TableId, key: &[u8], value: &[u8]) -> Result<()> {
        let table = self.table(table)?;
        check_key(key)?;
        check_value(value)?;
        self.db
            .put_cf_opt(table.handle(), key, value, &self.write_options)
            .map_err(|source| self.failed("write to", table, source))
    }

    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<()> {
        let table = self.table(table)?;
        check_key(key)?;
        self.db
            .delete_cf_opt(table.handle(), key, &self.write_options)
            .map_err(|source| self.failed("delete from", table, source))
    }

    fn scan(
        &self,
        table: TableId,
        range: KeyRange<'_>,
        direction: Direction,
    ) -> Result<Box<dyn Cursor + Send + '_>> {
        let table = self.table(table)?;
        // RocksDB does not say what bounds in the wrong order do.
        let iterator = (!range.is_empty()).then(|| {
            let options = options::scan(range.start, range.end);
            self.db.raw_iterator_cf_opt(table.handle(), options)
        });
        Ok(Box::new(RocksCursor::new(iterator, direction, self, table.name())))
    }

    fn delete_range(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()> {
        let table = self.table(table)?;
        if range.is_empty() {
            return Ok(());
        }
        let end = range.end.unwrap_or(&ABOVE_EVERY_KEY);
        self.db
            .delete_range_cf_opt(table.handle(), range.start, end, &self.write_options)
            .map_err(|source| self.failed("delete a range from", table, source))
    }

    fn write(&mut self, batch: &WriteBatch) -> Result<()> {
        let mut writes = rocksdb::WriteBatch::default();
        for op in batch.iter() {
            let table = self.table(op.table())?;
            check_key(op.key())?;
            match op {
                WriteOp::Put { key, value, .. } => {
                    check_value(value)?;
                    writes.put_cf(table.handle(), key, value);
                }
                WriteOp::Delete { key, .. } => writes.delete_cf(table.handle(), key),
            }
        }
        self.db.write_opt(writes, &self.write_options).map_err(|source| {
            error::storage(format_args!("write a batch of {}", batch.len()), &self.path, source)
        })
    }

    fn flush(&mut self) -> Result<()> {
        differences::flush(&self.db, &self.tables)
            .map_err(|source| error::storage("flush the tables", &self.path, source))
    }

    fn compact(&mut self) -> Result<()> {
        let failed = |source| error::storage("compact the tables", &self.path, source);
        // The binding's compaction returns nothing. What went wrong in it is known by then as the
        // error that stopped the background jobs, or at least as their number.
        let before = self.background_errors();
        let mut options = CompactOptions::default();
        options.set_bottommost_level_compaction(BottommostLevelCompaction::ForceOptimized);
        for table in self.tables.iter().chain(&self.unopened) {
            let everything = None::<&[u8]>;
            self.db.compact_range_cf_opt(table.handle(), everything, everything, &options);
        }
        differences::wait_for_background_jobs(&self.db).map_err(failed)?;
        if self.background_errors() > before {
            return Err(Error::new(
                ErrorKind::Storage,
                format!(
                    "{ENGINE} cannot compact the tables in {}; its file LOG says why",
                    self.path.display()
                ),
            ));
        }
        Ok(())
    }

    fn set_compaction_filter(
        &mut self,
        table: TableId,
        filter: Arc<dyn CompactionFilter>,
    ) -> Result<()> {
        let name = self.table(table)?.name().to_owned();
        self.filters.slot(&name).set(filter);
        Ok(())
    }

    fn close(mut self: Box<Self>) -> Result<()> {
        self.flush()?;
        self.db.cancel_all_background_work(true);
        Ok(())
    }
}

impl fmt::Debug for RocksEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RocksEngine")
            .field("path", &self.path)
            .field("tables", &self.tables)
            .finish_non_exhaustive()
    }
}

/// Lists the column families of a stored database.
fn column_families(path: &Path) -> Result<Vec<String>> {
    let list = || Database::list_cf(&Options::default(), path);
    // Asked twice, because the list is read without the lock, and a process that just opens the
    // database replaces the file that it is in.
    list().or_else(|_| list()).map_err(|source| error::opening(path, source))
}

/// Refuses a database that holds rows where this crate never puts any.
fn check_ours(db: &Database, path: &Path) -> Result<()> {
    let mut rows = db.raw_iterator();
    rows.seek_to_first();
    if rows.valid() {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "{} is a {ENGINE} database of another program: it has rows in the column family \
                 {DEFAULT_COLUMN_FAMILY_NAME:?}; expected a database of keyed-state",
                path.display()
            ),
        ));
    }
    rows.status().map_err(|source| error::opening(path, source))
}

#[expect(
    unsafe_code,
    reason = "the handles and the database they belong to are fields of one struct"
)]
fn find(db: &Database, name: &str) -> Option<Table> {
    // SAFETY: every table goes into the fields of the engine that owns `db`, which are declared,
    // and so dropped, before it, and from which no table is ever moved out.
    unsafe { Table::find(db, name) }
}

#[cold]
fn bad_property(name: &str, source: rocksdb::Error) -> Error {
    Error::new(ErrorKind::InvalidArgument, format!("{name:?} cannot be a property's name"))
        .with_source(source)
}
