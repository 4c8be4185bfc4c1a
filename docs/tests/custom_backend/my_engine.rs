use std::collections::{BTreeMap, btree_map};
use std::ops::Bound;

use keyed_state::{
    Capabilities, Cursor, Direction, Engine, KeyRange, Result, TableId, WriteBatch, WriteOp,
};

/// Keeps the bytes of each table in a `BTreeMap`. Nothing survives closing it.
#[derive(Debug, Default)]
pub struct MyEngine {
    /// A table's id is its index here and in `tables`.
    names: Vec<String>,
    tables: Vec<BTreeMap<Vec<u8>, Vec<u8>>>,
}

impl MyEngine {
    fn table(&self, table: TableId) -> &BTreeMap<Vec<u8>, Vec<u8>> {
        &self.tables[table.0 as usize]
    }

    fn table_mut(&mut self, table: TableId) -> &mut BTreeMap<Vec<u8>, Vec<u8>> {
        &mut self.tables[table.0 as usize]
    }
}

impl Engine for MyEngine {
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn open_table(&mut self, name: &str) -> Result<TableId> {
        let index = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.tables.push(BTreeMap::new());
            self.tables.len() - 1
        });
        Ok(TableId(u32::try_from(index).expect("fewer than 2^32 tables")))
    }

    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool> {
        let found = self.table(table).get(key);
        if let Some(value) = found {
            visit(value);
        }
        Ok(found.is_some())
    }

    fn put(&mut self, table: TableId, key: &[u8], value: &[u8]) -> Result<()> {
        self.table_mut(table).insert(key.to_vec(), value.to_vec());
        Ok(())
    }

    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<()> {
        self.table_mut(table).remove(key);
        Ok(())
    }

    fn scan(
        &self,
        table: TableId,
        range: KeyRange<'_>,
        direction: Direction,
    ) -> Result<Box<dyn Cursor + Send + '_>> {
        let entries = if range.is_empty() {
            // `BTreeMap::range` panics where the start is above the end.
            btree_map::Range::default()
        } else {
            let end = range.end.map_or(Bound::Unbounded, Bound::Excluded);
            self.table(table).range::<[u8], _>((Bound::Included(range.start), end))
        };
        Ok(Box::new(MyCursor { entries, direction }))
    }

    fn delete_range(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()> {
        self.table_mut(table).retain(|key, _| !range.contains(key));
        Ok(())
    }

    fn write(&mut self, batch: &WriteBatch) -> Result<()> {
        for operation in batch.iter() {
            match operation {
                WriteOp::Put { table, key, value } => self.put(table, key, value)?,
                WriteOp::Delete { table, key } => self.delete(table, key)?,
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn close(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

struct MyCursor<'a> {
    entries: btree_map::Range<'a, Vec<u8>, Vec<u8>>,
    direction: Direction,
}

impl Cursor for MyCursor<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        let entry = match self.direction {
            Direction::Forward => self.entries.next(),
            Direction::Reverse => self.entries.next_back(),
        };
        Ok(entry.map(|(key, value)| (key.as_slice(), value.as_slice())))
    }
}
