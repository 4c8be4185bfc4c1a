use super::{Index, index::Cleared};
use crate::ClearStrategy;

/// How the map of one view is cleared, and what is known of it.
#[derive(Debug)]
pub(in crate::engine_backend) struct Clearing<'a> {
    index: &'a Index,
    strategy: ClearStrategy,
    known: Option<Cleared>,
}

impl<'a> Clearing<'a> {
    pub(in crate::engine_backend) fn new(
        index: &'a Index,
        strategy: ClearStrategy,
        map: &[u8],
    ) -> Self {
        Self { index, strategy, known: index.get(map) }
    }

    /// Returns the generation that the map's rows are stored under, if it is not the first.
    pub(in crate::engine_backend) fn generation(&self) -> Option<u64> {
        self.known.map(|known| known.generation)
    }

    /// Returns whether the map has no rows for sure.
    pub(in crate::engine_backend) fn known_empty(&self) -> bool {
        self.known.is_some_and(|known| !known.has_puts)
    }

    /// To be called before anything is put in `map`.
    pub(in crate::engine_backend) fn note_put(&mut self, map: &[u8]) {
        if let Some(known) = self.known.as_mut().filter(|known| !known.has_puts) {
            self.index.note_put(map);
            known.has_puts = true;
        }
    }

    /// Clears `map` by a new generation, and returns it, if that is the way to clear it and it works.
    pub(in crate::engine_backend) fn raise(&mut self, map: &[u8]) -> Option<u64> {
        if self.strategy != ClearStrategy::Generation {
            return None;
        }
        let generation = self.index.raise(map)?;
        self.known = Some(Cleared { generation, has_puts: false });
        Some(generation)
    }

    /// Returns how to clear where [`raise`](Self::raise) does not.
    pub(in crate::engine_backend) fn otherwise(&self) -> ClearStrategy {
        match self.strategy {
            ClearStrategy::Generation => ClearStrategy::adaptive(),
            strategy => strategy,
        }
    }
}
