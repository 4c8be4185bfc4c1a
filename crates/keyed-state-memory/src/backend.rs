use std::{any::Any, fmt};

use keyed_state_core::{
    BackendContext, BackendOptions, Capabilities, Change, Error, ErrorKind, ExpiryNow,
    KeyedStateBackend, Keys, MapChange, MapDescriptor, MapId, Result, StateDefinition, StateId,
    StateKey, StateValue, TimerAccess, ValueChange, ValueDescriptor, ValueId,
};

use crate::{
    MemoryMap, MemoryValue, map,
    slot::{Plain, Slot, Stamped},
    table::{AnyTable, Held, Table},
    tree::Tree,
    value::{self, Single},
};

/// A keyed backend on the heap.
pub struct MemoryBackend<K> {
    context: BackendContext,
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
        Ok(Self {
            context: BackendContext::new(options)?,
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
        id.index_in(self.context.id())
            .filter(|index| *index < self.states.len())
            .ok_or_else(|| Error::new(ErrorKind::UnknownState, "the state id is another backend's"))
    }

    /// Returns the rule by which a state's entries expire, as of now.
    fn expiry(&self, index: usize) -> Option<ExpiryNow> {
        let expiry = self.states[index].definition.expiry();
        expiry.map(|expiry| expiry.now(self.context.times()))
    }

    /// Opens a map whose values are in slots of kind `S`.
    fn enter_map<'a, UK: StateKey, N: StateKey, S: Slot>(
        &'a mut self,
        index: usize,
        namespace: &N,
        at: S::At,
    ) -> Result<map::View<'a, K, UK, N, S>> {
        let key = self.current.as_ref().ok_or_else(no_current_key)?;
        let table: &mut Table<K, N, Tree<UK, S>> = typed(&mut self.states[index]);
        table.sweep(at);
        let (entries, namespace) = table.enter(namespace);
        Ok(map::View { entries, key, namespace, at })
    }

    /// Opens a value that is in a slot of kind `S`.
    fn enter_value<'a, N: StateKey, S: Slot>(
        &'a mut self,
        index: usize,
        namespace: &N,
        at: S::At,
    ) -> Result<value::View<'a, K, N, S>> {
        let key = self.current.as_ref().ok_or_else(no_current_key)?;
        let Registered { table, default, .. } = &mut self.states[index];
        let table: &mut Table<K, N, Single<S>> =
            table.as_any_mut().downcast_mut().expect("the id and the table have one type");
        table.sweep(at);
        let default = default
            .as_ref()
            .map(|value| value.downcast_ref().expect("the id and the default have one type"));
        let (entries, namespace) = table.enter(namespace);
        Ok(value::View { entries, key, namespace, at, default })
    }
}

fn typed<K: StateKey, N: StateKey, T: Held>(state: &mut Registered<K>) -> &mut Table<K, N, T> {
    state.table.as_any_mut().downcast_mut().expect("the id and the table have one type")
}

fn new_table<K: StateKey, N: StateKey, T: Held>() -> Box<dyn AnyTable<K>> {
    Box::new(Table::<K, N, T>::new())
}

fn no_current_key() -> Error {
    Error::new(ErrorKind::NoCurrentKey, "there is no current key; call set_current_key first")
}

