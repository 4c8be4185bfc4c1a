use std::{fmt, marker::PhantomData};

use crate::{MapState, MapStateExt, Result, Sequence, StateValue};

/// A list under the current key and a namespace, in the order of appending (contract L1).
///
/// Made by [`KeyedStateBackendExt::list`](crate::KeyedStateBackendExt::list), on any backend, over its map state. A list without
/// elements does not exist: absent, emptied and cleared lists read alike.
///
/// ```
/// use keyed_state_core::{KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, Result};
///
/// fn record<B: KeyedStateBackend<Key = String>>(state: &mut B) -> Result<usize> {
///     let airports = state.register_list(&ListDescriptor::<String>::new("airports"))?;
///     state.set_current_key(&"N14228".to_owned())?;
///     let mut list = state.list(&airports)?;
///     list.add("IAH".to_owned())?;
///     list.len()
/// }
/// ```
pub struct ListState<M, V> {
    map: M,
    sequence: Sequence,
    elements: PhantomData<fn() -> V>,
}

impl<M: MapState<u64, V>, V: StateValue> ListState<M, V> {
    pub(crate) fn new(map: M, sequence: Sequence) -> Self {
        Self { map, sequence, elements: PhantomData }
    }

    /// Appends an element. Reads nothing, whatever the list's length.
    pub fn add(&mut self, element: V) -> Result<()> {
        let number = self.sequence.take(1)?;
        self.map.put(number, element)
    }

    /// Appends elements, wholly or not at all (contract M7). Holds them encoded in memory.
    pub fn add_all(&mut self, elements: impl IntoIterator<Item = V>) -> Result<()> {
        let numbered = self.numbered(elements)?;
        self.map.put_all(numbered)
    }

    /// Makes the list consist of `elements` alone, wholly or not at all; without elements it is
    /// [`clear`](Self::clear).
    ///
    /// Cost: a walk over the old elements.
    pub fn update(&mut self, elements: impl IntoIterator<Item = V>) -> Result<()> {
        let numbered = self.numbered(elements)?;
        self.map.replace_all(numbered)
    }

    /// Iterates over the elements in their order; `rev()` for the latest first.
    ///
    /// An item is an error where the engine fails or stored bytes do not decode.
    pub fn iter(&self) -> Result<impl DoubleEndedIterator<Item = Result<V>> + Send> {
        self.map.values()
    }

    /// Returns the elements in their order.
    pub fn to_vec(&self) -> Result<Vec<V>> {
        self.iter()?.collect()
    }

    /// Keeps the elements for which `keep` returns true and removes the others, wholly or not at all; every
    /// element is visited once, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(&V) -> bool) -> Result<()> {
        self.map.retain(|_, element| keep(element))
    }

    /// Returns the number of elements. Cost: a walk over the list on storage engines.
    pub fn len(&self) -> Result<usize> {
        self.map.len()
    }

    /// Returns whether the list has no element. Cost: one short scan on storage engines.
    pub fn is_empty(&self) -> Result<bool> {
        self.map.is_empty()
    }

    /// Removes every element, wholly or not at all.
    ///
    /// Cost: as the [`ClearStrategy`](crate::ClearStrategy) says.
    pub fn clear(&mut self) -> Result<()> {
        self.map.clear()
    }

    /// Numbers all elements before any is written, so that numbers follow each other.
    fn numbered(&self, elements: impl IntoIterator<Item = V>) -> Result<Vec<(u64, V)>> {
        let elements: Vec<V> = elements.into_iter().collect();
        let first = self.sequence.take(elements.len() as u64)?;
        Ok((first..).zip(elements).collect())
    }
}

impl<M, V> fmt::Debug for ListState<M, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListState").finish_non_exhaustive()
    }
}
