use std::{any::Any, fmt};

use keyed_state_core::{
    BackendId, BackendOptions, Capabilities, Error, ErrorKind, KeyedStateBackend, Keys,
    MapDescriptor, MapId, Result, StateDefinition, StateId, StateKey, StateValue, ValueDescriptor,
    ValueId,
};

use crate::{
    MemoryMap, MemoryValue,
    table::{AnyTable, MapTable, Single, Table},
};

/// A keyed backend on the heap.
pub struct MemoryBackend<K> {
    id: BackendId,
    options: BackendOptions,
    states: Vec<Registered<K>>,
    current: Option<K>,
    /// For the encoded key, where its key group must be known.
    scratch: Vec<u8>,
}

struct Registered<K> {
    definition: StateDefinition,
    table: Box<dyn AnyTable<K>>,
    /// The default of a value state: a `V`.
    default: Option<Box<dyn Any + Send>>,
}

impl<K: StateKey> MemoryBackend<K> {
    /// Opens an empty backend.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for options that contradict each other.
    pub fn open(options: BackendOptions) -> Result<Self> {
        options.check()?;
        Ok(Self {
            id: BackendId::fresh(),
            options,
            states: Vec::new(),
            current: None,
            scratch: Vec::new(),
        })
    }

    fn register(
        &mut self,
        definition: StateDefinition,
        table: impl FnOnce() -> Box<dyn AnyTable<K>>,
        default: Option<Box<dyn Any + Send>>,
    ) -> Result<u32> {
        let found = self.states.iter().position(|s| s.definition.name() == definition.name());
        let index = if let Some(index) = found {
            self.states[index].definition.check_same(&definition)?;
            index
        } else {
            self.states.push(Registered { definition, table: table(), default });
            self.states.len() - 1
        };
        Ok(u32::try_from(index).expect("fewer than 2^32 states"))
    }

    fn index<S: StateId>(&self, id: &S) -> Result<usize> {
        id.index_in(self.id)
            .filter(|index| *index < self.states.len())
            .ok_or_else(|| Error::new(ErrorKind::UnknownState, "the state id is another backend's"))
    }
}

fn no_current_key() -> Error {
    Error::new(ErrorKind::NoCurrentKey, "there is no current key; call set_current_key first")
}

impl<K: fmt::Debug> fmt::Debug for MemoryBackend<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryBackend")
            .field("id", &self.id)
            .field("options", &self.options)
            .field("current", &self.current)
            .finish_non_exhaustive()
    }
}

impl<K: StateKey> KeyedStateBackend for MemoryBackend<K> {
    type Key = K;
    type Map<'a, UK: StateKey, UV: StateValue, N: StateKey>
        = MemoryMap<'a, K, UK, UV, N>
    where
        Self: 'a;
    type Value<'a, V: StateValue, N: StateKey>
        = MemoryValue<'a, K, V, N>
    where
        Self: 'a;

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn options(&self) -> &BackendOptions {
        &self.options
    }

    fn register_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        descriptor: &MapDescriptor<UK, UV, N>,
    ) -> Result<MapId<UK, UV, N>> {
        let table = || Box::new(MapTable::<K, N, UK, UV>::new()) as Box<dyn AnyTable<K>>;
        let index = self.register(descriptor.definition()?, table, None)?;
        Ok(MapId::issue(self.id, index))
    }

    fn register_value<V: StateValue, N: StateKey>(
        &mut self,
        descriptor: &ValueDescriptor<V, N>,
    ) -> Result<ValueId<V, N>> {
        let table = || Box::new(Table::<K, N, Single<V>>::new()) as Box<dyn AnyTable<K>>;
        let default =
            descriptor.default().map(|value| Box::new(value.clone()) as Box<dyn Any + Send>);
        let index = self.register(descriptor.definition()?, table, default)?;
        Ok(ValueId::issue(self.id, index))
    }

    fn set_current_key(&mut self, key: &K) -> Result<()> {
        if self.options.owned_key_groups() != self.options.groups().all() {
            self.scratch.clear();
            key.encode(&mut self.scratch)?;
            self.options.check_owned(self.options.groups().group_of(&self.scratch))?;
        }
        match &mut self.current {
            Some(slot) => slot.clone_from(key),
            None => self.current = Some(key.clone()),
        }
        Ok(())
    }

    fn current_key(&self) -> Option<&K> {
        self.current.as_ref()
    }

    fn map_in<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        namespace: &N,
    ) -> Result<MemoryMap<'_, K, UK, UV, N>> {
        let index = self.index(id)?;
        let key = self.current.as_ref().ok_or_else(no_current_key)?;
        let table = self.states[index].table.as_any_mut();
        let table: &mut MapTable<K, N, UK, UV> =
            table.downcast_mut().expect("the id and the table have one type");
        let (entries, namespace) = table.enter(namespace);
        Ok(MemoryMap { entries, key, namespace })
    }

    fn value_in<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        namespace: &N,
    ) -> Result<MemoryValue<'_, K, V, N>> {
        let index = self.index(id)?;
        let key = self.current.as_ref().ok_or_else(no_current_key)?;
        let Registered { table, default, .. } = &mut self.states[index];
        let table: &mut Table<K, N, Single<V>> =
            table.as_any_mut().downcast_mut().expect("the id and the table have one type");
        let default = default
            .as_ref()
            .map(|value| value.downcast_ref().expect("the id and the default have one type"));
        let (entries, namespace) = table.enter(namespace);
        Ok(MemoryValue { entries, key, namespace, default })
    }

    fn keys<S: StateId>(&self, state: &S, namespace: &S::Namespace) -> Result<Keys<K>> {
        let index = self.index(state)?;
        Ok(Keys::new(self.states[index].table.keys(namespace)))
    }

    fn keys_and_namespaces<S: StateId>(&self, state: &S) -> Result<Keys<(K, S::Namespace)>> {
        let mut found: Vec<(K, S::Namespace)> = Vec::new();
        self.states[self.index(state)?].table.keys_and_namespaces(&mut found);
        Ok(Keys::new(found))
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn compact(&mut self) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, "the memory backend has no files to compact"))
    }

    fn close(self) -> Result<()> {
        Ok(())
    }
}
