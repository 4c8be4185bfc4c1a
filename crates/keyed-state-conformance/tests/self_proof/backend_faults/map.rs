use std::{borrow::Borrow, ops::RangeBounds};

use keyed_state_core::{Encode, KeyedStateBackend, MapState, Result, StateKey, StateValue};

use super::{BackendFault, late::LateMap};

/// View of a map in a faulty backend.
pub(crate) struct FaultyMap<'a, B, M, UK, UV, N> {
    pub(super) inner: M,
    /// The same entries, none of which ever expires.
    pub(super) shadow: M,
    pub(super) fault: Option<BackendFault>,
    pub(super) late: LateMap<'a, B, UK, UV, N>,
    /// Whether reads touch late.
    pub(super) touches_late: bool,
}

impl<B: KeyedStateBackend, M, UK, UV, N> FaultyMap<'_, B, M, UK, UV, N>
where
    M: MapState<UK, UV>,
    UK: StateKey,
    UV: StateValue,
    N: StateKey,
{
    fn has(&self, fault: BackendFault) -> bool {
        self.fault == Some(fault)
    }

    /// Returns the map that a read goes to, which is the wrong one if the read has `fault`.
    fn read(&self, fault: BackendFault) -> &M {
        if self.has(fault) { &self.shadow } else { &self.inner }
    }

    /// Touches what was found, too late.
    fn touch_late(&self, found: Option<&(UK, UV)>) {
        if let Some((key, value)) = found.filter(|_| self.touches_late) {
            self.late.set(key.clone(), value.clone(), None);
        }
    }
}

/// Touches what `iter` gives, too late.
fn touch_late<B, UK, UV, N>(
    iter: impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send,
    late: Option<&LateMap<'_, B, UK, UV, N>>,
) -> impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send
where
    B: KeyedStateBackend,
    UK: StateKey,
    UV: StateValue,
    N: StateKey,
{
    iter.inspect(move |entry| {
        if let (Some(late), Ok((key, value))) = (late, entry) {
            late.set(key.clone(), value.clone(), None);
        }
    })
}

