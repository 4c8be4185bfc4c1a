use std::{borrow::Borrow, fmt, ops::RangeBounds};

use keyed_state_core::{Encode, MapState, Result, StateKey, StateValue};

use crate::observed::{Observed, Open, Operation};

/// View of a map state in an [`Instrumented`](crate::Instrumented) backend.
pub struct InstrumentedMap<'a, M> {
    pub(crate) inner: M,
    pub(crate) observed: &'a Observed,
}

impl<M> fmt::Debug for InstrumentedMap<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InstrumentedMap").finish_non_exhaustive()
    }
}

#[deny(clippy::missing_trait_methods)]
impl<UK: StateKey, UV: StateValue, M: MapState<UK, UV>> MapState<UK, UV>
    for InstrumentedMap<'_, M>
{
    fn get<Q>(&self, key: &Q) -> Result<Option<UV>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        let (found, sampled) = self.observed.sampled(Operation::Get, || self.inner.get(key));
        if let (Ok(Some(value)), true) = (&found, sampled) {
            self.observed.read(value);
        }
        found
    }

    fn get_with_touch<Q>(&self, key: &Q) -> Result<Option<(UV, Option<i64>)>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.observed.count(Operation::Get, || self.inner.get_with_touch(key))
    }

    fn contains<Q>(&self, key: &Q) -> Result<bool>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.observed.count(Operation::Contains, || self.inner.contains(key))
    }

    fn put(&mut self, key: UK, value: UV) -> Result<()> {
        if self.observed.next_is_timed() {
            self.observed.written(&value);
        }
        self.observed.count(Operation::Put, || self.inner.put(key, value))
    }

    fn put_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        self.observed.count(Operation::PutAll, || self.inner.put_all(entries))
    }

    fn replace_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        self.observed.count(Operation::ReplaceAll, || self.inner.replace_all(entries))
    }

    fn remove<Q>(&mut self, key: &Q) -> Result<()>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.observed.count(Operation::Remove, || self.inner.remove(key))
    }

    fn retain<F>(&mut self, keep: F) -> Result<()>
    where
        F: FnMut(&UK, &UV) -> bool,
    {
        self.observed.count(Operation::Retain, || self.inner.retain(keep))
    }

    fn iter(&self) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send> {
        let iter = self.observed.count(Operation::Iter, || self.inner.iter())?;
        Ok(Open::new(iter, self.observed))
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
        let iter = self.observed.count(Operation::Range, || self.inner.range(range))?;
        Ok(Open::new(iter, self.observed))
    }

    fn iter_with_touch(
        &self,
    ) -> Result<impl Iterator<Item = Result<(UK, UV, Option<i64>)>> + Send> {
        let iter = self.observed.count(Operation::Iter, || self.inner.iter_with_touch())?;
        Ok(Open::new(iter, self.observed))
    }

    fn clear(&mut self) -> Result<()> {
        self.observed.count(Operation::Clear, || self.inner.clear())
    }

    fn len(&self) -> Result<usize> {
        self.observed.count(Operation::Len, || self.inner.len())
    }

    fn is_empty(&self) -> Result<bool> {
        self.observed.count(Operation::IsEmpty, || self.inner.is_empty())
    }

    fn first(&self) -> Result<Option<(UK, UV)>> {
        self.observed.count(Operation::First, || self.inner.first())
    }

    fn last(&self) -> Result<Option<(UK, UV)>> {
        self.observed.count(Operation::Last, || self.inner.last())
    }
}
