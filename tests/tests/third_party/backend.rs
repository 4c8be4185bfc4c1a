use std::{any::Any, collections::BTreeMap};

use keyed_state_core::{
    BackendContext, BackendOptions, Capabilities, Change, Encode, Error, ErrorKind,
    KeyedStateBackend, Keys, MapChange, MapDescriptor, MapId, Result, StateDefinition, StateId,
    StateKey, StateValue, TimerAccess, ValueChange, ValueDescriptor, ValueId,
};

use crate::views::{ShelfMap, ShelfValue};

/// Encoded entries of one key and namespace, by encoded user key. A value is an entry under the empty key.
pub(crate) type Shelf = BTreeMap<Vec<u8>, Vec<u8>>;

/// Shelves by encoded key and namespace.
type State = BTreeMap<(Vec<u8>, Vec<u8>), Shelf>;

/// The simplest backend that keeps the contract: everything encoded, in ordered maps.
pub(crate) struct Shelves<K> {
    context: BackendContext,
    states: Vec<Registered>,
    current: Option<(K, Vec<u8>)>,
}

struct Registered {
    definition: StateDefinition,
    state: State,
    default: Option<Box<dyn Any + Send>>,
}

pub(crate) fn encoded<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    value.encode(&mut bytes)?;
    Ok(bytes)
}

impl<K: StateKey> Shelves<K> {
    pub(crate) fn open(options: BackendOptions) -> Result<Self> {
        Ok(Self { context: BackendContext::new(options)?, states: Vec::new(), current: None })
    }

    fn register(
        &mut self,
        definition: StateDefinition,
        default: Option<Box<dyn Any + Send>>,
    ) -> Result<u32> {
        definition.check_no_ttl()?;
        let found = self.states.iter().position(|s| s.definition.name() == definition.name());
        let index = if let Some(index) = found {
            self.states[index].definition.check_same(&definition)?;
            index
        } else {
            self.states.push(Registered { definition, state: State::new(), default });
            self.states.len() - 1
        };
        Ok(u32::try_from(index).expect("fewer than 2^32 states"))
    }

    fn index<S: StateId>(&self, id: &S) -> Result<usize> {
        let index = id.index_in(self.context.id()).filter(|index| *index < self.states.len());
        index.ok_or_else(|| Error::new(ErrorKind::UnknownState, "the id is another backend's"))
    }

    fn place<N: StateKey>(&self, namespace: &N) -> Result<(Vec<u8>, Vec<u8>)> {
        let (_, key) = self
            .current
            .as_ref()
            .ok_or_else(|| Error::new(ErrorKind::NoCurrentKey, "set_current_key was not called"))?;
        Ok((key.clone(), encoded(namespace)?))
    }

    /// Applies changes that are all encoded: nothing can fail midway.
    fn apply(&mut self, index: usize, changes: Vec<Encoded>) {
        let state = &mut self.states[index].state;
        for (place, key, value) in changes {
            let shelf = state.entry(place.clone()).or_default();
            match value {
                Some(value) => shelf.insert(key, value),
                None => shelf.remove(&key),
            };
            if shelf.is_empty() {
                state.remove(&place);
            }
        }
    }
}

type Encoded = ((Vec<u8>, Vec<u8>), Vec<u8>, Option<Vec<u8>>);

fn encoded_change<V: StateValue>(change: &Change<V>) -> Result<Option<Vec<u8>>> {
    match change {
        Change::Set { value, .. } => encoded(value).map(Some),
        Change::Remove => Ok(None),
    }
}

impl<K: StateKey> KeyedStateBackend for Shelves<K> {
    type Key = K;
    type Map<'a, UK: StateKey, UV: StateValue, N: StateKey> = ShelfMap<'a>;
    type Value<'a, V: StateValue, N: StateKey> = ShelfValue<'a, V>;

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn context(&self) -> &BackendContext {
        &self.context
    }

