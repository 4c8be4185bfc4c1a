//! The reference engine with compaction filters, which may be wrong on purpose.

use std::{path::Path, sync::Arc};

use keyed_state_conformance::{EngineFixture, reference::TreeEngine};
use keyed_state_core::{
    Capabilities, CompactionFilter, Cursor, Direction, Engine, FilterSlot, KeyRange, Result,
    TableId, Verdict, WriteBatch,
};

/// What can be wrong with compaction filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilterFault {
    /// They are taken and never asked.
    Ignored,
    /// They are asked about the rows of every table.
    AskedAboutAll,
    /// What they drop is everything in their table.
    AllDropped,
}

/// Opens a reference engine whose compactions ask filters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filtering(pub(crate) Option<FilterFault>);

impl EngineFixture for Filtering {
    type Engine = FilteringTree;

    fn open(&self, dir: &Path) -> Result<FilteringTree> {
        let (inner, fault) = (TreeEngine::open(dir)?, self.0);
        Ok(FilteringTree { inner, fault, tables: Vec::new(), filters: Vec::new() })
    }
}

/// A [`TreeEngine`] with compaction filters.
pub(crate) struct FilteringTree {
    inner: TreeEngine,
    fault: Option<FilterFault>,
    tables: Vec<TableId>,
    filters: Vec<(TableId, FilterSlot)>,
}

impl FilteringTree {
    /// Deletes what `filter` drops of the rows of `table`.
    fn ask(&mut self, filter: &FilterSlot, table: TableId) -> Result<()> {
        let mut run = filter.start();
        let mut batch = WriteBatch::new();
        let mut cursor = self.inner.scan(table, KeyRange::ALL, Direction::Forward)?;
        while let Some((key, value)) = cursor.next()? {
            let dropped = run.verdict(key, value) == Verdict::Drop;
            if dropped || self.fault == Some(FilterFault::AllDropped) {
                batch.delete(table, key);
            }
        }
        drop(cursor);
        self.inner.write(&batch)
    }
}

#[deny(clippy::missing_trait_methods)]
impl Engine for FilteringTree {
    fn capabilities(&self) -> Capabilities {
        Capabilities { compaction_filter: true, ..self.inner.capabilities() }
    }

    fn open_table(&mut self, name: &str) -> Result<TableId> {
        let table = self.inner.open_table(name)?;
        if !self.tables.contains(&table) {
            self.tables.push(table);
        }
        Ok(table)
    }

    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool> {
        self.inner.get(table, key, visit)
    }

    fn put(&mut self, table: TableId, key: &[u8], value: &[u8]) -> Result<()> {
        self.inner.put(table, key, value)
    }

    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<()> {
        self.inner.delete(table, key)
    }

    fn scan(
        &self,
        table: TableId,
        range: KeyRange<'_>,
        direction: Direction,
    ) -> Result<Box<dyn Cursor + Send + '_>> {
        self.inner.scan(table, range, direction)
    }

    fn delete_range(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()> {
        self.inner.delete_range(table, range)
    }

    fn write(&mut self, batch: &WriteBatch) -> Result<()> {
        self.inner.write(batch)
    }

    fn flush(&mut self) -> Result<()> {
        self.inner.flush()
    }

    fn compact(&mut self) -> Result<()> {
        if self.fault != Some(FilterFault::Ignored) {
            for (table, filter) in self.filters.clone() {
                if self.fault == Some(FilterFault::AskedAboutAll) {
                    for table in self.tables.clone() {
                        self.ask(&filter, table)?;
                    }
                } else {
                    self.ask(&filter, table)?;
                }
            }
        }
        self.inner.compact()
    }

    fn set_compaction_filter(
        &mut self,
        table: TableId,
        filter: Arc<dyn CompactionFilter>,
    ) -> Result<()> {
        let slot = FilterSlot::new();
        slot.set(filter);
        self.filters.push((table, slot));
        Ok(())
    }

    fn close(self: Box<Self>) -> Result<()> {
        Box::new(self.inner).close()
    }
}
