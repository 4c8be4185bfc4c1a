use std::collections::BTreeMap;

use keyed_state_core::{
    BackendContext, BackendOptions, Capabilities, Decode as _, Error, ErrorKind, KeyedStateBackend,
    Keys, MapChange, MapDescriptor, MapId, Result, StateDefinition, StateId, StateKey, StateValue,
    TimerAccess, Touch, Ttl, ValueChange, ValueDescriptor, ValueId,
};

use super::{
    BackendFault, FaultyMap, FaultyValue, changes, descriptors,
    late::{Late, LateMap, LateValue},
};

/// A backend around another that has one fault, or none.
pub(crate) struct FaultyBackend<B> {
    inner: B,
    /// Gets the same calls, but its states have no TTL: what it holds beyond `inner` has expired.
    shadow: B,
    fault: Option<BackendFault>,
    /// The options before the fault changed them.
    options: BackendOptions,
    states: Vec<Registered>,
    by_name: BTreeMap<String, usize>,
    late: Late<B>,
}

struct Registered {
    definition: StateDefinition,
    reads_touch: bool,
    /// The most expired entries that were ever counted.
    most_expired: u64,
}

impl<B: KeyedStateBackend> FaultyBackend<B> {
    pub(super) fn new(
        inner: B,
        shadow: B,
        fault: Option<BackendFault>,
        options: BackendOptions,
    ) -> Self {
        let (states, by_name) = (Vec::new(), BTreeMap::new());
        Self { inner, shadow, fault, options, states, by_name, late: Late::default() }
    }

    fn has(&self, fault: BackendFault) -> bool {
        self.fault == Some(fault)
    }

    fn settle(&mut self) -> Result<()> {
        self.late.settle(&mut self.inner)
    }

    /// Prepares a registration: returns the TTL to register instead, if the fault is in that.
    fn before_registering(&self, definition: &StateDefinition) -> Result<Option<Ttl>> {
        let Some(ttl) = descriptors::ttl(definition) else { return Ok(None) };
        if self.has(BackendFault::TtlUnsupported) {
            return Err(Error::new(ErrorKind::Unsupported, "a TTL is declared only"));
        }
        Ok(self.fault.and_then(|fault| fault.rule(ttl)))
    }

    /// Notes a registration, or has the one before it under this name do instead; returns the index.
    fn registered<S: StateId>(
        &mut self,
        definition: StateDefinition,
        registered: Result<S>,
    ) -> Result<u32> {
        let known = self.by_name.get(definition.name()).copied();
        let index = match (registered, known) {
            (Ok(id), None) => {
                let index = id.index_in(self.inner.context().id()).expect("it was just issued");
                self.by_name.insert(definition.name().to_owned(), index);
                let rule = descriptors::ttl(&definition);
                let reads_touch = rule.is_some_and(|ttl| ttl.touch == Touch::OnReadAndWrite);
                self.states.push(Registered { definition, reads_touch, most_expired: 0 });
                index
            }
            (Ok(_), Some(index)) => index,
            (Err(_), Some(index)) if self.accepts_instead(index, &definition) => index,
            (Err(error), _) => return Err(error),
        };
        Ok(u32::try_from(index).expect("few states"))
    }

    fn accepts_instead(&self, index: usize, definition: &StateDefinition) -> bool {
        let known = &self.states[index].definition;
        self.has(BackendFault::DefinitionsNotChecked)
            || self.has(BackendFault::TtlNotInDefinition) && known.expiry() != definition.expiry()
    }

    fn index<S: StateId>(&self, id: &S) -> Result<u32> {
        let index = id.index_in(self.inner.context().id()).ok_or_else(|| {
            Error::new(ErrorKind::UnknownState, "the state id is another backend's")
        })?;
        Ok(u32::try_from(index).expect("few states"))
    }

    /// Returns an id of the same state in the shadow, of whatever kind: only listings take it.
    fn in_shadow<S: StateId>(&self, id: &S) -> Result<ValueId<(), S::Namespace>> {
        Ok(ValueId::issue(self.shadow.context().id(), self.index(id)?))
    }

