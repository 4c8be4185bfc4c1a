use std::{
    borrow::{Borrow, Cow},
    cell::Cell,
    fmt,
    marker::PhantomData,
    ops::{Bound, RangeBounds},
    sync::Mutex,
};

use super::{
    clear,
    composite_key::Prefix,
    entries::Entries,
    generations::Clearing,
    rows::{Rows, Touches},
    value::{check_value_length, is_live, read},
};
use crate::{
    Cursor, Direction, Encode, Engine, KeyRange, MapState, Result, StateKey, StateValue, TableId,
    WriteBatch, check_range,
};

/// View of a map state in an [`EngineBackend`](crate::EngineBackend).
pub struct EngineMap<'a, E, UK, UV> {
    engine: &'a mut E,
    table: TableId,
    prefix: &'a mut Prefix,
    clearing: Clearing<'a>,
    rows: Rows,
    // `&mut Cell`, not `&Cell`: keeps the view `Send` while `get` takes `&self`.
    scratch: &'a mut Cell<Vec<u8>>,
    batch: &'a mut WriteBatch,
    touches: &'a mut Mutex<Touches>,
    types: PhantomData<fn() -> (UK, UV)>,
}

impl<E, UK, UV> fmt::Debug for EngineMap<'_, E, UK, UV> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineMap").field("table", &self.table).finish_non_exhaustive()
    }
}

impl<'a, E: Engine, UK: StateKey, UV: StateValue> EngineMap<'a, E, UK, UV> {
    pub(super) fn new(
        engine: &'a mut E,
        (table, rows): (TableId, Rows),
        prefix: &'a mut Prefix,
        clearing: Clearing<'a>,
        scratch: &'a mut Cell<Vec<u8>>,
        batch: &'a mut WriteBatch,
        touches: &'a mut Mutex<Touches>,
    ) -> Self {
        if let Some(generation) = clearing.generation() {
            prefix.set_generation(generation);
        }
        Self { engine, table, prefix, clearing, rows, scratch, batch, touches, types: PhantomData }
    }

    /// Returns whether there is nothing to read, so that the engine need not be asked.
    fn known_empty(&self) -> bool {
        self.clearing.known_empty()
    }

    fn scan(&self) -> Result<Box<dyn Cursor + Send + '_>> {
        self.engine.scan(self.table, self.prefix.range(), Direction::Forward)
    }

    /// Before a write: a touch written after it would bring the old value back.
    fn settle(&mut self) -> Result<()> {
        if self.rows.reads_touch() {
            Touches::settle(self.touches, self.engine, self.batch)?;
        }
        Ok(())
    }

    /// Builds the composite key of `key` in the scratch buffer and hands it to `f`.
    fn with_key<Q: Encode + ?Sized, T>(
        &self,
        key: &Q,
        f: impl FnOnce(&E, &[u8]) -> Result<T>,
    ) -> Result<T> {
        let mut bytes = self.scratch.take();
        let out = self.prefix.composite(key, &mut bytes).and_then(|()| f(self.engine, &bytes));
        self.scratch.set(bytes);
        out
    }

    /// Appends puts of `entries` to the batch.
    fn collect_puts(&mut self, entries: impl IntoIterator<Item = (UK, UV)>) -> Result<()> {
        let bytes = self.scratch.get_mut();
        for (key, value) in entries {
            self.prefix.composite(&key, bytes)?;
            let key_end = bytes.len();
            self.rows.begin(None, bytes);
            value.encode(bytes)?;
            let (key, value) = bytes.split_at(key_end);
            check_value_length(value)?;
            self.batch.put(self.table, key, value);
        }
        Ok(())
    }

    /// Writes the batch, in which there are puts.
    fn write_puts(&mut self) -> Result<()> {
        if !self.batch.is_empty() {
            self.clearing.note_put(self.prefix.map());
        }
        clear::write(self.engine, self.batch)
    }

    /// Iterates over what is in `range`, which lies in the map's.
    fn entries<'s>(&'s self, range: KeyRange<'s>) -> Entries<'s, E, UK, UV> {
        let (lower, upper) = (Cow::Borrowed(range.start), range.end.map(Cow::Borrowed));
        self.entries_between(lower, upper)
    }

    fn entries_between<'s>(
        &'s self,
        lower: Cow<'s, [u8]>,
        upper: Option<Cow<'s, [u8]>>,
    ) -> Entries<'s, E, UK, UV> {
        let touches = self.rows.reads_touch().then_some(&*self.touches);
        self.entries_noted_in(touches, lower, upper)
    }

    fn entries_noted_in<'s>(
        &'s self,
        touches: Option<&'s Mutex<Touches>>,
        lower: Cow<'s, [u8]>,
        mut upper: Option<Cow<'s, [u8]>>,
    ) -> Entries<'s, E, UK, UV> {
        if self.known_empty() {
            upper = Some(lower.clone());
        }
        let skip = self.prefix.bytes().len();
        Entries::new(self.engine, self.table, lower, upper, skip, self.rows, touches)
    }

    fn bound<Q: Encode + ?Sized>(&self, key: &Q, beyond: bool) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.prefix.composite(key, &mut bytes)?;
        if beyond {
            // The first byte string after this one.
            bytes.push(0);
        }
        Ok(bytes)
    }
}

fn without_touch<UK, UV>(entry: Result<(UK, UV, Option<i64>)>) -> Result<(UK, UV)> {
    entry.map(|(key, value, _)| (key, value))
}

