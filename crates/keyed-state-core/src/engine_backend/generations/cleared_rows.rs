use std::sync::Arc;

use super::{FIRST_GENERATION, Index};
use crate::{Result, engine_backend::composite_key::StoredKey};

/// Tells the rows of one state that were cleared from those that were not.
///
/// Rows are best asked about in the order of their keys: what is known of a map is looked up once for all rows of it in a
/// row.
#[derive(Debug)]
pub(in crate::engine_backend) struct ClearedRows {
    index: Arc<Index>,
    /// Clears of later generations do not count.
    floor: u64,
    map: Vec<u8>,
    generation: u64,
    /// Compactions count the maps that they drop rows of.
    counts: bool,
    counted: bool,
}

impl ClearedRows {
    /// Tells by all clears.
    pub(in crate::engine_backend) fn now(index: Arc<Index>) -> Self {
        Self {
            index,
            floor: u64::MAX,
            map: Vec::new(),
            generation: FIRST_GENERATION,
            counts: false,
            counted: false,
        }
    }

    /// Tells by the clears that a compaction which begins now may act on, and counts the maps in which there was something to drop.
    pub(in crate::engine_backend) fn for_compaction(index: Arc<Index>) -> Self {
        let floor = index.generations().floor();
        Self { floor, counts: true, ..Self::now(index) }
    }

    /// Returns whether the row of `stored`, a composite key, was cleared.
    pub(in crate::engine_backend) fn contains(&mut self, stored: &[u8]) -> Result<bool> {
        if self.index.len() == 0 {
            return Ok(false);
        }
        let key = StoredKey::parse(stored)?;
        let map = &stored[..key.map_len];
        if map != self.map {
            let known = self.index.get(map).map(|cleared| cleared.generation);
            self.generation =
                known.filter(|known| *known <= self.floor).unwrap_or(FIRST_GENERATION);
            self.map.clear();
            self.map.extend_from_slice(map);
            self.counted = false;
        }
        let cleared = key.generation < self.generation;
        if cleared && self.counts && !self.counted {
            self.index.note_dropped();
            self.counted = true;
        }
        Ok(cleared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BackendOptions, engine_backend::composite_key::Prefix};

    fn row(key: u64, generation: u64) -> Vec<u8> {
        let (mut prefix, mut row) = (Prefix::default(), Vec::new());
        prefix.set_key(&key, &BackendOptions::new(), &mut row).unwrap();
        prefix.set_namespace(&(), &mut row).unwrap();
        prefix.set_generation(generation);
        prefix.composite(&7_u8, &mut row).unwrap();
        row
    }

    fn clear(index: &Index, key: u64) -> u64 {
        let row = row(key, 0);
        let map_len = StoredKey::parse(&row).unwrap().map_len;
        index.raise(&row[..map_len]).unwrap()
    }

    #[test]
    fn a_compaction_acts_on_the_clears_before_it_alone() {
        let index = Arc::new(Index::new(super::super::Generations::new(usize::MAX)));
        let first = clear(&index, 1);
        let mut compaction = ClearedRows::for_compaction(Arc::clone(&index));
        let mut now = ClearedRows::now(Arc::clone(&index));
        // A snapshot may be taken here, which sees both maps as they are now.
        clear(&index, 2);
        assert!(compaction.contains(&row(1, 0)).unwrap());
        assert!(!compaction.contains(&row(1, first)).unwrap());
        assert!(!compaction.contains(&row(2, 0)).unwrap());
        assert!(!compaction.contains(&row(3, 0)).unwrap());
        assert!(now.contains(&row(2, 0)).unwrap());
        assert_eq!(index.events(true).0, 1, "the maps that a compaction drops rows of are counted");
    }

    #[test]
    fn a_malformed_key_is_an_error() {
        let index = Arc::new(Index::new(super::super::Generations::new(usize::MAX)));
        clear(&index, 1);
        assert!(ClearedRows::now(index).contains(b"x").is_err());
    }
}