    fn register_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        descriptor: &MapDescriptor<UK, UV, N>,
    ) -> Result<MapId<UK, UV, N>> {
        let index = self.register(descriptor.definition()?, None)?;
        Ok(MapId::issue(self.context.id(), index))
    }

    fn register_value<V: StateValue, N: StateKey>(
        &mut self,
        descriptor: &ValueDescriptor<V, N>,
    ) -> Result<ValueId<V, N>> {
        let default = descriptor.default().cloned();
        let default = default.map(|value| Box::new(value) as Box<dyn Any + Send>);
        let index = self.register(descriptor.definition()?, default)?;
        Ok(ValueId::issue(self.context.id(), index))
    }

    fn set_current_key(&mut self, key: &K) -> Result<()> {
        let bytes = encoded(key)?;
        let options = self.context.options();
        options.check_owned(options.groups().group_of(&bytes))?;
        self.current = Some((key.clone(), bytes));
        Ok(())
    }

    fn current_key(&self) -> Option<&K> {
        self.current.as_ref().map(|(key, _)| key)
    }

    fn unset_current_key(&mut self) {
        self.current = None;
    }

    fn map_in<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        namespace: &N,
    ) -> Result<ShelfMap<'_>> {
        let (index, place) = (self.index(id)?, self.place(namespace)?);
        Ok(ShelfMap { state: &mut self.states[index].state, place })
    }

    fn value_in<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        namespace: &N,
    ) -> Result<ShelfValue<'_, V>> {
        let (index, place) = (self.index(id)?, self.place(namespace)?);
        let Registered { state, default, .. } = &mut self.states[index];
        let default = default.as_ref().map(|value| value.downcast_ref().expect("a V"));
        Ok(ShelfValue { map: ShelfMap { state, place }, default })
    }

    fn change_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        changes: Vec<MapChange<UK, UV, N>>,
    ) -> Result<()> {
        let index = self.index(id)?;
        self.place(&())?;
        let changes: Result<Vec<_>> = changes
            .into_iter()
            .map(|MapChange { namespace, key, change }| {
                Ok((self.place(&namespace)?, encoded(&key)?, encoded_change(&change)?))
            })
            .collect();
        self.apply(index, changes?);
        Ok(())
    }

    fn change_value<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        changes: Vec<ValueChange<V, N>>,
    ) -> Result<()> {
        let index = self.index(id)?;
        self.place(&())?;
        let changes: Result<Vec<_>> = changes
            .into_iter()
            .map(|ValueChange { namespace, change }| {
                Ok((self.place(&namespace)?, Vec::new(), encoded_change(&change)?))
            })
            .collect();
        self.apply(index, changes?);
        Ok(())
    }

    fn keys<S: StateId>(&mut self, state: &S, namespace: &S::Namespace) -> Result<Keys<K>> {
        let (state, wanted) = (&self.states[self.index(state)?].state, encoded(namespace)?);
        let keys = state.keys().filter(|(_, namespace)| *namespace == wanted);
        keys.map(|(key, _)| K::decode(key)).collect::<Result<_>>().map(Keys::new)
    }

    fn keys_and_namespaces<S: StateId>(&mut self, state: &S) -> Result<Keys<(K, S::Namespace)>> {
        use keyed_state_core::Decode as _;

        let pairs = self.states[self.index(state)?].state.keys();
        let pairs = pairs.map(|(key, n)| Ok((K::decode(key)?, <S::Namespace>::decode(n)?)));
        pairs.collect::<Result<_>>().map(Keys::new)
    }

    fn expired_entries<S: StateId>(&mut self, state: &S) -> Result<u64> {
        self.index(state).map(|_| 0)
    }

    fn timer_access(&mut self) -> TimerAccess<'_, K> {
        TimerAccess {
            context: &mut self.context,
            current: self.current.as_ref().map(|(key, _)| key),
            engine: None,
        }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn compact(&mut self) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, "there are no files to compact"))
    }

    fn close(self) -> Result<()> {
        Ok(())
    }
}
