use std::{any::Any, cell::Cell, fmt};

use crate::{
    BackendId, BackendOptions, Capabilities, Engine, Error, ErrorKind, KeyedStateBackend, Keys,
    MapDescriptor, MapId, Result, StateDefinition, StateId, StateKey, StateValue, TableId,
    ValueDescriptor, ValueId, WriteBatch,
};

mod clear;
mod composite_key;
mod entries;
mod listing;
mod map;
mod meta;
mod value;

use composite_key::Prefix;
use meta::Meta;

const KEPT_SCRATCH_BYTES: usize = 1 << 20;

pub use composite_key::MAX_KEY_BYTES;
pub use map::EngineMap;
pub use meta::MAX_TABLE_NAME_BYTES;
pub use value::{EngineValue, MAX_VALUE_BYTES};

/// A keyed backend over any [`Engine`].
///
/// Does everything that is not storage: composite keys, codecs, namespaces, clearing, listing, and the
/// bookkeeping by which a directory is opened again. Each state has a table of its own, under keys of the
/// form
///
/// ```text
/// key group (u16) ‖ key ‖ namespace ‖ generation ‖ user key
/// ```
///
/// drawn byte by byte in the book ("Key format"). `get` and `put` allocate nothing beyond what the
/// decoded value and the engine need.
///
/// ```no_run
/// # use keyed_state_core::{Engine, Result};
/// use keyed_state_core::{BackendOptions, EngineBackend, KeyedStateBackend, KeyedStateBackendExt};
/// use keyed_state_core::{MapDescriptor, MapState};
///
/// fn run(engine: impl Engine) -> Result<()> {
///     let mut backend = EngineBackend::<String, _>::open(engine, BackendOptions::new())?;
///     let visits = backend.register_map(&MapDescriptor::<String, u64>::new("visits"))?;
///     backend.set_current_key(&"N14228".to_owned())?;
///     backend.map(&visits)?.put("IAH".to_owned(), 1)?;
///     backend.close()
/// }
/// ```
pub struct EngineBackend<K, E> {
    id: BackendId,
    engine: E,
    options: BackendOptions,
    meta: Meta,
    states: Vec<Registered>,
    current: Option<K>,
    prefix: Prefix,
    /// Lent to views, so that composite keys cost no allocation.
    scratch: Cell<Vec<u8>>,
    batch: WriteBatch,
}

struct Registered {
    definition: StateDefinition,
    table: TableId,
    /// The default of a value state: a `V`.
    default: Option<Box<dyn Any + Send>>,
}

impl<K: StateKey, E: Engine> EngineBackend<K, E> {
    /// Makes a backend of an open engine, which is either empty or was closed by such a backend.
    ///
    /// # Errors
    ///
    /// [`Incompatible`](ErrorKind::Incompatible) if what is stored was written with another format, key
    /// type, max parallelism or key-group range; [`NotCleanlyClosed`](ErrorKind::NotCleanlyClosed) if it
    /// was not [closed](KeyedStateBackend::close); [`InvalidArgument`](ErrorKind::InvalidArgument) for options that
    /// contradict each other.
    pub fn open(mut engine: E, options: BackendOptions) -> Result<Self> {
        options.check()?;
        let meta = Meta::open::<K>(&mut engine, &options)?;
        Ok(Self {
            id: BackendId::fresh(),
            engine,
            options,
            meta,
            states: Vec::new(),
            current: None,
            prefix: Prefix::default(),
            scratch: Cell::default(),
            batch: WriteBatch::new(),
        })
    }

    /// Returns the engine, for what it offers beyond the [`Engine`] trait.
    pub fn engine(&self) -> &E {
        &self.engine
    }

    fn register(
        &mut self,
        definition: StateDefinition,
        default: Option<Box<dyn Any + Send>>,
    ) -> Result<u32> {
        let found = self.states.iter().position(|s| s.definition.name() == definition.name());
        let index = if let Some(index) = found {
            self.states[index].definition.check_same(&definition)?;
            index
        } else {
            let table = self.meta.register(&mut self.engine, &definition)?;
            self.states.push(Registered { definition, table, default });
            self.states.len() - 1
        };
        Ok(u32::try_from(index).expect("fewer than 2^32 states"))
    }