impl<K: fmt::Debug> fmt::Debug for MemoryBackend<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryBackend")
            .field("context", &self.context)
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
        Capabilities { ttl: true, ..Capabilities::default() }
    }

    fn context(&self) -> &BackendContext {
        &self.context
    }

    fn register_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        descriptor: &MapDescriptor<UK, UV, N>,
    ) -> Result<MapId<UK, UV, N>> {
        let definition = descriptor.definition()?;
        let table = match definition.expiry() {
            None => new_table::<K, N, Tree<UK, Plain<UV>>>,
            Some(_) => new_table::<K, N, Tree<UK, Stamped<UV>>>,
        };
        let index = self.register(definition, table, None)?;
        Ok(MapId::issue(self.context.id(), index))
    }

    fn register_value<V: StateValue, N: StateKey>(
        &mut self,
        descriptor: &ValueDescriptor<V, N>,
    ) -> Result<ValueId<V, N>> {
        let definition = descriptor.definition()?;
        let table = match definition.expiry() {
            None => new_table::<K, N, Single<Plain<V>>>,
            Some(_) => new_table::<K, N, Single<Stamped<V>>>,
        };
        let default =
            descriptor.default().map(|value| Box::new(value.clone()) as Box<dyn Any + Send>);
        let index = self.register(definition, table, default)?;
        Ok(ValueId::issue(self.context.id(), index))
    }

    fn set_current_key(&mut self, key: &K) -> Result<()> {
        let options = self.context.options();
        if options.owned_key_groups() != options.groups().all() {
            self.scratch.clear();
            key.encode(&mut self.scratch)?;
            options.check_owned(options.groups().group_of(&self.scratch))?;
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

    fn unset_current_key(&mut self) {
        self.current = None;
    }

    fn map_in<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        namespace: &N,
    ) -> Result<MemoryMap<'_, K, UK, UV, N>> {
        let index = self.index(id)?;
        Ok(MemoryMap(match self.expiry(index) {
            None => map::Kind::Plain(self.enter_map(index, namespace, ())?),
            Some(at) => map::Kind::Stamped(self.enter_map(index, namespace, at)?),
        }))
    }

    fn value_in<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        namespace: &N,
    ) -> Result<MemoryValue<'_, K, V, N>> {
        let index = self.index(id)?;
        Ok(MemoryValue(match self.expiry(index) {
            None => value::Kind::Plain(self.enter_value(index, namespace, ())?),
            Some(at) => value::Kind::Stamped(self.enter_value(index, namespace, at)?),
        }))
    }

    fn change_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        changes: Vec<MapChange<UK, UV, N>>,
    ) -> Result<()> {
        let index = self.index(id)?;
        self.current.as_ref().ok_or_else(no_current_key)?;
        for MapChange { namespace, key, change } in changes {
            let late = matches!(change, Change::Set { touched_ms: Some(_), .. });
            match self.expiry(index) {
                None => {
                    let mut map = self.enter_map::<UK, N, Plain<UV>>(index, &namespace, ())?;
                    map.change(key, change);
                }
                Some(at) => {
                    let mut map = self.enter_map::<UK, N, Stamped<UV>>(index, &namespace, at)?;
                    map.change(key, change);
                }
            }
            if late {
                self.states[index].table.written_late();
            }
        }
        Ok(())
    }

    fn change_value<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        changes: Vec<ValueChange<V, N>>,
    ) -> Result<()> {
        let index = self.index(id)?;
        self.current.as_ref().ok_or_else(no_current_key)?;
        for ValueChange { namespace, change } in changes {
            let late = matches!(change, Change::Set { touched_ms: Some(_), .. });
            match self.expiry(index) {
                None => {
                    self.enter_value::<N, Plain<V>>(index, &namespace, ())?.change(change);
                }
                Some(at) => {
                    self.enter_value::<N, Stamped<V>>(index, &namespace, at)?.change(change);
                }
            }
            if late {
                self.states[index].table.written_late();
            }
        }
        Ok(())
    }

    fn keys<S: StateId>(&mut self, state: &S, namespace: &S::Namespace) -> Result<Keys<K>> {
        let index = self.index(state)?;
        Ok(Keys::new(self.states[index].table.keys(namespace, self.expiry(index))))
    }

    fn keys_and_namespaces<S: StateId>(&mut self, state: &S) -> Result<Keys<(K, S::Namespace)>> {
        let index = self.index(state)?;
        let mut found: Vec<(K, S::Namespace)> = Vec::new();
        self.states[index].table.keys_and_namespaces(&mut found, self.expiry(index));
        Ok(Keys::new(found))
    }

    fn expired_entries<S: StateId>(&mut self, state: &S) -> Result<u64> {
        let index = self.index(state)?;
        Ok(self.states[index].table.expired(self.expiry(index)))
    }

    fn timer_access(&mut self) -> TimerAccess<'_, K> {
        TimerAccess { context: &mut self.context, current: self.current.as_ref(), engine: None }
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
