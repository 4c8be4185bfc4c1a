use std::{
    collections::BTreeMap,
    ops::Bound,
    sync::atomic::{AtomicI64, AtomicU64, Ordering},
};

use crate::{
    Capabilities, Cursor, Direction, Engine, Error, ErrorKind, KeyRange, MAX_TABLE_NAME_BYTES,
    Result, TableId, WriteBatch, WriteOp,
};

type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

/// Tables in memory. Fails at a call that is set before, and counts what is read.
#[derive(Debug, Default)]
pub(super) struct TestEngine {
    tables: Vec<(String, Rows)>,
    /// How many calls succeed before one fails; none fails below zero.
    calls_left: AtomicI64,
    reads: AtomicU64,
    bytes_read: AtomicU64,
    pub(super) bytes_written: u64,
    pub(super) largest_batch_bytes: usize,
    pub(super) largest_row_bytes: usize,
}

impl TestEngine {
    /// Lets the call after `calls` others fail, once.
    pub(super) fn fail_after(&mut self, calls: i64) {
        self.calls_left = AtomicI64::new(calls + 1);
    }

    pub(super) fn heal(&mut self) {
        self.calls_left = AtomicI64::new(0);
    }

    /// Returns reads and bytes read since the last time.
    pub(super) fn take_read(&self) -> (u64, u64) {
        (self.reads.swap(0, Ordering::Relaxed), self.bytes_read.swap(0, Ordering::Relaxed))
    }

    pub(super) fn rows(&self) -> usize {
        self.tables.iter().map(|(_, rows)| rows.len()).sum()
    }

    pub(super) fn tables_mut(&mut self) -> impl Iterator<Item = &mut Rows> {
        self.tables.iter_mut().map(|(_, rows)| rows)
    }

    fn call(&self) -> Result<()> {
        if self.calls_left.load(Ordering::Relaxed) > 0
            && self.calls_left.fetch_sub(1, Ordering::Relaxed) == 1
        {
            return Err(Error::new(ErrorKind::Storage, "no space left"));
        }
        Ok(())
    }

    fn read(&self, row: &[u8]) {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.bytes_read.fetch_add(row.len() as u64, Ordering::Relaxed);
    }

    fn table(&self, table: TableId) -> &Rows {
        &self.tables[table.0 as usize].1
    }
}

struct TestCursor<'a> {
    engine: &'a TestEngine,
    rows: std::collections::btree_map::Range<'a, Vec<u8>, Vec<u8>>,
}

impl Cursor for TestCursor<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        self.engine.call()?;
        let row = self.rows.next();
        if let Some((_, value)) = row {
            self.engine.read(value);
        }
        Ok(row.map(|(key, value)| (key.as_slice(), value.as_slice())))
    }
}

impl Engine for TestEngine {
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn open_table(&mut self, name: &str) -> Result<TableId> {
        self.call()?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        assert!(name.len() <= MAX_TABLE_NAME_BYTES && name.bytes().all(plain), "{name}");
        let index = self.tables.iter().position(|(other, _)| other == name).unwrap_or_else(|| {
            self.tables.push((name.to_owned(), Rows::new()));
            self.tables.len() - 1
        });
        Ok(TableId(u32::try_from(index).unwrap()))
    }

    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool> {
        self.call()?;
        let row = self.table(table).get(key);
        if let Some(row) = row {
            self.read(row);
            visit(row);
        }
        Ok(row.is_some())
    }

    fn put(&mut self, table: TableId, key: &[u8], value: &[u8]) -> Result<()> {
        let mut batch = WriteBatch::new();
        batch.put(table, key, value);
        self.write(&batch)
    }

    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<()> {
        let mut batch = WriteBatch::new();
        batch.delete(table, key);
        self.write(&batch)
    }

    fn scan(
        &self,
        table: TableId,
        range: KeyRange<'_>,
        direction: Direction,
    ) -> Result<Box<dyn Cursor + Send + '_>> {
        assert_eq!(direction, Direction::Forward, "timers only walk forward");
        self.call()?;
        let end = range.end.map_or(Bound::Unbounded, Bound::Excluded);
        let rows = self.table(table).range::<[u8], _>((Bound::Included(range.start), end));
        Ok(Box::new(TestCursor { engine: self, rows }))
    }

    fn delete_range(&mut self, _: TableId, _: KeyRange<'_>) -> Result<()> {
        unreachable!("timers know their rows")
    }

    fn write(&mut self, batch: &WriteBatch) -> Result<()> {
        self.call()?;
        let mut bytes = 0;
        for op in batch.iter() {
            let rows = &mut self.tables[op.table().0 as usize].1;
            match op {
                WriteOp::Put { key, value, .. } => {
                    bytes += key.len() + value.len();
                    self.largest_row_bytes = self.largest_row_bytes.max(value.len());
                    rows.insert(key.to_vec(), value.to_vec());
                }
                WriteOp::Delete { key, .. } => drop(rows.remove(key)),
            }
        }
        self.bytes_written += bytes as u64;
        self.largest_batch_bytes = self.largest_batch_bytes.max(bytes);
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.call()
    }

    fn close(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