    fn index<S: StateId>(&self, id: &S) -> Result<usize> {
        id.index_in(self.id)
            .filter(|index| *index < self.states.len())
            .ok_or_else(|| Error::new(ErrorKind::UnknownState, "the state id is another backend's"))
    }

    fn enter<N: StateKey>(&mut self, namespace: &N) -> Result<()> {
        if self.current.is_none() {
            return Err(Error::new(
                ErrorKind::NoCurrentKey,
                "there is no current key; call set_current_key first",
            ));
        }
        self.prefix.set_namespace(namespace, self.scratch.get_mut())
    }
}

impl<K: fmt::Debug, E> fmt::Debug for EngineBackend<K, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineBackend")
            .field("id", &self.id)
            .field("options", &self.options)
            .field("current", &self.current)
            .finish_non_exhaustive()
    }
}

impl<K: StateKey, E: Engine> KeyedStateBackend for EngineBackend<K, E> {
    type Key = K;
    type Map<'a, UK: StateKey, UV: StateValue, N: StateKey>
        = EngineMap<'a, E, UK, UV>
    where
        Self: 'a;
    type Value<'a, V: StateValue, N: StateKey>
        = EngineValue<'a, E, V>
    where
        Self: 'a;

    fn capabilities(&self) -> Capabilities {
        self.engine.capabilities()
    }

    fn options(&self) -> &BackendOptions {
        &self.options
    }

    fn register_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        descriptor: &MapDescriptor<UK, UV, N>,
    ) -> Result<MapId<UK, UV, N>> {
        let index = self.register(descriptor.definition()?, None)?;
        Ok(MapId::issue(self.id, index))
    }

    fn register_value<V: StateValue, N: StateKey>(
        &mut self,
        descriptor: &ValueDescriptor<V, N>,
    ) -> Result<ValueId<V, N>> {
        let default =
            descriptor.default().map(|value| Box::new(value.clone()) as Box<dyn Any + Send>);
        let index = self.register(descriptor.definition()?, default)?;
        Ok(ValueId::issue(self.id, index))
    }

    fn set_current_key(&mut self, key: &K) -> Result<()> {
        if self.current.as_ref() == Some(key) {
            return Ok(());
        }
        // One large value must not hold its memory for ever.
        self.scratch.get_mut().clear();
        self.scratch.get_mut().shrink_to(KEPT_SCRATCH_BYTES);
        self.prefix.set_key(key, &self.options, self.scratch.get_mut())?;
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
    ) -> Result<EngineMap<'_, E, UK, UV>> {
        let index = self.index(id)?;
        self.enter(namespace)?;
        let Registered { table, definition, .. } = &self.states[index];
        let strategy = definition.clear_strategy();
        Ok(EngineMap::new(
            &mut self.engine,
            *table,
            strategy.unwrap_or(self.options.default_clear_strategy()),
            self.prefix.range(),
            &mut self.scratch,
            &mut self.batch,
        ))
    }

    fn value_in<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        namespace: &N,
    ) -> Result<EngineValue<'_, E, V>> {
        let index = self.index(id)?;
        self.enter(namespace)?;
        let Registered { table, default, .. } = &self.states[index];
        let default = default
            .as_ref()
            .map(|value| value.downcast_ref().expect("the id and the default have one type"));
        Ok(EngineValue::new(
            &mut self.engine,
            *table,
            self.prefix.bytes(),
            &mut self.scratch,
            default,
        ))
    }

    fn keys<S: StateId>(&self, state: &S, namespace: &S::Namespace) -> Result<Keys<K>> {
        let table = self.states[self.index(state)?].table;
        listing::keys(&self.engine, table, namespace).map(Keys::new)
    }

    fn keys_and_namespaces<S: StateId>(&self, state: &S) -> Result<Keys<(K, S::Namespace)>> {
        let table = self.states[self.index(state)?].table;
        listing::keys_and_namespaces(&self.engine, table).map(Keys::new)
    }

    fn flush(&mut self) -> Result<()> {
        self.engine.flush()
    }

    fn compact(&mut self) -> Result<()> {
        self.engine.compact()
    }

    fn close(self) -> Result<()> {
        let Self { mut engine, meta, .. } = self;
        meta.mark_closed(&mut engine)?;
        Box::new(engine).close()
    }
}
