use std::{borrow::Borrow, ops::RangeBounds};

use either::Either;
use keyed_state_core::{
    BackendContext, BackendOptions, Capabilities, Encode, Engine, EngineBackend, EngineMap,
    EngineValue, KeyedStateBackend, Keys, MapChange, MapDescriptor, MapId, MapState, Result,
    StateId, StateKey, StateValue, TimerAccess, ValueChange, ValueDescriptor, ValueId, ValueState,
};
use keyed_state_memory::{MemoryBackend, MemoryMap, MemoryValue};

/// A backend chosen at run time: what [`open`](crate::open) returns.
///
/// Two variants for all engines, so that features add engines and never variants. Costs a branch, and on
/// engines a virtual call, for each operation.
///
/// ```
/// use keyed_state::{AnyBackend, BackendOptions, KeyedStateBackend, KeyedStateBackendExt};
/// use keyed_state::{ValueDescriptor, ValueState};
///
/// let mut backend = AnyBackend::<u64>::memory(BackendOptions::new())?;
/// let total = backend.register_value(&ValueDescriptor::<u64>::new("total"))?;
/// backend.set_current_key(&7)?;
/// backend.value(&total)?.set(42)?;
/// # Ok::<(), keyed_state::Error>(())
/// ```
#[derive(Debug)]
pub enum AnyBackend<K> {
    /// Typed values on the heap.
    Memory(MemoryBackend<K>),
    /// Bytes in a storage engine.
    Engine(EngineBackend<K, Box<dyn Engine>>),
}

impl<K: StateKey> AnyBackend<K> {
    /// Opens an empty backend on the heap.
    ///
    /// # Errors
    ///
    /// As [`MemoryBackend::open`].
    pub fn memory(options: BackendOptions) -> Result<Self> {
        MemoryBackend::open(options).map(Self::Memory)
    }

    /// Makes a backend of an open engine: one of ours, opened by its typed configuration, or your own.
    ///
    /// # Errors
    ///
    /// As [`EngineBackend::open`].
    pub fn engine(engine: impl Engine + 'static, options: BackendOptions) -> Result<Self> {
        EngineBackend::open(Box::new(engine) as Box<dyn Engine>, options).map(Self::Engine)
    }
}

/// Calls the same method on whichever backend or view it is.
macro_rules! either {
    ($any:expr, $inner:ident => $call:expr) => {
        match $any {
            Self::Memory($inner) => $call,
            Self::Engine($inner) => $call,
        }
    };
}

#[deny(clippy::missing_trait_methods)]
impl<K: StateKey> KeyedStateBackend for AnyBackend<K> {
    type Key = K;
    type Map<'a, UK: StateKey, UV: StateValue, N: StateKey>
        = AnyMap<'a, K, UK, UV, N>
    where
        Self: 'a;
    type Value<'a, V: StateValue, N: StateKey>
        = AnyValue<'a, K, V, N>
    where
        Self: 'a;

    fn capabilities(&self) -> Capabilities {
        either!(self, backend => backend.capabilities())
    }

    fn context(&self) -> &BackendContext {
        either!(self, backend => backend.context())
    }

    fn options(&self) -> &BackendOptions {
        either!(self, backend => backend.options())
    }

    fn register_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        descriptor: &MapDescriptor<UK, UV, N>,
    ) -> Result<MapId<UK, UV, N>> {
        either!(self, backend => backend.register_map(descriptor))
    }

    fn register_value<V: StateValue, N: StateKey>(
        &mut self,
        descriptor: &ValueDescriptor<V, N>,
    ) -> Result<ValueId<V, N>> {
        either!(self, backend => backend.register_value(descriptor))
    }

    fn set_current_key(&mut self, key: &K) -> Result<()> {
        either!(self, backend => backend.set_current_key(key))
    }

    fn current_key(&self) -> Option<&K> {
        either!(self, backend => backend.current_key())
    }

    fn unset_current_key(&mut self) {
        either!(self, backend => backend.unset_current_key());
    }

    fn map_in<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        namespace: &N,
    ) -> Result<AnyMap<'_, K, UK, UV, N>> {
        match self {
            Self::Memory(backend) => backend.map_in(id, namespace).map(AnyMap::Memory),
            Self::Engine(backend) => backend.map_in(id, namespace).map(AnyMap::Engine),
        }
    }

    fn value_in<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        namespace: &N,
    ) -> Result<AnyValue<'_, K, V, N>> {
        match self {
            Self::Memory(backend) => backend.value_in(id, namespace).map(AnyValue::Memory),
            Self::Engine(backend) => backend.value_in(id, namespace).map(AnyValue::Engine),
        }
    }

    fn change_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        changes: Vec<MapChange<UK, UV, N>>,
    ) -> Result<()> {
        either!(self, backend => backend.change_map(id, changes))
    }

    fn change_value<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        changes: Vec<ValueChange<V, N>>,
    ) -> Result<()> {
        either!(self, backend => backend.change_value(id, changes))
    }

    fn keys<S: StateId>(&mut self, state: &S, namespace: &S::Namespace) -> Result<Keys<K>> {
        either!(self, backend => backend.keys(state, namespace))
    }

    fn keys_and_namespaces<S: StateId>(&mut self, state: &S) -> Result<Keys<(K, S::Namespace)>> {
        either!(self, backend => backend.keys_and_namespaces(state))
    }

    fn expired_entries<S: StateId>(&mut self, state: &S) -> Result<u64> {
        either!(self, backend => backend.expired_entries(state))
    }

    fn timer_access(&mut self) -> TimerAccess<'_, K> {
        either!(self, backend => backend.timer_access())
    }

    fn flush(&mut self) -> Result<()> {
        either!(self, backend => backend.flush())
    }

    fn compact(&mut self) -> Result<()> {
        either!(self, backend => backend.compact())
    }

    fn close(self) -> Result<()> {
        either!(self, backend => backend.close())
    }
}

