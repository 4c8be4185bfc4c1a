use std::{
    collections::{BTreeMap, btree_map},
    ops::Bound,
    path::Path,
};

use keyed_state_core::{
    Capabilities, Cursor, Direction, Engine, Error, ErrorKind, KeyRange, Result, TableId,
    WriteBatch, WriteOp,
};

use super::file::TreeFile;

pub(super) type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

/// A table's name and rows.
pub(super) type Table = (String, Rows);

/// An engine of `BTreeMap`s, one a table: the smallest engine that obeys every law.
///
/// For tests, and to read before you write an engine of your own. All of it is in memory; opened on a
/// directory it is durable too, by one file that every flush writes anew. Not for real state: a flush
/// costs as much as everything that is stored.
///
/// ```
/// use keyed_state_conformance::reference::TreeEngine;
/// use keyed_state_core::{BackendOptions, EngineBackend};
///
/// let engine = TreeEngine::in_memory();
/// let backend = EngineBackend::<String, _>::open(engine, BackendOptions::new())?;
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
#[derive(Debug)]
pub struct TreeEngine {
    tables: Vec<Table>,
    file: Option<TreeFile>,
}

impl TreeEngine {
    /// Creates an empty engine that is gone when it is closed.
    #[must_use]
    pub fn in_memory() -> Self {
        Self { tables: Vec::new(), file: None }
    }

    /// Opens what lies in `dir`, creating the directory if it does not exist.
    ///
    /// # Errors
    ///
    /// [`Locked`](ErrorKind::Locked) while another handle has it open,
    /// [`Incompatible`](ErrorKind::Incompatible) if its file is not this engine's,
    /// [`Storage`](ErrorKind::Storage) if the file system fails.
    pub fn open(dir: &Path) -> Result<Self> {
        let file = TreeFile::open(dir)?;
        Ok(Self { tables: file.read()?, file: Some(file) })
    }

    fn rows(&self, table: TableId) -> Result<&Rows> {
        self.tables.get(table.0 as usize).map(|(_, rows)| rows).ok_or_else(|| unknown(table))
    }

    fn rows_mut(&mut self, table: TableId) -> Result<&mut Rows> {
        self.tables.get_mut(table.0 as usize).map(|(_, rows)| rows).ok_or_else(|| unknown(table))
    }
}

fn unknown(table: TableId) -> Error {
    Error::new(ErrorKind::InvalidArgument, format!("no table has the id {}", table.0))
}

impl Engine for TreeEngine {
    fn capabilities(&self) -> Capabilities {
        let on_disk = self.file.is_some();
        Capabilities { durable: on_disk, compact: on_disk, ..Capabilities::default() }
    }

    fn open_table(&mut self, name: &str) -> Result<TableId> {
        let found = self.tables.iter().position(|(table, _)| table == name);
        let index = found.unwrap_or_else(|| {
            self.tables.push((name.to_owned(), Rows::new()));
            self.tables.len() - 1
        });
        u32::try_from(index)
            .map(TableId)
            .map_err(|_| Error::new(ErrorKind::InvalidArgument, "there are too many tables"))
    }

    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool> {
        let value = self.rows(table)?.get(key);
        if let Some(value) = value {
            visit(value);
        }
        Ok(value.is_some())
    }

    fn put(&mut self, table: TableId, key: &[u8], value: &[u8]) -> Result<()> {
        self.rows_mut(table)?.insert(key.to_vec(), value.to_vec());
        Ok(())
    }

    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<()> {
        self.rows_mut(table)?.remove(key);
        Ok(())
    }

    fn scan(
        &self,
        table: TableId,
        range: KeyRange<'_>,
        direction: Direction,
    ) -> Result<Box<dyn Cursor + Send + '_>> {
        let rows = self.rows(table)?;
        // `BTreeMap::range` panics for a range whose end is below its start.
        let rows = if range.is_empty() {
            btree_map::Range::default()
        } else {
            let end = range.end.map_or(Bound::Unbounded, Bound::Excluded);
            rows.range::<[u8], _>((Bound::Included(range.start), end))
        };
        Ok(Box::new(TreeCursor { rows, direction }))
    }

    fn delete_range(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()> {
        self.rows_mut(table)?.retain(|key, _| !range.contains(key));
        Ok(())
    }

    fn write(&mut self, batch: &WriteBatch) -> Result<()> {
        // Looked at before anything is written: a batch happens wholly or not at all.
        for op in batch.iter() {
            self.rows(op.table())?;
        }
        for op in batch.iter() {
            match op {
                WriteOp::Put { table, key, value } => self.put(table, key, value)?,
                WriteOp::Delete { table, key } => self.delete(table, key)?,
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        match &self.file {
            Some(file) => file.write(&self.tables),
            None => Ok(()),
        }
    }

    fn compact(&mut self) -> Result<()> {
        if self.file.is_none() {
            return Err(Error::new(ErrorKind::Unsupported, "a tree in memory has no files"));
        }
        // The file holds what is live and nothing else.
        self.flush()
    }

    fn close(mut self: Box<Self>) -> Result<()> {
        self.flush()
    }
}

struct TreeCursor<'a> {
    rows: btree_map::Range<'a, Vec<u8>, Vec<u8>>,
    direction: Direction,
}

impl Cursor for TreeCursor<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        let row = match self.direction {
            Direction::Forward => self.rows.next(),
            Direction::Reverse => self.rows.next_back(),
        };
        Ok(row.map(|(key, value)| (key.as_slice(), value.as_slice())))
    }
}
