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
    TableId, WriteBatch, check_range, prefix_successor,
};

/// View of a map state in an [`EngineBackend`](crate::EngineBackend).
pub struct EngineMap<'a, E, UK, UV> {
    engine: &'a mut E,
    table: TableId,
    strategy: ClearStrategy,
    prefix: &'a [u8],
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
        prefix: &'a [u8],
        scratch: &'a mut Cell<Vec<u8>>,
        batch: &'a mut WriteBatch,
    ) -> Self {
        Self { engine, table, strategy, prefix, scratch, batch, types: PhantomData }
    }

    /// Builds the composite key of `key` in the scratch buffer and hands it to `f`.
    fn with_key<Q: Encode + ?Sized, T>(
        &self,
        key: &Q,
        f: impl FnOnce(&E, &[u8]) -> Result<T>,
    ) -> Result<T> {
        let mut bytes = self.scratch.take();
        let out = composite(self.prefix, key, &mut bytes).and_then(|()| f(self.engine, &bytes));
        self.scratch.set(bytes);
        out
    }

    fn entries<'s>(
        &'s self,
        lower: Cow<'s, [u8]>,
        upper: Option<Vec<u8>>,
    ) -> Entries<'s, E, UK, UV> {
        Entries::new(self.engine, self.table, lower, upper, self.prefix.len())
    }

    fn bound<Q: Encode + ?Sized>(&self, key: &Q, beyond: bool) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        composite(self.prefix, key, &mut bytes)?;
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
        composite(self.prefix, &key, bytes)?;
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
            composite(self.prefix, &key, bytes)?;
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
        composite(self.prefix, key, bytes)?;
        self.engine.delete(self.table, bytes)
    }

    fn retain<F>(&mut self, mut keep: F) -> Result<()>
    where
        F: FnMut(&UK, &UV) -> bool,
    {
        self.batch.clear();
        let end = prefix_successor(self.prefix);
        let range = KeyRange::new(self.prefix, end.as_deref());
        let mut cursor = self.engine.scan(self.table, range, Direction::Forward)?;
        while let Some((key, value)) = cursor.next()? {
            let user_key = UK::decode(&key[self.prefix.len()..])?;
            if !keep(&user_key, &UV::decode(value)?) {
                self.batch.delete(self.table, key);
            }
        }
        drop(cursor);
        clear::write(self.engine, self.batch)
    }

    fn iter(&self) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send> {
        Ok(self.entries(Cow::Borrowed(self.prefix), prefix_successor(self.prefix)))
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
            return Ok(self.entries(Cow::Borrowed(self.prefix), Some(self.prefix.to_vec())));
        }
        let lower = match range.start_bound() {
            Bound::Included(start) => Cow::Owned(self.bound(start, false)?),
            Bound::Excluded(start) => Cow::Owned(self.bound(start, true)?),
            Bound::Unbounded => Cow::Borrowed(self.prefix),
        };
        let upper = match range.end_bound() {
            Bound::Included(end) => Some(self.bound(end, true)?),
            Bound::Excluded(end) => Some(self.bound(end, false)?),
            Bound::Unbounded => prefix_successor(self.prefix),
        };
        Ok(self.entries(lower, upper))
    }

    fn clear(&mut self) -> Result<()> {
        clear::clear(self.engine, self.table, self.prefix, self.strategy, self.batch)
    }

    fn len(&self) -> Result<usize> {
        let end = prefix_successor(self.prefix);
        let range = KeyRange::new(self.prefix, end.as_deref());
        let mut cursor = self.engine.scan(self.table, range, Direction::Forward)?;
        let mut count = 0;
        while cursor.next()?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    fn is_empty(&self) -> Result<bool> {
        let end = prefix_successor(self.prefix);
        let range = KeyRange::new(self.prefix, end.as_deref());
        let mut cursor = self.engine.scan(self.table, range, Direction::Forward)?;
        Ok(cursor.next()?.is_none())
    }

    fn first(&self) -> Result<Option<(UK, UV)>> {
        self.iter()?.next().transpose()
    }

    fn last(&self) -> Result<Option<(UK, UV)>> {
        self.iter()?.next_back().transpose()
    }
}