#[deny(clippy::missing_trait_methods)]
impl<E: Engine, UK: StateKey, UV: StateValue> MapState<UK, UV> for EngineMap<'_, E, UK, UV> {
    fn get<Q>(&self, key: &Q) -> Result<Option<UV>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        let read = self.with_key(key, |engine, bytes| {
            if self.known_empty() {
                return Ok(None);
            }
            read(engine, self.table, bytes, self.rows, Some(self.touches))
        });
        Ok(read?.map(|(value, _)| value))
    }

    fn get_with_touch<Q>(&self, key: &Q) -> Result<Option<(UV, Option<i64>)>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.with_key(key, |engine, bytes| {
            if self.known_empty() {
                return Ok(None);
            }
            read(engine, self.table, bytes, self.rows, None)
        })
    }

    fn contains<Q>(&self, key: &Q) -> Result<bool>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.with_key(key, |engine, bytes| {
            if self.known_empty() {
                return Ok(false);
            }
            is_live(engine, self.table, bytes, self.rows, Some(self.touches))
        })
    }

    fn put(&mut self, key: UK, value: UV) -> Result<()> {
        self.settle()?;
        let bytes = self.scratch.get_mut();
        self.prefix.composite(&key, bytes)?;
        let key_end = bytes.len();
        self.rows.begin(None, bytes);
        value.encode(bytes)?;
        let (key, value) = bytes.split_at(key_end);
        check_value_length(value)?;
        self.clearing.note_put(self.prefix.map());
        self.engine.put(self.table, key, value)
    }

    fn put_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        self.settle()?;
        self.batch.clear();
        self.collect_puts(entries)?;
        self.write_puts()
    }

    fn replace_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        self.settle()?;
        self.batch.clear();
        if !self.known_empty() {
            let mut cursor =
                self.engine.scan(self.table, self.prefix.range(), Direction::Forward)?;
            while let Some((key, _)) = cursor.next()? {
                self.batch.delete(self.table, key);
            }
        }
        let old = self.batch.len();
        self.collect_puts(entries)?;
        if self.batch.len() == old {
            return self.clear();
        }
        self.write_puts()
    }

    fn remove<Q>(&mut self, key: &Q) -> Result<()>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.settle()?;
        let bytes = self.scratch.get_mut();
        self.prefix.composite(key, bytes)?;
        if self.clearing.known_empty() {
            return Ok(());
        }
        self.engine.delete(self.table, bytes)
    }

    fn retain<F>(&mut self, mut keep: F) -> Result<()>
    where
        F: FnMut(&UK, &UV) -> bool,
    {
        self.settle()?;
        if self.known_empty() {
            return Ok(());
        }
        self.batch.clear();
        let range = self.prefix.range();
        let skip = range.start.len();
        let mut cursor = self.engine.scan(self.table, range, Direction::Forward)?;
        while let Some((key, row)) = cursor.next()? {
            let kept = match self.rows.live(row)? {
                Some(live) => {
                    let user_key = UK::decode(&key[skip..])?;
                    keep(&user_key, &UV::decode(live.value)?)
                }
                None => false,
            };
            if !kept {
                self.batch.delete(self.table, key);
            }
        }
        drop(cursor);
        clear::write(self.engine, self.batch)
    }

    fn iter(&self) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send> {
        Ok(self.entries(self.prefix.range()).map(without_touch))
    }

    fn range<Q, R>(
        &self,
        range: R,
    ) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
        R: RangeBounds<Q>,
    {
        if !check_range(&range)? {
            let start = self.prefix.bytes();
            let nothing = KeyRange::new(start, Some(start));
            return Ok(self.entries(nothing).map(without_touch));
        }
        let lower = match range.start_bound() {
            Bound::Included(start) => Cow::Owned(self.bound(start, false)?),
            Bound::Excluded(start) => Cow::Owned(self.bound(start, true)?),
            Bound::Unbounded => Cow::Borrowed(self.prefix.bytes()),
        };
        let upper = match range.end_bound() {
            Bound::Included(end) => Some(Cow::Owned(self.bound(end, true)?)),
            Bound::Excluded(end) => Some(Cow::Owned(self.bound(end, false)?)),
            Bound::Unbounded => self.prefix.range().end.map(Cow::Borrowed),
        };
        Ok(self.entries_between(lower, upper).map(without_touch))
    }

    fn iter_with_touch(
        &self,
    ) -> Result<impl Iterator<Item = Result<(UK, UV, Option<i64>)>> + Send> {
        let KeyRange { start, end } = self.prefix.range();
        Ok(self.entries_noted_in(None, Cow::Borrowed(start), end.map(Cow::Borrowed)))
    }

    fn clear(&mut self) -> Result<()> {
        self.settle()?;
        if self.known_empty() {
            return Ok(());
        }
        if let Some(generation) = self.clearing.raise(self.prefix.map()) {
            self.prefix.set_generation(generation);
            return Ok(());
        }
        let strategy = self.clearing.otherwise();
        clear::clear(self.engine, self.table, self.prefix.range(), strategy, self.batch)
    }

    fn len(&self) -> Result<usize> {
        if self.known_empty() {
            return Ok(0);
        }
        let mut cursor = self.scan()?;
        let mut count = 0;
        while let Some((_, row)) = cursor.next()? {
            count += usize::from(self.rows.live(row)?.is_some());
        }
        Ok(count)
    }

    fn is_empty(&self) -> Result<bool> {
        if self.known_empty() {
            return Ok(true);
        }
        let mut cursor = self.scan()?;
        while let Some((_, row)) = cursor.next()? {
            if self.rows.live(row)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn first(&self) -> Result<Option<(UK, UV)>> {
        self.iter()?.next().transpose()
    }

    fn last(&self) -> Result<Option<(UK, UV)>> {
        self.iter()?.next_back().transpose()
    }
}
