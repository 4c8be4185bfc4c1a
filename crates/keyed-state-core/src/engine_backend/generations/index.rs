use std::sync::{
    PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
    atomic::{AtomicUsize, Ordering},
};

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

use super::{Generations, MAX_GENERATION};

/// Maps are spread over so many shards, each under its own lock: threads that compact read them while the caller clears.
const SHARDS: usize = 64;
/// The longest first part of a row's key, up to the namespace, that the index keeps.
const MAX_MAP_BYTES: usize = 16 << 10;
const LENGTH_BYTES: usize = 2;
/// Dead bytes are not worth collecting below this many.
const MIN_DEAD_BYTES: usize = 4 << 10;

const HAS_PUTS: u64 = 1;
const STORED: u64 = 1 << 1;
const UNSAVED: u64 = 1 << 2;
const MARK_SHIFT: u32 = 8;
const GENERATION_SHIFT: u32 = 16;

/// What is known of a map that was cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine_backend) struct Cleared {
    pub(in crate::engine_backend) generation: u64,
    /// Whether anything was put since. If not, the map is empty.
    pub(in crate::engine_backend) has_puts: bool,
}

/// The generations of one state's maps that were cleared.
///
/// A hash table of 16 bytes a map beside the maps' bytes: 40 to 60 bytes a map, for maps of 20 bytes.
#[derive(Debug)]
pub(in crate::engine_backend) struct Index {
    shards: Box<[RwLock<Shard>]>,
    maps: AtomicUsize,
    /// Maps of which compactions have dropped rows since retirement last looked.
    dropped: AtomicUsize,
    /// Clears that found no room since retirement last looked.
    refused: AtomicUsize,
    generations: Generations,
}

#[derive(Debug, Default)]
struct Shard {
    slots: HashTable<Slot>,
    /// The maps' bytes, each behind its length.
    bytes: Vec<u8>,
    /// How many of the bytes no slot points to any more.
    dead: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Where the length of the map's bytes is.
    at: u32,
    hash: u32,
    /// Generation, mark and flags.
    state: u64,
}

impl Slot {
    fn generation(self) -> u64 {
        self.state >> GENERATION_SHIFT
    }

    fn has(self, flag: u64) -> bool {
        self.state & flag != 0
    }

    fn mark(self) -> u8 {
        self.state.to_be_bytes()[6]
    }

    fn cleared(self) -> Cleared {
        Cleared { generation: self.generation(), has_puts: self.has(HAS_PUTS) }
    }
}

/// Spreads the 32 bits that a slot keeps of a hash over the bits that the table looks at.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

impl Shard {
    fn memory(&self) -> usize {
        self.slots.allocation_size() + self.bytes.capacity()
    }

    fn map_at(bytes: &[u8], at: u32) -> &[u8] {
        let (length, rest) =
            bytes[at as usize..].split_first_chunk::<LENGTH_BYTES>().expect("slots point at maps");
        &rest[..usize::from(u16::from_le_bytes(*length))]
    }

    fn find(&self, hash: u32, map: &[u8]) -> Option<&Slot> {
        self.slots.find(spread(hash), |slot| {
            slot.hash == hash && Self::map_at(&self.bytes, slot.at) == map
        })
    }

    fn find_mut(&mut self, hash: u32, map: &[u8]) -> Option<&mut Slot> {
        self.slots.find_mut(spread(hash), |slot| {
            slot.hash == hash && Self::map_at(&self.bytes, slot.at) == map
        })
    }

    /// Returns how much memory one more map may need.
    fn growth(&self, map: &[u8]) -> usize {
        let slots = if self.slots.len() == self.slots.capacity() {
            self.slots.allocation_size().max(size_of::<Slot>() * 8)
        } else {
            0
        };
        let needed = self.bytes.len() + LENGTH_BYTES + map.len();
        slots + if needed > self.bytes.capacity() { self.more_bytes(map) } else { 0 }
    }

    /// Returns by how many bytes to grow for one more map: by a quarter, lest a good part stay empty.
    fn more_bytes(&self, map: &[u8]) -> usize {
        (LENGTH_BYTES + map.len()).max(self.bytes.len() / 4)
    }

    fn insert(&mut self, hash: u32, map: &[u8], state: u64) {
        if self.bytes.len() + LENGTH_BYTES + map.len() > self.bytes.capacity() {
            self.bytes.reserve_exact(self.more_bytes(map));
        }
        let at = u32::try_from(self.bytes.len()).expect("checked before");
        let length = u16::try_from(map.len()).expect("checked before");
        self.bytes.extend_from_slice(&length.to_le_bytes());
        self.bytes.extend_from_slice(map);
        self.slots.insert_unique(spread(hash), Slot { at, hash, state }, |s| spread(s.hash));
    }

