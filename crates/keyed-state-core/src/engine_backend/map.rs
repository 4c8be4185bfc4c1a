use std::{
    borrow::{Borrow, Cow},
    cell::Cell,
    fmt,
    marker::PhantomData,
    ops::{Bound, RangeBounds},
};

use super::{
    clear,
    composite_key::check_key_length,
    entries::Entries,
    value::{check_value_length, read},
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
    // `&mut Cell`, not `&Cell`: keeps the view `Send` while `get` takes `&self`.
    scratch: &'a mut Cell<Vec<u8>>,
    batch: &'a mut WriteBatch,
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
        table: TableId,
        strategy: ClearStrategy,
        range: KeyRange<'a>,
        scratch: &'a mut Cell<Vec<u8>>,
        batch: &'a mut WriteBatch,
    ) -> Self {
        Self { engine, table, strategy, range, scratch, batch, types: PhantomData }
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

    fn entries<'s>(&'s self, range: KeyRange<'s>) -> Entries<'s, E, UK, UV> {
        let (lower, upper) = (Cow::Borrowed(range.start), range.end.map(Cow::Borrowed));
        self.entries_between(lower, upper)
    }

    fn entries_between<'s>(
        &'s self,
        lower: Cow<'s, [u8]>,
        upper: Option<Cow<'s, [u8]>>,
    ) -> Entries<'s, E, UK, UV> {
        Entries::new(self.engine, self.table, lower, upper, self.range.start.len())
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
fn composite<Q: Encode + ?Sized>(prefix: &[u8], key: &Q, out: &mut Vec<u8>) -> Result<()> {
    out.clear();
    out.extend_from_slice(prefix);
    key.encode(out)?;
    check_key_length(out)
}

#[deny(clippy::missing_trait_methods)]
impl<E: Engine, UK: StateKey, UV: StateValue> MapState<UK, UV> for EngineMap<'_, E, UK, UV> {
    fn get<Q>(&self, key: &Q) -> Result<Option<UV>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.with_key(key, |engine, bytes| read(engine, self.table, bytes))
    }

    fn contains<Q>(&self, key: &Q) -> Result<bool>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.with_key(key, |engine, bytes| engine.get(self.table, bytes, &mut |_| {}))
    }

    fn put(&mut self, key: UK, value: UV) -> Result<()> {
        let bytes = self.scratch.get_mut();
        composite(self.range.start, &key, bytes)?;
        let key_end = bytes.len();
        value.encode(bytes)?;
        let (key, value) = bytes.split_at(key_end);
        check_value_length(value)?;
        self.engine.put(self.table, key, value)
    }

    fn put_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        self.batch.clear();
        let bytes = self.scratch.get_mut();
        for (key, value) in entries {
            composite(self.range.start, &key, bytes)?;
            let key_end = bytes.len();
            value.encode(bytes)?;
            let (key, value) = bytes.split_at(key_end);
            check_value_length(value)?;
            self.batch.put(self.table, key, value);
        }
        clear::write(self.engine, self.batch)
    }

    fn remove<Q>(&mut self, key: &Q) -> Result<()>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        let bytes = self.scratch.get_mut();
        composite(self.range.start, key, bytes)?;
        self.engine.delete(self.table, bytes)
    }

    fn retain<F>(&mut self, mut keep: F) -> Result<()>
    where
        F: FnMut(&UK, &UV) -> bool,
    {
        self.batch.clear();
        let mut cursor = self.engine.scan(self.table, self.range, Direction::Forward)?;
        while let Some((key, value)) = cursor.next()? {
            let user_key = UK::decode(&key[self.range.start.len()..])?;
            if !keep(&user_key, &UV::decode(value)?) {
                self.batch.delete(self.table, key);
            }
        }
        drop(cursor);
        clear::write(self.engine, self.batch)
    }

    fn iter(&self) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send> {
        Ok(self.entries(self.range))
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
            return Ok(self.entries(KeyRange::new(self.range.start, Some(self.range.start))));
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
        Ok(self.entries_between(lower, upper))
    }

    fn clear(&mut self) -> Result<()> {
        clear::clear(self.engine, self.table, self.range, self.strategy, self.batch)
    }

    fn len(&self) -> Result<usize> {
        let mut cursor = self.engine.scan(self.table, self.range, Direction::Forward)?;
        let mut count = 0;
        while cursor.next()?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    fn is_empty(&self) -> Result<bool> {
        let mut cursor = self.engine.scan(self.table, self.range, Direction::Forward)?;
        Ok(cursor.next()?.is_none())
    }

    fn first(&self) -> Result<Option<(UK, UV)>> {
        self.iter()?.next().transpose()
    }

    fn last(&self) -> Result<Option<(UK, UV)>> {
        self.iter()?.next_back().transpose()
    }
}
