use std::{borrow::Cow, iter::FusedIterator, marker::PhantomData, sync::Mutex};

use super::rows::{Rows, Touches};
use crate::{Cursor, Direction, Engine, KeyRange, Result, StateKey, StateValue, TableId};

/// An entry and its last touch.
type Entry<UK, UV> = (UK, UV, Option<i64>);

/// Iterates over a map from both ends.
///
/// Each end is a cursor of its own, opened when that end is first asked. Nearly always that is one end, so
/// one end alone keeps only the number of entries that it has given; when the other is opened, that many are walked
/// again, to find where the two would meet. From then on each end narrows the range of the other.
/// With TTL the last key is kept instead, since entries may be removed for good meanwhile.
///
/// Gives live entries alone, with their last touch.
pub(super) struct Entries<'a, E, UK, UV> {
    engine: &'a E,
    table: TableId,
    lower: Cow<'a, [u8]>,
    upper: Option<Cow<'a, [u8]>>,
    /// Bytes before the user key.
    skip: usize,
    front: Option<Box<dyn Cursor + Send + 'a>>,
    back: Option<Box<dyn Cursor + Send + 'a>>,
    /// How many entries were given while only one end was open.
    given: usize,
    /// The last of them, if the state has TTL.
    last: Vec<u8>,
    rows: Rows,
    /// Notes what is read, if reading touches.
    touches: Option<&'a Mutex<Touches>>,
    done: bool,
    types: PhantomData<fn() -> (UK, UV)>,
}

impl<'a, E: Engine, UK: StateKey, UV: StateValue> Entries<'a, E, UK, UV> {
    pub(super) fn new(
        engine: &'a E,
        table: TableId,
        lower: Cow<'a, [u8]>,
        upper: Option<Cow<'a, [u8]>>,
        skip: usize,
        rows: Rows,
        touches: Option<&'a Mutex<Touches>>,
    ) -> Self {
        Self {
            done: KeyRange::new(&lower, upper.as_deref()).is_empty(),
            engine,
            table,
            lower,
            upper,
            skip,
            front: None,
            back: None,
            given: 0,
            last: Vec::new(),
            rows,
            touches,
            types: PhantomData,
        }
    }

    fn range(&self) -> KeyRange<'_> {
        KeyRange::new(&self.lower, self.upper.as_deref())
    }

    /// Opens the end that walks in `direction`.
    fn open(&mut self, direction: Direction) -> Result<()> {
        match direction {
            Direction::Forward => {
                if self.back.is_some() {
                    self.catch_up(Direction::Reverse)?;
                }
                self.front = Some(self.engine.scan(self.table, self.range(), direction)?);
            }
            Direction::Reverse => {
                if self.front.is_some() {
                    self.catch_up(Direction::Forward)?;
                }
                self.back = Some(self.engine.scan(self.table, self.range(), direction)?);
            }
        }
        Ok(())
    }

    /// Narrows the range by what the end that walks in `direction` has given so far.
    fn catch_up(&mut self, direction: Direction) -> Result<()> {
        if self.given == 0 {
            return Ok(());
        }
        if self.rows.0.is_none() {
            let mut last = Vec::new();
            let mut cursor = self.engine.scan(self.table, self.range(), direction)?;
            for _ in 0..self.given {
                let Some((key, _)) = cursor.next()? else { break };
                last.clear();
                last.extend_from_slice(key);
            }
            drop(cursor);
            self.last = last;
        }
        narrow(&mut self.lower, &mut self.upper, &self.last, direction);
        Ok(())
    }

    fn step(&mut self, direction: Direction) -> Result<Option<Entry<UK, UV>>> {
        let closed = match direction {
            Direction::Forward => self.front.is_none(),
            Direction::Reverse => self.back.is_none(),
        };
        if closed {
            self.open(direction)?;
        }
        let (end, other) = match direction {
            Direction::Forward => (&mut self.front, &self.back),
            Direction::Reverse => (&mut self.back, &self.front),
        };
        let cursor = end.as_mut().expect("it was just opened");
        loop {
            let Some((key, row)) = cursor.next()? else { return Ok(None) };
            let both = other.is_some();
            if both && !KeyRange::new(&self.lower, self.upper.as_deref()).contains(key) {
                return Ok(None);
            }
            let Some(live) = self.rows.live(row)? else { continue };
            if both {
                narrow(&mut self.lower, &mut self.upper, key, direction);
            } else {
                self.given += 1;
                if self.rows.0.is_some() {
                    self.last.clear();
                    self.last.extend_from_slice(key);
                }
            }
            if let Some(touches) = self.touches {
                self.rows.touch(touches, self.table, key, &live);
            }
            let user_key = UK::decode(&key[self.skip..])?;
            return Ok(Some((user_key, UV::decode(live.value)?, live.touched_ms)));
        }
    }

    fn fused(&mut self, direction: Direction) -> Option<Result<Entry<UK, UV>>> {
        if self.done {
            return None;
        }
        let step = self.step(direction).transpose();
        self.done = !matches!(step, Some(Ok(_)));
        step
    }
}

/// Takes `key`, and all that an end walking in `direction` has passed with it, out of the range.
fn narrow(
    lower: &mut Cow<'_, [u8]>,
    upper: &mut Option<Cow<'_, [u8]>>,
    key: &[u8],
    direction: Direction,
) {
    match direction {
        Direction::Forward => {
            let lower = lower.to_mut();
            lower.clear();
            lower.extend_from_slice(key);
            // The first byte string after the key.
            lower.push(0);
        }
        Direction::Reverse => {
            let upper = upper.get_or_insert_default().to_mut();
            upper.clear();
            upper.extend_from_slice(key);
        }
    }
}

impl<E: Engine, UK: StateKey, UV: StateValue> Iterator for Entries<'_, E, UK, UV> {
    type Item = Result<Entry<UK, UV>>;

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