    /// Gives up memory that removed maps have left, once that is the greater part.
    fn shrink(&mut self) {
        if self.slots.is_empty() {
            *self = Self::default();
            return;
        }
        if self.dead > MIN_DEAD_BYTES && self.dead > self.bytes.len() / 2 {
            let mut bytes = Vec::with_capacity(self.bytes.len() - self.dead);
            for slot in &mut self.slots {
                let start = slot.at as usize;
                let end = start + LENGTH_BYTES + Self::map_at(&self.bytes, slot.at).len();
                slot.at = u32::try_from(bytes.len()).expect("it shrinks");
                bytes.extend_from_slice(&self.bytes[start..end]);
            }
            self.bytes = bytes;
            self.dead = 0;
        }
        if self.slots.len() < self.slots.capacity() / 4 {
            self.slots.shrink_to(self.slots.len() * 2, |slot| spread(slot.hash));
        }
    }
}

impl Index {
    pub(in crate::engine_backend) fn new(generations: Generations) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| RwLock::default()).collect(),
            maps: AtomicUsize::new(0),
            dropped: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
            generations,
        }
    }

    pub(in crate::engine_backend) fn generations(&self) -> &Generations {
        &self.generations
    }

    pub(in crate::engine_backend) fn len(&self) -> usize {
        self.maps.load(Ordering::Acquire)
    }

    fn place(map: &[u8]) -> (usize, u32) {
        let hash = xxh3_64(map);
        let [shard, _, _, _, rest @ ..] = hash.to_be_bytes();
        (usize::from(shard) % SHARDS, u32::from_be_bytes(rest))
    }

    fn read(&self, shard: usize) -> RwLockReadGuard<'_, Shard> {
        self.shards[shard].read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes a shard, and accounts for its memory.
    fn change<T>(&self, shard: usize, change: impl FnOnce(&mut Shard) -> T) -> T {
        let lock = &self.shards[shard];
        let mut shard: RwLockWriteGuard<'_, Shard> =
            lock.write().unwrap_or_else(PoisonError::into_inner);
        let (maps, memory) = (shard.slots.len(), shard.memory());
        let out = change(&mut shard);
        self.maps.fetch_add(shard.slots.len().wrapping_sub(maps), Ordering::AcqRel);
        self.generations.resized(memory, shard.memory());
        out
    }

    /// Returns what is known of `map`.
    pub(in crate::engine_backend) fn get(&self, map: &[u8]) -> Option<Cleared> {
        if self.len() == 0 {
            return None;
        }
        let (shard, hash) = Self::place(map);
        self.read(shard).find(hash, map).map(|slot| slot.cleared())
    }

    /// Clears `map`, which is then known to be empty, and returns its new generation; `None` if that needs more memory than there is, or
    /// the generations are at their end.
    pub(in crate::engine_backend) fn raise(&self, map: &[u8]) -> Option<u64> {
        let (shard, hash) = Self::place(map);
        let raised = self.change(shard, |shard| {
            if let Some(slot) = shard.find_mut(hash, map) {
                let generation = self.generations.next()?;
                slot.state = generation << GENERATION_SHIFT | slot.state & STORED | UNSAVED;
                return Some(generation);
            }
            let full = map.len() > MAX_MAP_BYTES
                || u32::try_from(shard.bytes.len()).is_err()
                || !self.generations.has_room(shard.growth(map));
            if full {
                return None;
            }
            let generation = self.generations.next()?;
            shard.insert(hash, map, generation << GENERATION_SHIFT | UNSAVED);
            Some(generation)
        });
        if raised.is_none() {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
        raised
    }

    /// Notes that `map` is no longer empty, before the first put since it was cleared.
    pub(in crate::engine_backend) fn note_put(&self, map: &[u8]) {
        let (shard, hash) = Self::place(map);
        self.change(shard, |shard| {
            if let Some(slot) = shard.find_mut(hash, map) {
                slot.state |= HAS_PUTS | UNSAVED;
            }
        });
    }

    /// Takes in what was stored, whatever memory that needs.
    ///
    /// Returns false if it cannot have been stored by [`ClearedTable::save`](super::ClearedTable::save).
    pub(in crate::engine_backend) fn load(&self, map: &[u8], cleared: Cleared) -> bool {
        if map.len() > MAX_MAP_BYTES || !(1..=MAX_GENERATION).contains(&cleared.generation) {
            return false;
        }
        let flags = if cleared.has_puts { STORED | HAS_PUTS } else { STORED };
        let (shard, hash) = Self::place(map);
        self.generations.restore(cleared.generation);
        self.change(shard, |shard| {
            let new = shard.find(hash, map).is_none() && u32::try_from(shard.bytes.len()).is_ok();
            if new {
                shard.insert(hash, map, cleared.generation << GENERATION_SHIFT | flags);
            }
            new
        })
    }

    /// Gives `visit` each map of a shard that has changed since it was last [saved](Self::saved).
    ///
    /// The shard is locked meanwhile, so nothing may be written to an engine: that may wait for a compaction, which waits for
    /// the shard.
    pub(super) fn for_each_unsaved(&self, shard: usize, mut visit: impl FnMut(&[u8], Cleared)) {
        let shard = self.read(shard);
        for slot in shard.slots.iter().filter(|slot| slot.has(UNSAVED)) {
            visit(Shard::map_at(&shard.bytes, slot.at), slot.cleared());
        }
    }

    /// Notes that all maps of a shard are stored as they are now.
    pub(super) fn saved(&self, shard: usize) {
        self.change(shard, |shard| {
            for slot in shard.slots.iter_mut().filter(|slot| slot.has(UNSAVED)) {
                slot.state = slot.state & !UNSAVED | STORED;
            }
        });
    }

    /// Notes that compactions have dropped rows of one more map.
    pub(super) fn note_dropped(&self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns of how many maps rows were dropped, and how many clears found no room, since it was last asked with `reset`.
    pub(super) fn events(&self, reset: bool) -> (usize, usize) {
        let take = |counter: &AtomicUsize| {
            if reset { counter.swap(0, Ordering::Relaxed) } else { counter.load(Ordering::Relaxed) }
        };
        (take(&self.dropped), take(&self.refused))
    }

    /// Marks `map` as having rows, and returns its generation.
    pub(super) fn mark(&self, map: &[u8], mark: u8) -> Option<u64> {
        let (shard, hash) = Self::place(map);
        self.change(shard, |shard| {
            let slot = shard.find_mut(hash, map)?;
            slot.state = slot.state & !(0xFF << MARK_SHIFT) | u64::from(mark) << MARK_SHIFT;
            Some(slot.generation())
        })
    }

    /// Sorts the unmarked maps of one shard that were last cleared by generation `up_to` or earlier: those that are
    /// known to be empty go if `proven`, and `gone` is told the stored ones among them; all others are added to `doubtful`. Returns
    /// how many maps the shard had.
    pub(super) fn sort_out(
        &self,
        shard: usize,
        (mark, up_to, proven): (u8, u64, bool),
        gone: &mut impl FnMut(&[u8]),
        doubtful: &mut Vec<Box<[u8]>>,
    ) -> usize {
        self.change(shard, |shard| {
            let maps = shard.slots.len();
            let Shard { slots, bytes, dead } = shard;
            slots.retain(|slot| {
                if slot.mark() == mark || slot.generation() > up_to {
                    return true;
                }
                let map = Shard::map_at(bytes, slot.at);
                if !proven || slot.has(HAS_PUTS) {
                    doubtful.push(map.into());
                    return true;
                }
                if slot.has(STORED) {
                    gone(map);
                }
                *dead += LENGTH_BYTES + map.len();
                false
            });
            shard.shrink();
            maps
        })
    }

    /// Forgets `map`; returns what was known of it, and whether that is stored.
    pub(super) fn remove(&self, map: &[u8]) -> Option<(Cleared, bool)> {
        let (shard, hash) = Self::place(map);
        self.change(shard, |shard| {
            let Shard { slots, bytes, dead } = &mut *shard;
            let entry = slots.find_entry(spread(hash), |slot| {
                slot.hash == hash && Shard::map_at(bytes, slot.at) == map
            });
            let (slot, _) = entry.ok()?.remove();
            *dead += LENGTH_BYTES + map.len();
            shard.shrink();
            Some((slot.cleared(), slot.has(STORED)))
        })
    }

    /// Puts back what [`remove`](Self::remove) took.
    pub(super) fn put_back(&self, map: &[u8], (cleared, stored): (Cleared, bool)) {
        let (shard, hash) = Self::place(map);
        let flags = if cleared.has_puts { HAS_PUTS | UNSAVED } else { UNSAVED }
            | if stored { STORED } else { 0 };
        self.change(shard, |shard| {
            shard.insert(hash, map, cleared.generation << GENERATION_SHIFT | flags);
        });
    }

    pub(super) fn shards() -> usize {
        SHARDS
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        for shard in &mut self.shards {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            self.generations.resized(shard.memory(), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Op {
        Raise(u16),
        NotePut(u16),
        Remove(u16),
        Retire,
    }

    fn op() -> impl Strategy<Value = Op> {
        prop_oneof![
            4 => (0..300_u16).prop_map(Op::Raise),
            2 => (0..300_u16).prop_map(Op::NotePut),
            2 => (0..300_u16).prop_map(Op::Remove),
            1 => Just(Op::Retire),
        ]
    }

    fn map(number: u16) -> Vec<u8> {
        format!("{number:0width$}", width = usize::from(number % 60) + 1).into_bytes()
    }

    proptest! {
        #[test]
        fn it_is_a_map(ops in prop::collection::vec(op(), 0..400)) {
            let index = Index::new(Generations::new(usize::MAX));
            let mut expected = BTreeMap::new();
            for op in ops {
                match op {
                    Op::Raise(n) => {
                        let generation = index.raise(&map(n)).unwrap();
                        expected.insert(map(n), Cleared { generation, has_puts: false });
                    }
                    Op::NotePut(n) => {
                        index.note_put(&map(n));
                        if let Some(cleared) = expected.get_mut(&map(n)) {
                            cleared.has_puts = true;
                        }
                    }
                    Op::Remove(n) => {
                        let removed = index.remove(&map(n)).map(|(cleared, _)| cleared);
                        prop_assert_eq!(removed, expected.remove(&map(n)));
                    }
                    Op::Retire => {
                        for shard in 0..SHARDS {
                            let up_to = index.generations.last();
                            let mut doubtful = Vec::new();
                            index.sort_out(shard, (1, up_to, true), &mut |_| {}, &mut doubtful);
                            for map in doubtful {
                                prop_assert!(expected[&*map].has_puts);
                            }
                        }
                        expected.retain(|_, cleared| cleared.has_puts);
                    }
                }
                prop_assert_eq!(index.len(), expected.len());
            }
            for n in 0..300 {
                prop_assert_eq!(index.get(&map(n)), expected.get(&map(n)).copied());
            }
        }
    }

    fn numbered(number: u32) -> Vec<u8> {
        // As many bytes as a key group, a key of twelve bytes and no namespace.
        format!("__{number:015}").into_bytes()
    }

    #[test]
    fn a_million_clears_take_less_than_64_bytes_each() {
        let generations = Generations::new(usize::MAX);
        let index = Index::new(generations.clone());
        for number in 0..1_000_000 {
            index.raise(&numbered(number)).unwrap();
            assert!(number < 10_000 || generations.bytes() / (number as usize) < 64, "{number}");
        }
        drop(index);
        assert_eq!(generations.bytes(), 0);
    }

    #[test]
    fn its_memory_has_a_bound_and_comes_back() {
        let generations = Generations::new(1 << 20);
        let index = Index::new(generations.clone());
        let mut cleared = 0;
        while index.raise(&numbered(cleared)).is_some() {
            cleared += 1;
            assert!(generations.bytes() <= 1 << 20);
        }
        assert!(cleared > 10_000);
        assert!(index.raise(&numbered(0)).is_some(), "a map that is there needs no room");
        for number in 0..cleared {
            index.remove(&numbered(number)).unwrap();
        }
        assert_eq!(index.len(), 0);
        assert_eq!(generations.bytes(), 0);
    }

    #[test]
    fn long_maps_are_refused() {
        let index = Index::new(Generations::new(usize::MAX));
        assert!(index.raise(&vec![7; MAX_MAP_BYTES]).is_some());
        assert_eq!(index.raise(&vec![7; MAX_MAP_BYTES + 1]), None);
    }

    #[test]
    fn what_has_changed_is_saved_once() {
        let index = Index::new(Generations::new(usize::MAX));
        index.raise(b"a").unwrap();
        index.raise(b"b").unwrap();
        index.note_put(b"b");
        let saved = |index: &Index| {
            let mut saved = BTreeMap::new();
            for shard in 0..SHARDS {
                index.for_each_unsaved(shard, |map, cleared| {
                    saved.insert(map.to_vec(), (cleared.generation, cleared.has_puts));
                });
                index.saved(shard);
            }
            saved
        };
        let expected = [(b"a".to_vec(), (1, false)), (b"b".to_vec(), (2, true))];
        assert_eq!(saved(&index), expected.into());
        assert_eq!(saved(&index), [].into());
        index.note_put(b"a");
        assert_eq!(saved(&index), [(b"a".to_vec(), (1, true))].into());
        assert_eq!(index.remove(b"a").map(|(_, stored)| stored), Some(true));
    }
}