/// View of a map state in an [`AnyBackend`].
#[derive(Debug)]
pub enum AnyMap<'a, K, UK, UV: StateValue, N> {
    /// In a [`MemoryBackend`].
    Memory(MemoryMap<'a, K, UK, UV, N>),
    /// In an [`EngineBackend`].
    Engine(EngineMap<'a, Box<dyn Engine>, UK, UV>),
}

#[deny(clippy::missing_trait_methods)]
impl<K: StateKey, UK: StateKey, UV: StateValue, N: StateKey> MapState<UK, UV>
    for AnyMap<'_, K, UK, UV, N>
{
    fn get<Q>(&self, key: &Q) -> Result<Option<UV>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        either!(self, map => map.get(key))
    }

    fn get_with_touch<Q>(&self, key: &Q) -> Result<Option<(UV, Option<i64>)>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        either!(self, map => map.get_with_touch(key))
    }

    fn contains<Q>(&self, key: &Q) -> Result<bool>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        either!(self, map => map.contains(key))
    }

    fn put(&mut self, key: UK, value: UV) -> Result<()> {
        either!(self, map => map.put(key, value))
    }

    fn put_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        either!(self, map => map.put_all(entries))
    }

    fn replace_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        either!(self, map => map.replace_all(entries))
    }

    fn remove<Q>(&mut self, key: &Q) -> Result<()>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        either!(self, map => map.remove(key))
    }

    fn retain<F>(&mut self, keep: F) -> Result<()>
    where
        F: FnMut(&UK, &UV) -> bool,
    {
        either!(self, map => map.retain(keep))
    }

    fn iter(&self) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send> {
        Ok(match self {
            Self::Memory(map) => Either::Left(map.iter()?),
            Self::Engine(map) => Either::Right(map.iter()?),
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
        Ok(match self {
            Self::Memory(map) => Either::Left(map.range(range)?),
            Self::Engine(map) => Either::Right(map.range(range)?),
        })
    }

    fn iter_with_touch(
        &self,
    ) -> Result<impl Iterator<Item = Result<(UK, UV, Option<i64>)>> + Send> {
        Ok(match self {
            Self::Memory(map) => Either::Left(map.iter_with_touch()?),
            Self::Engine(map) => Either::Right(map.iter_with_touch()?),
        })
    }

    fn clear(&mut self) -> Result<()> {
        either!(self, map => map.clear())
    }

    fn len(&self) -> Result<usize> {
        either!(self, map => map.len())
    }

    fn is_empty(&self) -> Result<bool> {
        either!(self, map => map.is_empty())
    }

    fn first(&self) -> Result<Option<(UK, UV)>> {
        either!(self, map => map.first())
    }

    fn last(&self) -> Result<Option<(UK, UV)>> {
        either!(self, map => map.last())
    }
}

/// View of a value state in an [`AnyBackend`].
#[derive(Debug)]
pub enum AnyValue<'a, K, V: StateValue, N> {
    /// In a [`MemoryBackend`].
    Memory(MemoryValue<'a, K, V, N>),
    /// In an [`EngineBackend`].
    Engine(EngineValue<'a, Box<dyn Engine>, V>),
}

#[deny(clippy::missing_trait_methods)]
impl<K: StateKey, V: StateValue, N: StateKey> ValueState<V> for AnyValue<'_, K, V, N> {
    fn get(&self) -> Result<Option<V>> {
        either!(self, value => value.get())
    }

    fn get_with_touch(&self) -> Result<Option<(V, Option<i64>)>> {
        either!(self, value => value.get_with_touch())
    }

    fn is_set(&self) -> Result<bool> {
        either!(self, value => value.is_set())
    }

    fn set(&mut self, value: V) -> Result<()> {
        either!(self, state => state.set(value))
    }

    fn clear(&mut self) -> Result<()> {
        either!(self, value => value.clear())
    }
}
