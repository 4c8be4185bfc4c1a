use std::{collections::HashMap, ffi::CStr};

use keyed_state_core::{FilterSlot, SlotRun, Verdict};
use rocksdb::{
    CompactionDecision, Options,
    compaction_filter::CompactionFilter,
    compaction_filter_factory::{CompactionFilterContext, CompactionFilterFactory},
};

const NAME: &CStr = c"keyed-state";

/// The compaction filters of a database, by table.
#[derive(Debug, Default)]
pub(crate) struct Filters(HashMap<String, FilterSlot>);

impl Filters {
    /// Returns the place for the filter of `table`.
    pub(crate) fn slot(&mut self, table: &str) -> FilterSlot {
        self.0.entry(table.to_owned()).or_default().clone()
    }

    /// Returns the options of the column family of `table`: `options` and its filter.
    pub(crate) fn options(&mut self, table: &str, options: &Options) -> Options {
        let mut options = options.clone();
        options.set_compaction_filter_factory(SlotFactory(self.slot(table)));
        options
    }
}

/// Asked on the threads that compact.
struct SlotFactory(FilterSlot);

impl CompactionFilterFactory for SlotFactory {
    type Filter = SlotFilter;

    fn create(&mut self, _: CompactionFilterContext) -> SlotFilter {
        SlotFilter(self.0.start())
    }

    fn name(&self) -> &CStr {
        NAME
    }
}

struct SlotFilter(SlotRun);

impl CompactionFilter for SlotFilter {
    fn filter(&mut self, _level: u32, key: &[u8], value: &[u8]) -> CompactionDecision {
        match self.0.verdict(key, value) {
            Verdict::Keep => CompactionDecision::Keep,
            // Leaves a tombstone where older values may be below.
            Verdict::Drop => CompactionDecision::Remove,
        }
    }

    fn name(&self) -> &CStr {
        NAME
    }
}
