use std::{iter::FusedIterator, marker::PhantomData};

use crate::{Cursor, Direction, Engine, KeyRange, Result, StateKey, StateValue, TableId};

/// Iterates over a map from both ends.
///
/// Each end is a cursor of its own, opened when that end is first asked; the last key of each is kept, so
/// that they stop where they meet.
pub(super) struct Entries<'a, E, UK, UV> {
    engine: &'a E,
    table: TableId,
    lower: Vec<u8>,
    upper: Option<Vec<u8>>,
    /// Bytes before the user key.
    skip: usize,
    front: Option<Box<dyn Cursor + Send + 'a>>,
    back: Option<Box<dyn Cursor + Send + 'a>>,
    done: bool,
    types: PhantomData<fn() -> (UK, UV)>,
}

impl<'a, E: Engine, UK: StateKey, UV: StateValue> Entries<'a, E, UK, UV> {
    pub(super) fn new(
        engine: &'a E,
        table: TableId,
        lower: Vec<u8>,
        upper: Option<Vec<u8>>,
        skip: usize,
    ) -> Self {
        let done = KeyRange::new(&lower, upper.as_deref()).is_empty();
        let (front, back) = (None, None);
        Self { engine, table, lower, upper, skip, front, back, done, types: PhantomData }
    }

    fn step(&mut self, direction: Direction) -> Result<Option<(UK, UV)>> {
        let both = self.front.is_some() && self.back.is_some();
        let end = match direction {
            Direction::Forward => &mut self.front,
            Direction::Reverse => &mut self.back,
        };
        let cursor = if let Some(cursor) = end {
            cursor
        } else {
            let range = KeyRange::new(&self.lower, self.upper.as_deref());
            end.insert(self.engine.scan(self.table, range, direction)?)
        };
        let Some((key, value)) = cursor.next()? else { return Ok(None) };
        if both && !KeyRange::new(&self.lower, self.upper.as_deref()).contains(key) {
            return Ok(None);
        }
        let entry = (UK::decode(&key[self.skip..])?, UV::decode(value)?);
        // What this end has passed is beyond the range of the other end.
        match direction {
            Direction::Forward => {
                self.lower.clear();
                self.lower.extend_from_slice(key);
                self.lower.push(0);
            }
            Direction::Reverse => {
                let upper = self.upper.get_or_insert_default();
                upper.clear();
                upper.extend_from_slice(key);
            }
        }
        Ok(Some(entry))
    }

    fn fused(&mut self, direction: Direction) -> Option<Result<(UK, UV)>> {
        if self.done {
            return None;
        }
        let item = self.step(direction).transpose();
        self.done = !matches!(item, Some(Ok(_)));
        item
    }
}

impl<E: Engine, UK: StateKey, UV: StateValue> Iterator for Entries<'_, E, UK, UV> {
    type Item = Result<(UK, UV)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.fused(Direction::Forward)
    }
}

impl<E: Engine, UK: StateKey, UV: StateValue> DoubleEndedIterator for Entries<'_, E, UK, UV> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.fused(Direction::Reverse)
    }
}

impl<E: Engine, UK: StateKey, UV: StateValue> FusedIterator for Entries<'_, E, UK, UV> {}
