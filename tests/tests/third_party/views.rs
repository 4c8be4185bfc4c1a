use std::{
    borrow::Borrow,
    collections::BTreeMap,
    ops::{Bound, RangeBounds},
};

use keyed_state_core::{Encode, MapState, Result, StateKey, StateValue, ValueState, check_range};

use crate::backend::{Shelf, encoded};

pub(crate) struct ShelfMap<'a> {
    pub(crate) state: &'a mut BTreeMap<(Vec<u8>, Vec<u8>), Shelf>,
    pub(crate) place: (Vec<u8>, Vec<u8>),
}

impl ShelfMap<'_> {
    fn shelf(&self) -> Option<&Shelf> {
        self.state.get(&self.place)
    }

    /// Hands out the shelf, and takes it away if it is empty then: an empty map does not exist.
    fn change<T>(&mut self, change: impl FnOnce(&mut Shelf) -> T) -> T {
        let shelf = self.state.entry(self.place.clone()).or_default();
        let out = change(shelf);
        if shelf.is_empty() {
            self.state.remove(&self.place);
        }
        out
    }
}

fn rows<UK: StateKey, UV: StateValue>(
    entries: impl IntoIterator<Item = (UK, UV)>,
) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
    entries.into_iter().map(|(key, value)| Ok((encoded(&key)?, encoded(&value)?))).collect()
}

fn decoded<UK: StateKey, UV: StateValue>((key, value): (&Vec<u8>, &Vec<u8>)) -> Result<(UK, UV)> {
    Ok((UK::decode(key)?, UV::decode(value)?))
}

fn bound<Q: Encode + ?Sized>(bound: Bound<&Q>) -> Result<Bound<Vec<u8>>> {
    Ok(match bound {
        Bound::Included(key) => Bound::Included(encoded(key)?),
        Bound::Excluded(key) => Bound::Excluded(encoded(key)?),
        Bound::Unbounded => Bound::Unbounded,
    })
}

impl<UK: StateKey, UV: StateValue> MapState<UK, UV> for ShelfMap<'_> {
    fn get<Q>(&self, key: &Q) -> Result<Option<UV>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        let key = encoded(key)?;
        self.shelf().and_then(|shelf| shelf.get(&key)).map(|value| UV::decode(value)).transpose()
    }

    fn contains<Q>(&self, key: &Q) -> Result<bool>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        let key = encoded(key)?;
        Ok(self.shelf().is_some_and(|shelf| shelf.contains_key(&key)))
    }

    fn put(&mut self, key: UK, value: UV) -> Result<()> {
        let (key, value) = (encoded(&key)?, encoded(&value)?);
        self.change(|shelf| shelf.insert(key, value));
        Ok(())
    }

    fn put_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        let rows = rows(entries)?;
        self.change(|shelf| shelf.extend(rows));
        Ok(())
    }

    fn replace_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        let rows = rows(entries)?;
        self.change(|shelf| *shelf = rows.into_iter().collect());
        Ok(())
    }

    fn remove<Q>(&mut self, key: &Q) -> Result<()>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        let key = encoded(key)?;
        self.change(|shelf| shelf.remove(&key));
        Ok(())
    }

    fn retain<F>(&mut self, mut keep: F) -> Result<()>
    where
        F: FnMut(&UK, &UV) -> bool,
    {
        let mut kept = Shelf::new();
        for row in self.shelf().into_iter().flatten() {
            let (key, value) = decoded(row)?;
            if keep(&key, &value) {
                kept.insert(row.0.clone(), row.1.clone());
            }
        }
        self.change(|shelf| *shelf = kept);
        Ok(())
    }

    fn iter(&self) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send> {
        Ok(UntilError::new(self.shelf().map(BTreeMap::iter).unwrap_or_default().map(decoded)))
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
        let bounds = check_range(&range)?
            .then(|| Ok((bound(range.start_bound())?, bound(range.end_bound())?)))
            .transpose()?;
        let rows = match (self.shelf(), bounds) {
            (Some(shelf), Some(bounds)) => shelf.range(bounds),
            _ => std::collections::btree_map::Range::default(),
        };
        Ok(UntilError::new(rows.map(decoded)))
    }

    fn clear(&mut self) -> Result<()> {
        self.state.remove(&self.place);
        Ok(())
    }

    fn len(&self) -> Result<usize> {
        Ok(self.shelf().map_or(0, BTreeMap::len))
    }

    fn is_empty(&self) -> Result<bool> {
        Ok(self.shelf().is_none())
    }
}

/// Ends at the first error, as the contract says of iterators.
struct UntilError<I> {
    rows: I,
    done: bool,
}

impl<I> UntilError<I> {
    fn new(rows: I) -> Self {
        Self { rows, done: false }
    }

    fn step<T>(&mut self, step: impl FnOnce(&mut I) -> Option<Result<T>>) -> Option<Result<T>> {
        let row = if self.done { None } else { step(&mut self.rows) };
        self.done = !matches!(row, Some(Ok(_)));
        row
    }
}

impl<T, I: Iterator<Item = Result<T>>> Iterator for UntilError<I> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.step(I::next)
    }
}

impl<T, I: DoubleEndedIterator<Item = Result<T>>> DoubleEndedIterator for UntilError<I> {
    fn next_back(&mut self) -> Option<Result<T>> {
        self.step(I::next_back)
    }
}

pub(crate) struct ShelfValue<'a, V> {
    pub(crate) map: ShelfMap<'a>,
    pub(crate) default: Option<&'a V>,
}

impl<V: StateValue> ValueState<V> for ShelfValue<'_, V> {
    fn get(&self) -> Result<Option<V>> {
        Ok(MapState::<(), V>::get(&self.map, &())?.or_else(|| self.default.cloned()))
    }

    fn is_set(&self) -> Result<bool> {
        MapState::<(), V>::contains(&self.map, &())
    }

    fn set(&mut self, value: V) -> Result<()> {
        MapState::<(), V>::put(&mut self.map, (), value)
    }

    fn clear(&mut self) -> Result<()> {
        MapState::<(), V>::clear(&mut self.map)
    }
}
