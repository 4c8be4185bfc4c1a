use super::{Generations, Index, index::Cleared};
use crate::{
    Direction, Engine, Error, ErrorKind, KeyRange, Result, TableId, WriteBatch,
    engine_backend::clear, prefix_successor, varint,
};

const TABLE: &str = "keyed-state.cleared";
/// The latest generation. No state's rows begin so: names are not empty.
const LAST_ROW: &[u8] = &[0];

/// The table that keeps the indexes while the backend is closed.
///
/// | row | value |
/// | --- | --- |
/// | `00` | the latest generation, as a varint |
/// | length and name of a state ‖ a map | its generation, as a varint, then `01` if anything was put since, else `00` |
#[derive(Clone, Copy, Debug)]
pub(in crate::engine_backend) struct ClearedTable(TableId);

/// What the rows of one state begin with.
#[derive(Debug)]
pub(in crate::engine_backend) struct Name(Vec<u8>);

impl Name {
    pub(in crate::engine_backend) fn new(name: &str) -> Self {
        let mut bytes = Vec::new();
        varint::encode(name.len() as u64, &mut bytes);
        bytes.extend_from_slice(name.as_bytes());
        Self(bytes)
    }

    fn row(&self, map: &[u8]) -> Vec<u8> {
        [&self.0, map].concat()
    }
}

impl ClearedTable {
    /// Opens the table and goes on where the generations ended.
    pub(in crate::engine_backend) fn open(
        engine: &mut impl Engine,
        generations: &Generations,
    ) -> Result<Self> {
        let table = engine.open_table(TABLE)?;
        let mut last = Ok(0);
        engine.get(table, LAST_ROW, &mut |row| last = whole_number(row))?;
        generations.restore(last?);
        Ok(Self(table))
    }

    /// Loads what is stored of one state.
    pub(in crate::engine_backend) fn load(
        self,
        engine: &impl Engine,
        name: &Name,
        index: &Index,
    ) -> Result<()> {
        let end = prefix_successor(&name.0);
        let range = KeyRange::new(&name.0, end.as_deref());
        let mut cursor = engine.scan(self.0, range, Direction::Forward)?;
        while let Some((key, mut row)) = cursor.next()? {
            let generation = varint::decode(&mut row)?;
            let has_puts = match row {
                [0] => false,
                [1] => true,
                _ => return Err(malformed()),
            };
            let map = key.get(name.0.len()..).ok_or_else(malformed)?;
            if !index.load(map, Cleared { generation, has_puts }) {
                return Err(malformed());
            }
        }
        Ok(())
    }

    /// Stores what has changed in the index of one state since it was last saved, in a batch for each shard of it.
    pub(in crate::engine_backend) fn save(
        self,
        engine: &mut impl Engine,
        name: &Name,
        index: &Index,
    ) -> Result<()> {
        let mut batch = WriteBatch::new();
        let mut value = Vec::new();
        for shard in 0..Index::shards() {
            index.for_each_unsaved(shard, |map, cleared| {
                value.clear();
                varint::encode(cleared.generation, &mut value);
                value.push(u8::from(cleared.has_puts));
                batch.put(self.0, &name.row(map), &value);
            });
            clear::write(engine, &mut batch)?;
            index.saved(shard);
        }
        Ok(())
    }

    /// Stores the latest generation.
    pub(in crate::engine_backend) fn save_last(
        self,
        engine: &mut impl Engine,
        generations: &Generations,
    ) -> Result<()> {
        let mut value = Vec::new();
        varint::encode(generations.last(), &mut value);
        engine.put(self.0, LAST_ROW, &value)
    }

    /// Appends to the batch that `map` is no longer cleared.
    pub(super) fn forget(self, name: &Name, map: &[u8], batch: &mut WriteBatch) {
        batch.delete(self.0, &name.row(map));
    }
}

fn whole_number(mut row: &[u8]) -> Result<u64> {
    let number = varint::decode(&mut row)?;
    if row.is_empty() { Ok(number) } else { Err(malformed()) }
}

fn malformed() -> Error {
    Error::new(ErrorKind::Codec, format!("a row of table {TABLE:?} is malformed"))
}
