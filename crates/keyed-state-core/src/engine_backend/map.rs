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
    composite_key::check_key_length,
    entries::Entries,
    rows::{Rows, Touches},
    value::{check_value_length, is_live, read},
};
use crate::{
    ClearStrategy, Direction, Encode, Engine, KeyRange, MapState, Result, StateKey, StateValue,
    TableId, WriteBatch, check_range,
};

/// View of a map state in an [`EngineBackend`](crate::EngineBackend).
pub struct EngineMap<'a, E, UK, UV> {
    engine: &'a mut E,
    table: TableId,
    strategy: ClearStrategy,
    /// All keys of this map. It starts with what they share, which makes its start their prefix.
    range: KeyRange<'a>,
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
        strategy: ClearStrategy,
        range: KeyRange<'a>,
        scratch: &'a mut Cell<Vec<u8>>,
        batch: &'a mut WriteBatch,
        touches: &'a mut Mutex<Touches>,
    ) -> Self {
        Self { engine, table, strategy, range, rows, scratch, batch, touches, types: PhantomData }
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
        let out =
            composite(self.range.start, key, &mut bytes).and_then(|()| f(self.engine, &bytes));
        self.scratch.set(bytes);
        out
    }

    /// Appends puts of `entries` to the batch.
    fn collect_puts(&mut self, entries: impl IntoIterator<Item = (UK, UV)>) -> Result<()> {
        let bytes = self.scratch.get_mut();
        for (key, value) in entries {
            composite(self.range.start, &key, bytes)?;
            let key_end = bytes.len();
            self.rows.begin(None, bytes);
            value.encode(bytes)?;
            let (key, value) = bytes.split_at(key_end);
            check_value_length(value)?;
            self.batch.put(self.table, key, value);
        }
        Ok(())
    }

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
        let skip = self.range.start.len();
        Entries::new(self.engine, self.table, lower, upper, skip, self.rows, touches)
    }

    fn bound<Q: Encode + ?Sized>(&self, key: &Q, beyond: bool) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        composite(self.range.start, key, &mut bytes)?;
        if beyond {
            // The first byte string after this one.
            bytes.push(0);
        }
        Ok(bytes)
    }
}

/// Fills `out` with prefix and user key.
pub(super) fn composite<Q: Encode + ?Sized>(
    prefix: &[u8],
    key: &Q,
    out: &mut Vec<u8>,
) -> Result<()> {
    out.clear();
    out.extend_from_slice(prefix);
    key.encode(out)?;
    check_key_length(out)
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
            read(engine, self.table, bytes, self.rows, Some(self.touches))
        });
        Ok(read?.map(|(value, _)| value))
    }

    fn get_with_touch<Q>(&self, key: &Q) -> Result<Option<(UV, Option<i64>)>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.with_key(key, |engine, bytes| read(engine, self.table, bytes, self.rows, None))
    }

    fn contains<Q>(&self, key: &Q) -> Result<bool>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.with_key(key, |engine, bytes| {
            is_live(engine, self.table, bytes, self.rows, Some(self.touches))
        })
    }

    fn put(&mut self, key: UK, value: UV) -> Result<()> {
        self.settle()?;
        let bytes = self.scratch.get_mut();
        composite(self.range.start, &key, bytes)?;
        let key_end = bytes.len();
        self.rows.begin(None, bytes);
        value.encode(bytes)?;
        let (key, value) = bytes.split_at(key_end);
        check_value_length(value)?;
        self.engine.put(self.table, key, value)
    }

    fn put_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        self.settle()?;
        self.batch.clear();
        self.collect_puts(entries)?;
        clear::write(self.engine, self.batch)
    }

    fn replace_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        self.settle()?;
        self.batch.clear();
        let mut cursor = self.engine.scan(self.table, self.range, Direction::Forward)?;
        while let Some((key, _)) = cursor.next()? {
            self.batch.delete(self.table, key);
        }
        drop(cursor);
        let old = self.batch.len();
        self.collect_puts(entries)?;
        if self.batch.len() == old {
            return self.clear();
        }
        clear::write(self.engine, self.batch)
    }

    fn remove<Q>(&mut self, key: &Q) -> Result<()>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.settle()?;
        let bytes = self.scratch.get_mut();
        composite(self.range.start, key, bytes)?;
        self.engine.delete(self.table, bytes)
    }

    fn retain<F>(&mut self, mut keep: F) -> Result<()>
    where
        F: FnMut(&UK, &UV) -> bool,
    {
        self.settle()?;
        self.batch.clear();
        let mut cursor = self.engine.scan(self.table, self.range, Direction::Forward)?;
        while let Some((key, row)) = cursor.next()? {
            let kept = match self.rows.live(row)? {
                Some(live) => {
                    let user_key = UK::decode(&key[self.range.start.len()..])?;
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
        Ok(self.entries(self.range).map(without_touch))
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
            let nothing = KeyRange::new(self.range.start, Some(self.range.start));
            return Ok(self.entries(nothing).map(without_touch));
        }
        let lower = match range.start_bound() {
            Bound::Included(start) => Cow::Owned(self.bound(start, false)?),
            Bound::Excluded(start) => Cow::Owned(self.bound(start, true)?),
            Bound::Unbounded => Cow::Borrowed(self.range.start),
        };
        let upper = match range.end_bound() {
            Bound::Included(end) => Some(Cow::Owned(self.bound(end, true)?)),
            Bound::Excluded(end) => Some(Cow::Owned(self.bound(end, false)?)),
            Bound::Unbounded => self.range.end.map(Cow::Borrowed),
        };
        Ok(self.entries_between(lower, upper).map(without_touch))
    }

    fn iter_with_touch(
        &self,
    ) -> Result<impl Iterator<Item = Result<(UK, UV, Option<i64>)>> + Send> {
        let KeyRange { start, end } = self.range;
        let (lower, upper) = (Cow::Borrowed(start), end.map(Cow::Borrowed));
        Ok(Entries::new(self.engine, self.table, lower, upper, start.len(), self.rows, None))
    }

    fn clear(&mut self) -> Result<()> {
        self.settle()?;
        clear::clear(self.engine, self.table, self.range, self.strategy, self.batch)
    }

    fn len(&self) -> Result<usize> {
        let mut cursor = self.engine.scan(self.table, self.range, Direction::Forward)?;
        let mut count = 0;
        while let Some((_, row)) = cursor.next()? {
            count += usize::from(self.rows.live(row)?.is_some());
        }
        Ok(count)
    }

    fn is_empty(&self) -> Result<bool> {
        let mut cursor = self.engine.scan(self.table, self.range, Direction::Forward)?;
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
