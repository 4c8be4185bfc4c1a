use std::{
    fmt,
    panic::{self, AssertUnwindSafe},
    sync::{Arc, OnceLock},
};

/// Decides which rows an engine's compactions drop.
///
/// Core gives one to each table whose rows expire, by
/// [`Engine::set_compaction_filter`](crate::Engine::set_compaction_filter). Compactions run on threads of the
/// engine's; all of them share the filter.
pub trait CompactionFilter: Send + Sync {
    /// Begins one compaction, and returns what decides in it. Whatever the decision rests on, such as the
    /// time, is looked up here, once.
    fn start(&self) -> Box<dyn CompactionRun>;
}

/// A [`CompactionFilter`] in one compaction.
pub trait CompactionRun: Send {
    /// Says what becomes of the row.
    fn verdict(&mut self, key: &[u8], value: &[u8]) -> Verdict;
}

/// What becomes of a row in a compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays.
    Keep,
    /// It is removed, as [`Engine::delete`](crate::Engine::delete) would: no older value of the key comes
    /// back in its place.
    Drop,
}

/// A place for the filter of one table, for engines that must name a table's filter before core sets it.
///
/// RocksDB and fjall take filters when a table is opened, which for stored tables is before any state is registered. They get a
/// clone of the table's slot, and ask it at each compaction. Clones share the filter.
#[derive(Clone, Default)]
pub struct FilterSlot(Arc<OnceLock<Arc<dyn CompactionFilter>>>);

impl FilterSlot {
    /// Makes an empty slot: it keeps everything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the filter. The first one stays.
    pub fn set(&self, filter: Arc<dyn CompactionFilter>) {
        let _ = self.0.set(filter);
    }

    /// Begins one compaction.
    #[must_use]
    pub fn start(&self) -> SlotRun {
        SlotRun(self.0.get().map(|filter| filter.start()))
    }
}

impl fmt::Debug for FilterSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FilterSlot").field(&self.0.get().is_some()).finish()
    }
}

/// The filter of a [`FilterSlot`] in one compaction.
pub struct SlotRun(Option<Box<dyn CompactionRun>>);

impl SlotRun {
    /// Says what becomes of the row.
    ///
    /// A filter that panics is not asked again in this compaction, and everything is kept: engines call this from threads and
    /// languages that a panic must not reach.
    pub fn verdict(&mut self, key: &[u8], value: &[u8]) -> Verdict {
        let Some(run) = &mut self.0 else { return Verdict::Keep };
        let verdict = panic::catch_unwind(AssertUnwindSafe(|| run.verdict(key, value)));
        verdict.unwrap_or_else(|_| {
            self.0 = None;
            Verdict::Keep
        })
    }
}

impl fmt::Debug for SlotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SlotRun").field(&self.0.is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Drops what begins with an even byte, and panics at an empty key.
    struct Even;

    impl CompactionFilter for Even {
        fn start(&self) -> Box<dyn CompactionRun> {
            Box::new(Self)
        }
    }

    impl CompactionRun for Even {
        fn verdict(&mut self, key: &[u8], _: &[u8]) -> Verdict {
            if key[0].is_multiple_of(2) { Verdict::Drop } else { Verdict::Keep }
        }
    }

    #[test]
    fn an_empty_slot_keeps_everything() {
        let slot = FilterSlot::new();
        let mut early = slot.start();
        slot.clone().set(Arc::new(Even));
        assert_eq!(early.verdict(&[2], b""), Verdict::Keep);
        assert_eq!(slot.start().verdict(&[2], b""), Verdict::Drop);
        assert_eq!(slot.start().verdict(&[3], b""), Verdict::Keep);
    }

    #[test]
    fn a_panic_loses_nothing() {
        let slot = FilterSlot::new();
        slot.set(Arc::new(Even));
        let mut run = slot.start();
        assert_eq!(run.verdict(&[2], b""), Verdict::Drop);
        assert_eq!(run.verdict(&[], b""), Verdict::Keep);
        assert_eq!(run.verdict(&[2], b""), Verdict::Keep);
    }
}
