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

use crate::{
    keys::{ANCHOR, original},
    ranges::{LOG_KEYSPACE, Ranges, Span},
    stamp,
};

/// What compactions drop rows by, for each keyspace. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filters(Arc<Mutex<HashMap<String, Filtered>>>);

/// What rows of one keyspace are dropped by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filtered {
    /// The place for core's filter.
    pub(crate) slot: FilterSlot,
    pub(crate) ranges: Arc<Ranges>,
}

impl Filters {
    pub(crate) fn of(&self, keyspace: &str) -> Filtered {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(keyspace.to_owned()).or_default().clone()
    }

    /// Returns what fjall asks for the filter of `keyspace` when it opens it.
    pub(crate) fn factory(&self, keyspace: &str) -> Option<Arc<dyn Factory>> {
        (keyspace != LOG_KEYSPACE)
            .then(|| Arc::new(RowFactory(self.of(keyspace))) as Arc<dyn Factory>)
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

struct RowFactory(Filtered);

// A slot catches the panics of its filter, and changes once, from empty to full; ranges are changed by no code of others.
impl UnwindSafe for RowFactory {}
impl RefUnwindSafe for RowFactory {}

impl Factory for RowFactory {
    fn name(&self) -> &'static str {
        "keyed-state"
    }

    fn make_filter(&self, _: &Context) -> Box<dyn CompactionFilter> {
        let Filtered { slot, ranges } = &self.0;
        Box::new(RowFilter { run: slot.start(), ranges: Arc::clone(ranges), span: None })
    }
}

struct RowFilter {
    run: SlotRun,
    ranges: Arc<Ranges>,
    /// What the last row lay in. Ranges that are deleted meanwhile may be missed; what is dead stays so.
    span: Option<Span>,
}

impl RowFilter {
    fn is_deleted(&mut self, stored: &[u8], stamp: u64) -> bool {
        if self.span.as_ref().is_none_or(|span| !span.contains(stored)) {
            self.span = (self.ranges.len() > 0).then(|| self.ranges.span_at(stored));
        }
        self.span.as_ref().is_some_and(|span| stamp < span.epoch)
    }
}

impl CompactionFilter for RowFilter {
    fn filter_item(&mut self, item: ItemAccessor<'_>, _: &Context) -> CompactionFilterResult {
        let stored = item.key();
        if **stored == ANCHOR {
            return Ok(Verdict::Keep);
        }
        let value = item.value()?;
        // A malformed row stays, for a read to complain about.
        let Some((stamp, value)) = stamp::split(&value) else { return Ok(Verdict::Keep) };
        if self.is_deleted(stored, stamp) {
            return Ok(Verdict::Remove);
        }
        Ok(match self.run.verdict(&original(stored), value) {
            Decision::Keep => Verdict::Keep,
            // Not `Destroy`, after which an older value in a lower level would be back. The tombstone goes at once where
            // nothing can be below, in the last level.
            Decision::Drop => Verdict::Remove,
        })
    }
}