    /// Before changes, which the fault makes before what waits.
    fn before_changes(&mut self) -> Result<()> {
        if !self.has(BackendFault::TouchesWrittenLate) {
            self.settle()?;
        }
        self.set_missing_key()
    }

    fn enter(&mut self) -> Result<()> {
        self.settle()?;
        self.set_missing_key()
    }

    /// Sets a key where the fault does without one.
    fn set_missing_key(&mut self) -> Result<()> {
        if self.has(BackendFault::KeyNotRequired) && self.inner.current_key().is_none() {
            let key = B::Key::decode(&[]).or_else(|_| B::Key::decode(&[0; 8]))?;
            self.inner.set_current_key(&key)?;
            self.shadow.set_current_key(&key)?;
        }
        Ok(())
    }

    fn after_listing<T: Clone>(&mut self, found: Keys<T>) -> Keys<T> {
        if self.has(BackendFault::KeyLostByListing) {
            self.inner.unset_current_key();
        }
        if self.has(BackendFault::KeysListedTwice) {
            return Keys::new(found.clone().chain(found).collect());
        }
        found
    }
}

impl<B: KeyedStateBackend + 'static> KeyedStateBackend for FaultyBackend<B> {
    type Key = B::Key;
    type Map<'a, UK: StateKey, UV: StateValue, N: StateKey>
        = FaultyMap<'a, B, B::Map<'a, UK, UV, N>, UK, UV, N>
    where
        Self: 'a;
    type Value<'a, V: StateValue, N: StateKey>
        = FaultyValue<'a, B, B::Value<'a, V, N>, V, N>
    where
        Self: 'a;

    fn capabilities(&self) -> Capabilities {
        let ttl = !self.has(BackendFault::TtlUndeclared);
        let inner = self.inner.capabilities();
        Capabilities { ttl: ttl && inner.ttl, ..inner }
    }

    fn context(&self) -> &BackendContext {
        self.inner.context()
    }

    fn options(&self) -> &BackendOptions {
        &self.options
    }

    fn register_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        descriptor: &MapDescriptor<UK, UV, N>,
    ) -> Result<MapId<UK, UV, N>> {
        let definition = descriptor.definition()?;
        let registered = match self.before_registering(&definition)? {
            Some(ttl) => self.inner.register_map(&descriptors::map(&definition, Some(ttl))),
            None => self.inner.register_map(descriptor),
        };
        if registered.is_ok() {
            let shadow = descriptors::map::<UK, UV, N>(&definition, None);
            self.shadow.register_map(&shadow)?;
        }
        let index = self.registered(definition, registered)?;
        Ok(MapId::issue(self.inner.context().id(), index))
    }

    fn register_value<V: StateValue, N: StateKey>(
        &mut self,
        descriptor: &ValueDescriptor<V, N>,
    ) -> Result<ValueId<V, N>> {
        let definition = descriptor.definition()?;
        let registered = match self.before_registering(&definition)? {
            Some(ttl) => self.inner.register_value(&descriptors::value(descriptor, Some(ttl))?),
            None => self.inner.register_value(descriptor),
        };
        if registered.is_ok() {
            self.shadow.register_value(&descriptors::value(descriptor, None)?)?;
        }
        let index = self.registered(definition, registered)?;
        Ok(ValueId::issue(self.inner.context().id(), index))
    }

    fn set_current_key(&mut self, key: &Self::Key) -> Result<()> {
        self.settle()?;
        let outcome = self.inner.set_current_key(key);
        if outcome.is_ok() {
            self.shadow.set_current_key(key)?;
        } else if self.has(BackendFault::KeyLostByRefusal) {
            self.inner.unset_current_key();
        }
        outcome
    }

    fn current_key(&self) -> Option<&Self::Key> {
        self.inner.current_key()
    }

    fn unset_current_key(&mut self) {
        if !self.has(BackendFault::KeyStaysSet) {
            self.inner.unset_current_key();
            self.shadow.unset_current_key();
        }
    }

    fn map_in<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        namespace: &N,
    ) -> Result<Self::Map<'_, UK, UV, N>> {
        self.enter()?;
        let index = self.index(id)?;
        let shadow = MapId::issue(self.shadow.context().id(), index);
        Ok(FaultyMap {
            inner: self.inner.map_in(id, namespace)?,
            shadow: self.shadow.map_in(&shadow, namespace)?,
            fault: self.fault,
            touches_late: self.fault == Some(BackendFault::TouchesWrittenLate)
                && self.states[index as usize].reads_touch,
            late: LateMap { late: &self.late, id: *id, namespace: namespace.clone() },
        })
    }

    fn value_in<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        namespace: &N,
    ) -> Result<Self::Value<'_, V, N>> {
        self.enter()?;
        let index = self.index(id)?;
        let shadow = ValueId::issue(self.shadow.context().id(), index);
        Ok(FaultyValue {
            inner: self.inner.value_in(id, namespace)?,
            shadow: self.shadow.value_in(&shadow, namespace)?,
            fault: self.fault,
            touches_late: self.fault == Some(BackendFault::TouchesWrittenLate)
                && self.states[index as usize].reads_touch,
            late: LateValue { late: &self.late, id: *id, namespace: namespace.clone() },
        })
    }

    fn change_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        changes: Vec<MapChange<UK, UV, N>>,
    ) -> Result<()> {
        self.before_changes()?;
        let shadow = MapId::issue(self.shadow.context().id(), self.index(id)?);
        changes::make(self.fault, changes.clone(), |some| self.inner.change_map(id, some))?;
        self.shadow.change_map(&shadow, changes)
    }

    fn change_value<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        changes: Vec<ValueChange<V, N>>,
    ) -> Result<()> {
        self.before_changes()?;
        let shadow = ValueId::issue(self.shadow.context().id(), self.index(id)?);
        changes::make(self.fault, changes.clone(), |some| self.inner.change_value(id, some))?;
        self.shadow.change_value(&shadow, changes)
    }

    fn keys<S: StateId>(&mut self, state: &S, namespace: &S::Namespace) -> Result<Keys<B::Key>> {
        self.settle()?;
        let found = match self.fault {
            Some(BackendFault::ExpiredInKeys) => {
                let shadow = self.in_shadow(state)?;
                self.shadow.keys(&shadow, namespace)?
            }
            Some(BackendFault::KeysOfAllNamespaces) => {
                let pairs = self.inner.keys_and_namespaces(state)?;
                let mut keys: Vec<B::Key> = pairs.map(|(key, _)| key).collect();
                keys.sort();
                keys.dedup();
                Keys::new(keys)
            }
            _ => self.inner.keys(state, namespace)?,
        };
        Ok(self.after_listing(found))
    }

    fn keys_and_namespaces<S: StateId>(
        &mut self,
        state: &S,
    ) -> Result<Keys<(B::Key, S::Namespace)>> {
        self.settle()?;
        let found = if self.has(BackendFault::ExpiredInKeysAndNamespaces) {
            let shadow = self.in_shadow(state)?;
            self.shadow.keys_and_namespaces(&shadow)?
        } else {
            self.inner.keys_and_namespaces(state)?
        };
        Ok(self.after_listing(found))
    }

    fn expired_entries<S: StateId>(&mut self, state: &S) -> Result<u64> {
        self.settle()?;
        let found = self.inner.expired_entries(state)?;
        let index = self.index(state)?;
        let most = &mut self.states[index as usize].most_expired;
        *most = found.max(*most);
        Ok(match self.fault {
            Some(BackendFault::ExpiredStays) => *most,
            Some(BackendFault::ExpiredNotCounted) => 0,
            _ => found,
        })
    }

    fn timer_access(&mut self) -> TimerAccess<'_, B::Key> {
        self.inner.timer_access()
    }

    fn flush(&mut self) -> Result<()> {
        self.settle()?;
        self.inner.flush()?;
        self.shadow.flush()
    }

    fn compact(&mut self) -> Result<()> {
        self.settle()?;
        self.inner.compact()?;
        self.shadow.compact()
    }

    fn close(mut self) -> Result<()> {
        self.settle()?;
        self.inner.close()?;
        self.shadow.close()
    }
}
