//! Deleted ranges: range tombstones, which fjall has none of.
//!
//! Each deletion of a range gets the next *epoch*, and each value is stored behind the epoch of its writing (its
//! [stamp](crate::stamp)). A row is dead if a range that covers its key was deleted in a later epoch. What of the ranges still
//! counts is in memory, as [`Ranges`]; each deletion is a row of a keyspace of its own too ([`RangeLog`]), which opening
//! reads.
//!
//! Compactions drop dead rows. A range that has none left is forgotten.

mod log;

use std::{
    collections::{BTreeMap, HashMap},
    ops::Bound,
    sync::{
        PoisonError, RwLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

pub(crate) use log::{LOG_KEYSPACE, RangeLog, Record};

/// The deleted ranges of one table, in pieces that do not overlap. Keys are as they are stored.
///
/// Compactions read it on threads of their own.
#[derive(Debug, Default)]
pub(crate) struct Ranges {
    pieces: RwLock<Pieces>,
    /// The number of pieces: most tables have none.
    count: AtomicUsize,
}

#[derive(Debug, Default)]
struct Pieces {
    by_start: BTreeMap<Box<[u8]>, Piece>,
    /// How many pieces each epoch has.
    of_epoch: HashMap<u64, usize>,
}

#[derive(Debug)]
struct Piece {
    end: Option<Box<[u8]>>,
    epoch: u64,
    /// Whether anything was put into it since: if not, it can be skipped.
    written: AtomicBool,
}

/// Keys that share their fate: a piece of a deleted range, or the gap between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: Vec<u8>,
    pub(crate) end: Option<Vec<u8>>,
    /// Rows with a lower stamp are dead; 0 in a gap.
    pub(crate) epoch: u64,
    pub(crate) written: bool,
}

impl Span {
    pub(crate) fn contains(&self, key: &[u8]) -> bool {
        self.start.as_slice() <= key && self.end.as_deref().is_none_or(|end| key < end)
    }
}

impl Piece {
    fn holds(&self, key: &[u8]) -> bool {
        self.end.as_deref().is_none_or(|end| key < end)
    }
}

impl Pieces {
    fn insert(&mut self, start: Box<[u8]>, end: Option<Box<[u8]>>, epoch: u64, written: bool) {
        if end.as_ref().is_some_and(|end| *end <= start) {
            return;
        }
        *self.of_epoch.entry(epoch).or_default() += 1;
        let written = AtomicBool::new(written);
        self.by_start.insert(start, Piece { end, epoch, written });
    }

    /// Takes out a piece; tells `forgotten` if its epoch has no other.
    fn remove(&mut self, start: &[u8], forgotten: &mut Vec<u64>) -> Option<Piece> {
        let piece = self.by_start.remove(start)?;
        if let Some(count) = self.of_epoch.get_mut(&piece.epoch) {
            *count -= 1;
            if *count == 0 {
                self.of_epoch.remove(&piece.epoch);
                forgotten.push(piece.epoch);
            }
        }
        Some(piece)
    }

    fn at(&self, key: &[u8]) -> Option<(&[u8], &Piece)> {
        let (start, piece) =
            self.by_start.range::<[u8], _>((Bound::Unbounded, Bound::Included(key))).next_back()?;
        piece.holds(key).then_some((start, piece))
    }
}

impl Ranges {
    fn read(&self) -> std::sync::RwLockReadGuard<'_, Pieces> {
        self.pieces.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Pieces) -> T) -> T {
        let mut pieces = self.pieces.write().unwrap_or_else(PoisonError::into_inner);
        let out = change(&mut pieces);
        self.count.store(pieces.by_start.len(), Ordering::Release);
        out
    }

    /// Returns the number of pieces.
    pub(crate) fn len(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// Deletes `start..end`, in an epoch above all earlier ones. `forgotten` is told the epochs that have nothing left.
    pub(crate) fn delete(
        &self,
        start: &[u8],
        end: Option<&[u8]>,
        epoch: u64,
        written: bool,
        forgotten: &mut Vec<u64>,
    ) {
        self.change(|pieces| {
            if let Some((left, piece)) = pieces.at(start).filter(|(left, _)| *left < start) {
                // It goes on before the new range, and perhaps behind.
                let (left, old_end) = (left.to_vec(), piece.end.clone());
                let (old, old_written) = (piece.epoch, piece.written.load(Ordering::Relaxed));
                // Both are put back before it could be forgotten.
                let right = end.filter(|end| old_end.as_deref().is_none_or(|old| *end < old));
                if let Some(end) = right {
                    pieces.insert(end.into(), old_end, old, old_written);
                }
                let mut unused = Vec::new();
                *pieces.of_epoch.entry(old).or_default() += 1;
                pieces.remove(&left, &mut unused);
                *pieces.of_epoch.entry(old).or_default() -= 1;
                pieces.insert(left.into(), Some(start.into()), old, old_written);
            }
            let upper = end.map_or(Bound::Unbounded, Bound::Excluded);
            let within = pieces.by_start.range::<[u8], _>((Bound::Included(start), upper));
            let within: Vec<Box<[u8]>> = within.map(|(start, _)| start.clone()).collect();
            for inner in within {
                let rest = pieces.by_start.get(&inner).and_then(|piece| {
                    let goes_on = end.is_some_and(|end| piece.holds(end));
                    let written = piece.written.load(Ordering::Relaxed);
                    goes_on.then(|| (piece.end.clone(), piece.epoch, written))
                });
                if let (Some((old_end, old, old_written)), Some(end)) = (rest, end) {
                    pieces.insert(end.into(), old_end, old, old_written);
                }
                pieces.remove(&inner, forgotten);
            }
            pieces.insert(start.into(), end.map(Into::into), epoch, written);
        });
    }

    /// Returns in which epoch `key` was last deleted; 0 if never.
    #[inline]
    pub(crate) fn epoch_at(&self, key: &[u8]) -> u64 {
        if self.len() == 0 {
            return 0;
        }
        self.read().at(key).map_or(0, |(_, piece)| piece.epoch)
    }

    /// Notes that `key` is about to be put.
    #[inline]
    pub(crate) fn note_put(&self, key: &[u8]) {
        if self.len() > 0
            && let Some((_, piece)) = self.read().at(key)
        {
            piece.written.store(true, Ordering::Relaxed);
        }
    }

    /// Returns what `key` lies in.
    pub(crate) fn span_at(&self, key: &[u8]) -> Span {
        let pieces = self.read();
        if let Some((start, piece)) = pieces.at(key) {
            return Span {
                start: start.to_vec(),
                end: piece.end.as_deref().map(<[u8]>::to_vec),
                epoch: piece.epoch,
                written: piece.written.load(Ordering::Relaxed),
            };
        }
        let before = (Bound::Unbounded, Bound::Included(key));
        let before = pieces.by_start.range::<[u8], _>(before).next_back();
        let start = before.and_then(|(_, piece)| piece.end.as_deref()).unwrap_or_default();
        let after = (Bound::Excluded(key), Bound::Unbounded);
        let after = pieces.by_start.range::<[u8], _>(after).next();
        Span {
            start: start.to_vec(),
            end: after.map(|(start, _)| start.to_vec()),
            epoch: 0,
            written: true,
        }
    }

    /// Returns the first piece that starts at `from` or later.
    pub(crate) fn first_from(&self, from: &[u8]) -> Option<Span> {
        let pieces = self.read();
        let mut rest = pieces.by_start.range::<[u8], _>((Bound::Included(from), Bound::Unbounded));
        rest.next().map(|(start, piece)| Span {
            start: start.to_vec(),
            end: piece.end.as_deref().map(<[u8]>::to_vec),
            epoch: piece.epoch,
            written: piece.written.load(Ordering::Relaxed),
        })
    }

    /// Forgets the piece that starts at `start`: nothing dead is left in it.
    pub(crate) fn forget(&self, start: &[u8], forgotten: &mut Vec<u64>) {
        self.change(|pieces| pieces.remove(start, forgotten));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn bound() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop::sample::select(vec![0_u8, 1, 0x61, 0xFF]), 0..3)
    }

    fn keys() -> Vec<Vec<u8>> {
        let mut keys = vec![vec![]];
        for length in 0..3 {
            let longer: Vec<_> = keys.iter().filter(|key| key.len() == length).cloned().collect();
            for key in longer {
                keys.extend([0_u8, 1, 0x61, 0xFF].map(|byte| [key.as_slice(), &[byte]].concat()));
            }
        }
        keys
    }

    proptest! {
        #[test]
        fn the_latest_deletion_of_each_key_counts(
            deletions in prop::collection::vec((bound(), prop::option::of(bound())), 0..12),
        ) {
            let (ranges, mut forgotten) = (Ranges::default(), Vec::new());
            for (epoch, (start, end)) in (1..).zip(&deletions) {
                if end.as_ref().is_some_and(|end| end <= start) {
                    continue;
                }
                ranges.delete(start, end.as_deref(), epoch, false, &mut forgotten);
            }
            let mut counting = BTreeSet::new();
            for key in keys() {
                let latest = (1..).zip(&deletions).filter(|(_, (start, end))| {
                    *start <= key && end.as_ref().is_none_or(|end| key < *end)
                });
                let expected = latest.map(|(epoch, _)| epoch).last().unwrap_or(0);
                prop_assert_eq!(ranges.epoch_at(&key), expected, "{:02x?}", key);
                let span = ranges.span_at(&key);
                prop_assert!(span.contains(&key) && span.epoch == expected, "{:02x?}: {:?}", key, span);
                counting.insert(expected);
            }
            // What is forgotten covers nothing any more, and is told once.
            let told: BTreeSet<_> = forgotten.iter().copied().collect();
            prop_assert_eq!(told.len(), forgotten.len());
            prop_assert!(told.is_disjoint(&counting), "{:?} of {:?}", told, counting);
            let mut pieces = Vec::new();
            let mut from = vec![];
            while let Some(span) = ranges.first_from(&from) {
                from = [span.start.as_slice(), &[0]].concat();
                prop_assert!(!told.contains(&span.epoch));
                pieces.push(span.start);
            }
            prop_assert_eq!(pieces.len(), ranges.len());
            for start in pieces {
                ranges.forget(&start, &mut forgotten);
            }
            prop_assert_eq!(ranges.len(), 0);
            let told: BTreeSet<_> = forgotten.iter().copied().collect();
            prop_assert_eq!(told.len(), forgotten.len());
        }
    }

    #[test]
    fn a_put_is_noted_in_its_piece_alone() {
        let (ranges, mut forgotten) = (Ranges::default(), Vec::new());
        ranges.delete(b"a", Some(b"c"), 1, false, &mut forgotten);
        ranges.delete(b"d", None, 2, false, &mut forgotten);
        ranges.note_put(b"c");
        assert!(!ranges.span_at(b"a").written && !ranges.span_at(b"e").written);
        ranges.note_put(b"b");
        assert!(ranges.span_at(b"a").written && !ranges.span_at(b"e").written);
    }
}
