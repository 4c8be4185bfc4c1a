//! Clearing by generations: a clear raises a number in memory, and the rows of earlier numbers are dead.
//!
//! The rows of a map carry its generation between namespace and user key. The [`Index`] knows the generation of each map that
//! was cleared; a map that it does not know has generation 0. Reads look under the present generation alone,
//! so there is nothing dead to step over. Compactions drop dead rows ([`ClearedRows`]), and [`Retirement`] takes a map out of the
//! index once nothing of it is left that needs its number.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

mod cleared_rows;
mod clearing;
mod index;
mod retirement;
mod table;

pub(super) use cleared_rows::ClearedRows;
pub(super) use clearing::Clearing;
pub(super) use index::Index;
pub(super) use retirement::{Retirement, Site};
pub(super) use table::{ClearedTable, Name};

/// The generation of maps that were never cleared, or whose clear has been forgotten.
pub(super) const FIRST_GENERATION: u64 = 0;

/// Generations are kept in 48 bits: two years of nothing but clears, at five million a second.
const MAX_GENERATION: u64 = (1 << 48) - 1;

/// What all indexes of a backend share. Clones are the same.
///
/// There is one counter for the whole backend, so that a number is never given twice to a map, even if the index forgot the
/// map in between.
#[derive(Clone, Debug)]
pub(super) struct Generations(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    last: AtomicU64,
    /// Memory of all indexes.
    bytes: AtomicUsize,
    max_bytes: usize,
    /// How many holds there are on each generation.
    holds: Mutex<BTreeMap<u64, usize>>,
}

impl Generations {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self(Arc::new(Shared {
            last: AtomicU64::new(FIRST_GENERATION),
            bytes: AtomicUsize::new(0),
            max_bytes,
            holds: Mutex::default(),
        }))
    }

    /// Returns the latest generation that was given out.
    pub(super) fn last(&self) -> u64 {
        self.0.last.load(Ordering::Acquire)
    }

    /// Goes on above `stored`.
    pub(super) fn restore(&self, stored: u64) {
        self.0.last.fetch_max(stored, Ordering::AcqRel);
    }

    /// Gives out the next generation, while there are any.
    fn next(&self) -> Option<u64> {
        let next = self.last() + 1;
        if next > MAX_GENERATION {
            return None;
        }
        self.0.last.store(next, Ordering::Release);
        Some(next)
    }

    /// Returns how many bytes all indexes take.
    pub(super) fn bytes(&self) -> usize {
        self.0.bytes.load(Ordering::Relaxed)
    }

    fn has_room(&self, bytes: usize) -> bool {
        self.bytes().saturating_add(bytes) <= self.0.max_bytes
    }

    /// Returns whether the indexes have outgrown `tenths` of their memory.
    fn above(&self, tenths: usize) -> bool {
        self.bytes() / tenths > self.0.max_bytes / 10
    }

    fn resized(&self, before: usize, after: usize) {
        if after >= before {
            self.0.bytes.fetch_add(after - before, Ordering::Relaxed);
        } else {
            self.0.bytes.fetch_sub(before - after, Ordering::Relaxed);
        }
    }

    /// Keeps what is not cleared now, until the hold is dropped, from being dropped by compactions.
    pub(super) fn hold(&self) -> GenerationHold {
        let generation = self.last();
        let mut holds = self.0.holds.lock().unwrap_or_else(PoisonError::into_inner);
        *holds.entry(generation).or_default() += 1;
        drop(holds);
        GenerationHold { generations: self.clone(), generation }
    }

    /// Returns the latest generation whose clear compactions that begin now may act on.
    ///
    /// Not later than this moment even without a hold: one that is taken while they run counts for them too.
    fn floor(&self) -> u64 {
        // In this order: a hold that is taken in between has a later generation.
        let last = self.last();
        let holds = self.0.holds.lock().unwrap_or_else(PoisonError::into_inner);
        holds.first_key_value().map_or(last, |(held, _)| last.min(*held))
    }
}

/// Keeps what was not cleared when it was taken from being dropped by compactions.
///
/// For snapshots of an engine: compaction filters do not know of them, and would take from under an open snapshot what was
/// cleared after it was made. Take the hold before the engine's snapshot and drop it after; see
/// [`EngineBackend::hold_generations`](crate::EngineBackend::hold_generations).
#[derive(Debug)]
#[must_use = "the hold ends when it is dropped"]
pub struct GenerationHold {
    generations: Generations,
    generation: u64,
}

impl Drop for GenerationHold {
    fn drop(&mut self) {
        let mut holds = self.generations.0.holds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = holds.get_mut(&self.generation) {
            *count -= 1;
            if *count == 0 {
                holds.remove(&self.generation);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_hold_counts_and_no_generation_after_it() {
        let generations = Generations::new(0);
        assert_eq!((generations.next(), generations.next()), (Some(1), Some(2)));
        assert_eq!(generations.floor(), 2);
        let first = generations.hold();
        generations.next();
        let second = generations.hold();
        let again = generations.hold();
        generations.next();
        assert_eq!(generations.floor(), 2);
        drop(first);
        assert_eq!(generations.floor(), 3);
        drop(second);
        assert_eq!(generations.floor(), 3);
        drop(again);
        assert_eq!(generations.floor(), 4);
    }

    #[test]
    fn the_counter_never_goes_back_and_ends() {
        let generations = Generations::new(0);
        generations.restore(7);
        generations.restore(5);
        assert_eq!(generations.next(), Some(8));
        generations.restore(MAX_GENERATION - 1);
        assert_eq!(generations.next(), Some(MAX_GENERATION));
        assert_eq!(generations.next(), None);
    }
}
