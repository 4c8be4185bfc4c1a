use std::{borrow::Borrow, fmt, ops::RangeBounds};

use either::Either;
use keyed_state_core::{Encode, MapState, Result, StateKey, StateValue};

use crate::slot::{Plain, Stamped};

mod view;

pub(crate) use view::View;

/// View of a map state in a [`MemoryBackend`](crate::MemoryBackend).
pub struct MemoryMap<'a, K, UK, UV: StateValue, N>(pub(crate) Kind<'a, K, UK, UV, N>);

/// Without and with TTL.
pub(crate) enum Kind<'a, K, UK, UV: StateValue, N> {
    Plain(View<'a, K, UK, N, Plain<UV>>),
    Stamped(View<'a, K, UK, N, Stamped<UV>>),
}

impl<K, UK, UV: StateValue, N> fmt::Debug for MemoryMap<'_, K, UK, UV, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryMap").finish_non_exhaustive()
    }
}

/// Calls the same method on whichever view it is.
macro_rules! view {
    ($map:ident, $view:ident => $call:expr) => {
        match &$map.0 {
            Kind::Plain($view) => $call,
            Kind::Stamped($view) => $call,
        }
    };
    (mut $map:ident, $view:ident => $call:expr) => {
        match &mut $map.0 {
            Kind::Plain($view) => $call,
            Kind::Stamped($view) => $call,
        }
    };
}

#[deny(clippy::missing_trait_methods)]
impl<K: StateKey, UK: StateKey, UV: StateValue, N: StateKey> MapState<UK, UV>
    for MemoryMap<'_, K, UK, UV, N>
{
    fn get<Q>(&self, key: &Q) -> Result<Option<UV>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        Ok(view!(self, view => view.get(key)))
    }

    fn get_with_touch<Q>(&self, key: &Q) -> Result<Option<(UV, Option<i64>)>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        Ok(view!(self, view => view.get_with_touch(key)))
    }

    fn contains<Q>(&self, key: &Q) -> Result<bool>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        Ok(view!(self, view => view.contains(key)))
    }

    fn put(&mut self, key: UK, value: UV) -> Result<()> {
        view!(mut self, view => view.put(key, value, None));
        Ok(())
    }

    fn put_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        // First all, then the map: a panic of the iterator leaves what was there.
        let entries: Vec<(UK, UV)> = entries.into_iter().collect();
        view!(mut self, view => view.put_all(entries));
        Ok(())
    }

    fn replace_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        let entries: Vec<(UK, UV)> = entries.into_iter().collect();
        view!(mut self, view => view.replace_all(entries));
        Ok(())
    }

    fn remove<Q>(&mut self, key: &Q) -> Result<()>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        view!(mut self, view => view.remove(key));
        Ok(())
    }

    fn retain<F>(&mut self, keep: F) -> Result<()>
    where
        F: FnMut(&UK, &UV) -> bool,
    {
        view!(mut self, view => view.retain(keep));
        Ok(())
    }

    fn iter(&self) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send> {
        Ok(match &self.0 {
            Kind::Plain(view) => Either::Left(view.iter()),
            Kind::Stamped(view) => Either::Right(view.iter()),
        })
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
        Ok(match &self.0 {
            Kind::Plain(view) => Either::Left(view.range(range)?),
            Kind::Stamped(view) => Either::Right(view.range(range)?),
        })
    }

    fn iter_with_touch(
        &self,
    ) -> Result<impl Iterator<Item = Result<(UK, UV, Option<i64>)>> + Send> {
        Ok(match &self.0 {
            Kind::Plain(view) => Either::Left(view.iter_with_touch()),
            Kind::Stamped(view) => Either::Right(view.iter_with_touch()),
        })
    }

    fn clear(&mut self) -> Result<()> {
        view!(mut self, view => view.clear());
        Ok(())
    }

    fn len(&self) -> Result<usize> {
        Ok(view!(self, view => view.len()))
    }

    fn is_empty(&self) -> Result<bool> {
        Ok(view!(self, view => view.is_empty()))
    }

    fn first(&self) -> Result<Option<(UK, UV)>> {
        view!(self, view => view.iter().next()).transpose()
    }

    fn last(&self) -> Result<Option<(UK, UV)>> {
        view!(self, view => view.iter().next_back()).transpose()
    }
}