impl<B: KeyedStateBackend, M, UK, UV, N> MapState<UK, UV> for FaultyMap<'_, B, M, UK, UV, N>
where
    M: MapState<UK, UV>,
    UK: StateKey,
    UV: StateValue,
    N: StateKey,
{
    fn get<Q>(&self, key: &Q) -> Result<Option<UV>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        let found = self.read(BackendFault::ExpiredInGet).get(key)?;
        if let Some(value) = &found {
            let mut bytes = Vec::new();
            key.encode(&mut bytes)?;
            self.touch_late(Some(&(UK::decode(&bytes)?, value.clone())));
        }
        Ok(found)
    }

    fn get_with_touch<Q>(&self, key: &Q) -> Result<Option<(UV, Option<i64>)>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        let found = self.read(BackendFault::ExpiredInGetWithTouch).get_with_touch(key);
        if self.has(BackendFault::MergingTouches) {
            self.inner.get(key)?;
        }
        found
    }

    fn contains<Q>(&self, key: &Q) -> Result<bool>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        if self.has(BackendFault::ContainsTouchesNothing) {
            return Ok(self.inner.get_with_touch(key)?.is_some());
        }
        if self.touches_late {
            return Ok(self.get(key)?.is_some());
        }
        self.read(BackendFault::ExpiredInContains).contains(key)
    }

    fn put(&mut self, key: UK, value: UV) -> Result<()> {
        let before = self.inner.get_with_touch(&key)?.and_then(|(_, touched_ms)| touched_ms);
        if self.has(BackendFault::WritingProlongsTheMap) {
            let all: Vec<(UK, UV)> = self.inner.iter()?.collect::<Result<_>>()?;
            self.inner.put_all(all)?;
        }
        self.inner.put(key.clone(), value.clone())?;
        self.shadow.put(key.clone(), value.clone())?;
        if self.has(BackendFault::OverwritingKeepsDeadline) && before.is_some() {
            self.late.set(key, value, before);
        }
        Ok(())
    }

    fn put_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        if self.has(BackendFault::BatchesOneByOne) {
            return entries.into_iter().try_for_each(|(key, value)| self.put(key, value));
        }
        let entries: Vec<(UK, UV)> = entries.into_iter().collect();
        self.inner.put_all(entries.clone())?;
        self.shadow.put_all(entries)
    }

    fn replace_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        let entries: Vec<(UK, UV)> = entries.into_iter().collect();
        match self.fault {
            Some(BackendFault::ReplacingAdds) if !entries.is_empty() => {
                return self.put_all(entries);
            }
            Some(BackendFault::ReplacingByNothingIgnored) if entries.is_empty() => return Ok(()),
            Some(BackendFault::ReplacingClearsFirst) => self.inner.clear()?,
            _ => {}
        }
        self.inner.replace_all(entries.clone())?;
        self.shadow.replace_all(entries)
    }

    fn remove<Q>(&mut self, key: &Q) -> Result<()>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.inner.remove(key)?;
        self.shadow.remove(key)
    }

    fn retain<F>(&mut self, mut keep: F) -> Result<()>
    where
        F: FnMut(&UK, &UV) -> bool,
    {
        if self.has(BackendFault::RetainsOneByOne) {
            let all: Vec<_> = self.inner.iter_with_touch()?.collect::<Result<_>>()?;
            return all.into_iter().try_for_each(|(key, value, _)| {
                if keep(&key, &value) { Ok(()) } else { self.remove(&key) }
            });
        }
        let shown = self.has(BackendFault::ExpiredInRetain);
        let map = if shown { &mut self.shadow } else { &mut self.inner };
        let mut removed = Vec::new();
        map.retain(|key, value| {
            let kept = keep(key, value);
            if !kept {
                removed.push(key.clone());
            }
            kept
        })?;
        removed.iter().try_for_each(|key| self.remove(key))
    }

    fn iter(&self) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send> {
        let iter = self.read(BackendFault::ExpiredInIter).iter()?;
        Ok(touch_late(iter, self.touches_late.then_some(&self.late)))
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
        let iter = self.read(BackendFault::ExpiredInRange).range(range)?;
        Ok(touch_late(iter, self.touches_late.then_some(&self.late)))
    }

    fn iter_with_touch(
        &self,
    ) -> Result<impl Iterator<Item = Result<(UK, UV, Option<i64>)>> + Send> {
        let iter = self.read(BackendFault::ExpiredInIterWithTouch).iter_with_touch()?;
        if self.has(BackendFault::MergingTouches) {
            self.inner.iter()?.try_for_each(|entry| entry.map(drop))?;
        }
        Ok(iter)
    }

    fn clear(&mut self) -> Result<()> {
        self.inner.clear()?;
        self.shadow.clear()
    }

    fn len(&self) -> Result<usize> {
        if self.has(BackendFault::CountingTouches) {
            self.inner.iter()?.try_for_each(|entry| entry.map(drop))?;
        }
        self.read(BackendFault::ExpiredInLen).len()
    }

    fn is_empty(&self) -> Result<bool> {
        if self.has(BackendFault::CountingTouches) {
            return Ok(self.inner.iter()?.next().is_none());
        }
        self.read(BackendFault::ExpiredInIsEmpty).is_empty()
    }

    fn first(&self) -> Result<Option<(UK, UV)>> {
        if self.has(BackendFault::FirstTouchesAll) {
            self.inner.iter()?.try_for_each(|entry| entry.map(drop))?;
        }
        let found = self.read(BackendFault::ExpiredInFirst).first()?;
        self.touch_late(found.as_ref());
        Ok(found)
    }

    fn last(&self) -> Result<Option<(UK, UV)>> {
        let found = self.read(BackendFault::ExpiredInLast).last()?;
        self.touch_late(found.as_ref());
        Ok(found)
    }
}
