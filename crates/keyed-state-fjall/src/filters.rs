use std::{
    collections::HashMap,
    panic::{RefUnwindSafe, UnwindSafe},
    sync::{Arc, Mutex, PoisonError},
};

use fjall::{
    Keyspace,
    compaction::filter::{
        CompactionFilter, CompactionFilterResult, Context, Factory, ItemAccessor, Verdict,
    },
};
use keyed_state_core::{FilterSlot, SlotRun, Verdict as Decision};

use crate::keys::{ANCHOR, original};

/// The compaction filters of a database, by keyspace. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filters(Arc<Mutex<HashMap<String, FilterSlot>>>);

impl Filters {
    /// Returns the place for the filter of `keyspace`.
    pub(crate) fn slot(&self, keyspace: &str) -> FilterSlot {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slots.entry(keyspace.to_owned()).or_default().clone()
    }

    /// Returns what fjall asks for the filter of `keyspace` when it opens it.
    pub(crate) fn factory(&self, keyspace: &str) -> Arc<dyn Factory> {
        Arc::new(SlotFactory(self.slot(keyspace)))
    }
}

/// Makes the newest entry of `keyspace` one that no filter and no compaction drops. Scans end before it.
///
/// fjall takes the newest sequence number in a keyspace's files for the age up to which all of its entries are in
/// files. A filter that drops the newest entries makes the files look older than they are: the journal is kept, and
/// replayed at the next opening, which brings back what was dropped. A tombstone would not do: the last level drops it.
pub(crate) fn anchor(keyspace: &Keyspace) -> fjall::Result<()> {
    keyspace.insert(ANCHOR, [])
}

struct SlotFactory(FilterSlot);

// A slot catches the panics of its filter, and changes once, from empty to full.
impl UnwindSafe for SlotFactory {}
impl RefUnwindSafe for SlotFactory {}

impl Factory for SlotFactory {
    fn name(&self) -> &'static str {
        "keyed-state"
    }

    fn make_filter(&self, _: &Context) -> Box<dyn CompactionFilter> {
        Box::new(SlotFilter(self.0.start()))
    }
}

struct SlotFilter(SlotRun);

impl CompactionFilter for SlotFilter {
    fn filter_item(&mut self, item: ItemAccessor<'_>, _: &Context) -> CompactionFilterResult {
        if **item.key() == ANCHOR {
            return Ok(Verdict::Keep);
        }
        Ok(match self.0.verdict(&original(item.key()), &item.value()?) {
            Decision::Keep => Verdict::Keep,
            // Not `Destroy`, after which an older value in a lower level would be back. The tombstone goes at once where
            // nothing can be below, in the last level.
            Decision::Drop => Verdict::Remove,
        })
    }
}
