use std::{borrow::Borrow, ops::RangeBounds};

use crate::{Encode, Result, StateKey, StateValue};

/// A map under the current key and a namespace, ordered by user key.
///
/// A map without entries does not exist (contract M4): absent, emptied and cleared maps read alike.
///
/// Look-ups take any borrowed form of the key, as in `BTreeMap`: `get("clicks")` works on `String` keys.
///
/// # Changing a map while iterating over it
///
/// does not compile, since an iterator borrows the view. Use [`retain`](Self::retain), or collect first.
pub trait MapState<UK: StateKey, UV: StateValue> {
    /// Returns the value of `key`.
    fn get<Q>(&self, key: &Q) -> Result<Option<UV>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized;

    /// Returns the value of `key` and its last touch in milliseconds, or `None` for a state without
    /// [`Ttl`](crate::Ttl). Touches nothing.
    fn get_with_touch<Q>(&self, key: &Q) -> Result<Option<(UV, Option<i64>)>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        Ok(self.get(key)?.map(|value| (value, None)))
    }

    /// Returns whether `key` has a value, without decoding it.
    fn contains<Q>(&self, key: &Q) -> Result<bool>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized;

    /// Sets `key` to `value`, replacing any earlier value. Reads nothing.
    fn put(&mut self, key: UK, value: UV) -> Result<()>;

    /// Sets every entry, the last one counting where a key comes twice; wholly or not at all
    /// (contract M7). Holds the encoded entries in memory.
    fn put_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>;

    /// Makes the map consist of `entries` alone, the last one counting where a key comes twice; wholly or
    /// not at all. Without entries it is [`clear`](Self::clear). Holds the encoded entries and the keys of the old ones in memory.
    fn replace_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>;

    /// Removes `key`; removing an absent key is fine. Reads nothing.
    fn remove<Q>(&mut self, key: &Q) -> Result<()>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized;

    /// Keeps the entries for which `keep` returns true and removes the others, wholly or not at all; every
    /// entry is visited once, in ascending order (contract M3).
    ///
    /// Cost: a walk over the map, and memory for the removed keys.
    fn retain<F>(&mut self, keep: F) -> Result<()>
    where
        F: FnMut(&UK, &UV) -> bool;

    /// Iterates over the entries in ascending key order; `rev()` for descending.
    ///
    /// An item is an error where the engine fails or stored bytes do not decode; the iterator is exhausted
    /// after it. An exhausted iterator stays exhausted.
    ///
    /// On storage engines, asking an iterator at its other end for the first time walks once more over what
    /// it has given.
    //
    // Opaque rather than an associated type: a nested generic associated type makes `tokio::spawn` reject
    // generic callers that await inside the loop.
    fn iter(&self) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send>;

    /// Iterates over the entries whose keys lie in `range`, in ascending order; `rev()` for descending.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a range whose start is above its end
    /// (where `BTreeMap::range` panics). A range that is merely empty gives no entries.
    fn range<Q, R>(
        &self,
        range: R,
    ) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
        R: RangeBounds<Q>;

    /// Iterates over the entries in ascending key order, each with its last touch in milliseconds, or `None` for a state
    /// without [`Ttl`](crate::Ttl). Touches nothing.
    fn iter_with_touch(
        &self,
    ) -> Result<impl Iterator<Item = Result<(UK, UV, Option<i64>)>> + Send> {
        Ok(self.iter()?.map(|entry| entry.map(|(key, value)| (key, value, None))))
    }

    /// Removes every entry, wholly or not at all (contract M5).
    ///
    /// Cost: as the [`ClearStrategy`](crate::ClearStrategy) says.
    fn clear(&mut self) -> Result<()>;

    /// Returns the number of entries.
    ///
    /// Cost: a walk over the map on storage engines, which keep no counts.
    fn len(&self) -> Result<usize>;

    /// Returns whether the map has no entry. Cost: one short scan on storage engines.
    fn is_empty(&self) -> Result<bool>;

    /// Returns the entry with the smallest key.
    fn first(&self) -> Result<Option<(UK, UV)>> {
        self.iter()?.next().transpose()
    }

    /// Returns the entry with the largest key.
    fn last(&self) -> Result<Option<(UK, UV)>> {
        self.iter()?.next_back().transpose()
    }
}

/// Conveniences over [`MapState`]; implemented for every map, never by hand.
pub trait MapStateExt<UK: StateKey, UV: StateValue>: MapState<UK, UV> {
    /// Iterates over the keys in ascending order.
    fn keys(&self) -> Result<impl DoubleEndedIterator<Item = Result<UK>> + Send> {
        Ok(self.iter()?.map(|entry| entry.map(|(key, _)| key)))
    }

    /// Iterates over the values in ascending order of their keys.
    fn values(&self) -> Result<impl DoubleEndedIterator<Item = Result<UV>> + Send> {
        Ok(self.iter()?.map(|entry| entry.map(|(_, value)| value)))
    }

    /// Reads, changes and writes back one value; `change` gets `None` for an absent key, and removes the
    /// key by returning `None`.
    fn update(&mut self, key: UK, change: impl FnOnce(Option<UV>) -> Option<UV>) -> Result<()> {
        match change(self.get(&key)?) {
            Some(value) => self.put(key, value),
            None => self.remove(&key),
        }
    }
}

impl<UK: StateKey, UV: StateValue, M: MapState<UK, UV> + ?Sized> MapStateExt<UK, UV> for M {}

/// One value under the current key and a namespace.
pub trait ValueState<V: StateValue> {
    /// Returns the value; while none is set, a fresh copy of the descriptor's default, or `None` without
    /// one (contract M10).
    fn get(&self) -> Result<Option<V>>;

    /// Returns the value that is set, without any default, and its last touch in milliseconds, or `None` for a state without
    /// [`Ttl`](crate::Ttl). Touches nothing.
    fn get_with_touch(&self) -> Result<Option<(V, Option<i64>)>> {
        Ok(if self.is_set()? { self.get()?.map(|value| (value, None)) } else { None })
    }

    /// Returns whether a value is set; a default does not count.
    fn is_set(&self) -> Result<bool>;

    /// Sets the value. Reads nothing.
    fn set(&mut self, value: V) -> Result<()>;

    /// Removes the value, so that the default shows again. Reads nothing.
    fn clear(&mut self) -> Result<()>;
}

/// Conveniences over [`ValueState`]; implemented for every value, never by hand.
pub trait ValueStateExt<V: StateValue>: ValueState<V> {
    /// Reads, changes and writes back the value; `change` gets what [`get`](ValueState::get) returns,
    /// and clears the state by returning `None`.
    fn update(&mut self, change: impl FnOnce(Option<V>) -> Option<V>) -> Result<()> {
        match change(self.get()?) {
            Some(value) => self.set(value),
            None => self.clear(),
        }
    }
}

impl<V: StateValue, S: ValueState<V> + ?Sized> ValueStateExt<V> for S {}
