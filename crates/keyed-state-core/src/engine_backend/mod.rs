use std::{
    any::Any,
    cell::Cell,
    fmt,
    sync::{Arc, Mutex},
};

use crate::{
    BackendContext, BackendOptions, Capabilities, Change, ClearStrategy, Engine, Error, ErrorKind,
    KeyedStateBackend, Keys, MapChange, MapDescriptor, MapId, Result, StateDefinition, StateId,
    StateKey, StateValue, TableId, TimerAccess, ValueChange, ValueDescriptor, ValueId, WriteBatch,
};

mod clear;
mod composite_key;
mod entries;
mod generations;
mod listing;
mod map;
mod meta;
mod row_filter;
mod rows;
mod sweep;
mod value;

use composite_key::{Prefix, check_key_length};
use generations::{
    ClearedRows, ClearedTable, Clearing, Generations, Index, Name, Retirement, Site,
};
use meta::Meta;
use row_filter::RowFilter;
use rows::{Rows, Touches};
use sweep::Sweep;
use value::check_value_length;

const KEPT_SCRATCH_BYTES: usize = 1 << 20;

pub use composite_key::MAX_KEY_BYTES;
pub use generations::GenerationHold;
pub use map::EngineMap;
pub use meta::MAX_TABLE_NAME_BYTES;
pub(crate) use meta::table_name;
pub use value::{EngineValue, MAX_VALUE_BYTES};

/// A keyed backend over any [`Engine`].
///
/// Does everything that is not storage: composite keys, codecs, namespaces, clearing, TTL, listing, and the
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
    context: BackendContext,
    engine: E,
    meta: Meta,
    generations: Generations,
    cleared: ClearedTable,
    states: Vec<Registered>,
    current: Option<K>,
    prefix: Prefix,
    /// Lent to views, so that composite keys cost no allocation.
    scratch: Cell<Vec<u8>>,
    batch: WriteBatch,
    touches: Mutex<Touches>,
}

struct Registered {
    definition: StateDefinition,
    table: TableId,
    /// Where expired rows are removed by core: the engine has no compaction filter.
    sweep: Option<Sweep>,
    /// Of a map state.
    maps: Option<Maps>,
    /// The default of a value state: a `V`.
    default: Option<Box<dyn Any + Send>>,
}

/// How the maps of a state are cleared, and which of them were.
struct Maps {
    name: Name,
    strategy: ClearStrategy,
    index: Arc<Index>,
    retirement: Retirement,
}

impl Maps {
    fn site(&mut self, table: TableId, stored: ClearedTable) -> (&mut Retirement, Site<'_>) {
        let site = Site { table, index: &self.index, stored, name: &self.name };
        (&mut self.retirement, site)
    }
}

/// What an [`EngineBackend`] remembers of clears by [`ClearStrategy::Generation`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClearedMaps {
    /// Maps that were cleared and are remembered still, of all states.
    pub maps: usize,
    /// Bytes of memory that this takes.
    pub bytes: usize,
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
        let mut context = BackendContext::new(options)?;
        let meta = Meta::open::<K>(&mut engine, &mut context)?;
        let generations = Generations::new(context.options().max_clear_memory_bytes());
        let cleared = ClearedTable::open(&mut engine, &generations)?;
        Ok(Self {
            context,
            engine,
            meta,
            generations,
            cleared,
            states: Vec::new(),
            current: None,
            prefix: Prefix::default(),
            scratch: Cell::default(),
            batch: WriteBatch::new(),
            touches: Mutex::default(),
        })
    }

    /// Returns the engine, for what it offers beyond the [`Engine`] trait.
    pub fn engine(&self) -> &E {
        &self.engine
    }

    /// Returns what is remembered of clears, for measuring.
    pub fn cleared_maps(&self) -> ClearedMaps {
        let maps = self.states.iter().filter_map(|state| state.maps.as_ref());
        ClearedMaps {
            maps: maps.map(|maps| maps.index.len()).sum(),
            bytes: self.generations.bytes(),
        }
    }

    /// Keeps rows that are not cleared yet from being dropped by compactions when they are, until the hold is dropped.
    ///
    /// For whoever reads from a snapshot of the engine: compaction filters do not know of snapshots. Take the hold
    /// before the engine's snapshot, and drop it when nothing is read from that any more.
    pub fn hold_generations(&self) -> GenerationHold {
        self.generations.hold()
    }

    fn register(
        &mut self,
        definition: StateDefinition,
        is_map: bool,
        default: Option<Box<dyn Any + Send>>,
    ) -> Result<u32> {
        let found = self.states.iter().position(|s| s.definition.name() == definition.name());
        let index = if let Some(index) = found {
            self.states[index].definition.check_same(&definition)?;
            index
        } else {
            let table = self.meta.register(&mut self.engine, &definition)?;
            let maps = is_map.then(|| self.load_maps(&definition)).transpose()?;
            let sweep = self.remove_dead(&definition, table, maps.as_ref())?;
            self.states.push(Registered { definition, table, sweep, maps, default });
            self.states.len() - 1
        };
        Ok(u32::try_from(index).expect("fewer than 2^32 states"))
    }

    /// Loads which maps of a state were cleared.
    fn load_maps(&self, definition: &StateDefinition) -> Result<Maps> {
        let filters = self.engine.capabilities().compaction_filter;
        let strategy = definition
            .clear_strategy()
            .or(self.context.options().default_clear_strategy())
            .unwrap_or_else(|| ClearStrategy::default_for(&self.engine.capabilities()));
        let name = Name::new(definition.name());
        let index = Arc::new(Index::new(self.generations.clone()));
        self.cleared.load(&self.engine, &name, &index)?;
        Ok(Maps { name, strategy, index, retirement: Retirement::new(filters) })
    }

    /// Sees to it that the rows of a state are removed when they have expired or were cleared.
    fn remove_dead(
        &mut self,
        definition: &StateDefinition,
        table: TableId,
        maps: Option<&Maps>,
    ) -> Result<Option<Sweep>> {
        let expiry = definition.expiry();
        if !self.engine.capabilities().compaction_filter {
            return Ok(expiry.map(|_| Sweep::default()));
        }
        let cleared = maps
            .filter(|maps| maps.strategy == ClearStrategy::Generation || maps.index.len() > 0)
            .map(|maps| Arc::clone(&maps.index));
        if expiry.is_some() || cleared.is_some() {
            let times = self.context.times().clone();
            let filter = RowFilter { cleared, expiry, times };
            self.engine.set_compaction_filter(table, Arc::new(filter))?;
        }
        Ok(None)
    }

    fn index<S: StateId>(&self, id: &S) -> Result<usize> {
        id.index_in(self.context.id())
            .filter(|index| *index < self.states.len())
            .ok_or_else(|| Error::new(ErrorKind::UnknownState, "the state id is another backend's"))
    }

    /// Returns where and how the rows of a state are stored, as of now.
    fn place(&self, index: usize) -> (TableId, Rows) {
        let Registered { table, definition, .. } = &self.states[index];
        let expiry = definition.expiry();
        (*table, Rows(expiry.map(|expiry| expiry.now(self.context.times()))))
    }

    /// Returns which maps of a state were cleared.
    fn cleared(&self, index: usize) -> Option<&Index> {
        self.states[index].maps.as_ref().map(|maps| &*maps.index)
    }

    /// Looks through the tables of all map states for cleared maps that need not be remembered.
    fn retire(&mut self) -> Result<()> {
        for Registered { table, maps, .. } in &mut self.states {
            if let Some(maps) = maps {
                let (retirement, site) = maps.site(*table, self.cleared);
                retirement.run(&mut self.engine, site, &mut self.batch)?;
            }
        }
        Ok(())
    }

    /// Writes to the engine which maps were cleared, as of now.
    fn save_cleared(&mut self) -> Result<()> {
        for Registered { table, maps, .. } in &mut self.states {
            if let Some(maps) = maps {
                let (retirement, site) = maps.site(*table, self.cleared);
                retirement.settle(&mut self.engine, site, &mut self.batch)?;
                self.cleared.save(&mut self.engine, &maps.name, &maps.index)?;
            }
        }
        self.cleared.save_last(&mut self.engine, &self.generations)
    }

    /// Writes what reads have touched.
    fn settle(&mut self) -> Result<()> {
        Touches::settle(&mut self.touches, &mut self.engine, &mut self.batch)
    }

    /// Prepares an access to a state under `namespace`.
    fn enter<N: StateKey>(&mut self, index: usize, namespace: &N) -> Result<(TableId, Rows)> {
        self.check_current_key()?;
        self.prefix.set_namespace(namespace, self.scratch.get_mut())?;
        self.settle()?;
        let (table, rows) = self.place(index);
        if let Some(sweep) = &mut self.states[index].sweep {
            sweep.access(&mut self.engine, table, rows, &mut self.batch)?;
        }
        if let Some(maps) = &mut self.states[index].maps {
            let (retirement, site) = maps.site(table, self.cleared);
            retirement.access(&mut self.engine, site, &mut self.batch)?;
        }
        Ok((table, rows))
    }

    fn check_current_key(&self) -> Result<()> {
        if self.current.is_some() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::NoCurrentKey,
            "there is no current key; call set_current_key first",
        ))
    }

    /// Appends the change of one row, whose key `scratch` has, to the batch.
    fn collect_change<V: StateValue>(
        &mut self,
        (table, rows): (TableId, Rows),
        change: Change<V>,
    ) -> Result<()> {
        let bytes = self.scratch.get_mut();
        let key_end = bytes.len();
        match change {
            Change::Remove => self.batch.delete(table, bytes),
            Change::Set { value, touched_ms } => {
                rows.begin(touched_ms, bytes);
                value.encode(bytes)?;
                let (key, row) = bytes.split_at(key_end);
                check_value_length(row)?;
                self.batch.put(table, key, row);
            }
        }
        Ok(())
    }
}

/// Returns how the map of `prefix` is cleared. For states of maps.
fn clearing<'a>(state: &'a Registered, prefix: &Prefix) -> Clearing<'a> {
    let maps = state.maps.as_ref().expect("only map states have ids of maps");
    Clearing::new(&maps.index, maps.strategy, prefix.map())
}

impl<K: fmt::Debug, E> fmt::Debug for EngineBackend<K, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineBackend")
            .field("context", &self.context)
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
        Capabilities { ttl: true, ..self.engine.capabilities() }
    }

    fn context(&self) -> &BackendContext {
        &self.context
    }

    fn register_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        descriptor: &MapDescriptor<UK, UV, N>,
    ) -> Result<MapId<UK, UV, N>> {
        let index = self.register(descriptor.definition()?, true, None)?;
        Ok(MapId::issue(self.context.id(), index))
    }

    fn register_value<V: StateValue, N: StateKey>(
        &mut self,
        descriptor: &ValueDescriptor<V, N>,
    ) -> Result<ValueId<V, N>> {
        let default =
            descriptor.default().map(|value| Box::new(value.clone()) as Box<dyn Any + Send>);
        let index = self.register(descriptor.definition()?, false, default)?;
        Ok(ValueId::issue(self.context.id(), index))
    }

    fn set_current_key(&mut self, key: &K) -> Result<()> {
        if self.current.as_ref() == Some(key) {
            return Ok(());
        }
        // One large value must not hold its memory for ever.
        self.scratch.get_mut().clear();
        self.scratch.get_mut().shrink_to(KEPT_SCRATCH_BYTES);
        self.prefix.set_key(key, self.context.options(), self.scratch.get_mut())?;
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
    ) -> Result<EngineMap<'_, E, UK, UV>> {
        let index = self.index(id)?;
        let place = self.enter(index, namespace)?;
        let clearing = clearing(&self.states[index], &self.prefix);
        Ok(EngineMap::new(
            &mut self.engine,
            place,
            &mut self.prefix,
            clearing,
            &mut self.scratch,
            &mut self.batch,
            &mut self.touches,
        ))
    }

    fn value_in<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        namespace: &N,
    ) -> Result<EngineValue<'_, E, V>> {
        let index = self.index(id)?;
        let place = self.enter(index, namespace)?;
        let default = self.states[index]
            .default
            .as_ref()
            .map(|value| value.downcast_ref().expect("the id and the default have one type"));
        Ok(EngineValue::new(
            &mut self.engine,
            place,
            self.prefix.bytes(),
            &mut self.scratch,
            &mut self.batch,
            &mut self.touches,
            default,
        ))
    }

    fn change_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        changes: Vec<MapChange<UK, UV, N>>,
    ) -> Result<()> {
        let index = self.index(id)?;
        self.check_current_key()?;
        self.settle()?;
        let place = self.place(index);
        self.batch.clear();
        for MapChange { namespace, key, change } in changes {
            self.prefix.set_namespace(&namespace, self.scratch.get_mut())?;
            let mut clearing = clearing(&self.states[index], &self.prefix);
            if let Some(generation) = clearing.generation() {
                self.prefix.set_generation(generation);
            }
            if matches!(change, Change::Set { .. }) {
                clearing.note_put(self.prefix.map());
            }
            self.prefix.composite(&key, self.scratch.get_mut())?;
            self.collect_change(place, change)?;
        }
        clear::write(&mut self.engine, &mut self.batch)
    }

    fn change_value<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        changes: Vec<ValueChange<V, N>>,
    ) -> Result<()> {
        let index = self.index(id)?;
        self.check_current_key()?;
        self.settle()?;
        let place = self.place(index);
        self.batch.clear();
        for ValueChange { namespace, change } in changes {
            self.prefix.set_namespace(&namespace, self.scratch.get_mut())?;
            let bytes = self.scratch.get_mut();
            bytes.clear();
            bytes.extend_from_slice(self.prefix.bytes());
            check_key_length(bytes)?;
            self.collect_change(place, change)?;
        }
        clear::write(&mut self.engine, &mut self.batch)
    }

    fn keys<S: StateId>(&mut self, state: &S, namespace: &S::Namespace) -> Result<Keys<K>> {
        let index = self.index(state)?;
        self.settle()?;
        let (table, rows) = self.place(index);
        listing::keys(&self.engine, table, rows, self.cleared(index), namespace).map(Keys::new)
    }

    fn keys_and_namespaces<S: StateId>(&mut self, state: &S) -> Result<Keys<(K, S::Namespace)>> {
        let index = self.index(state)?;
        self.settle()?;
        let (table, rows) = self.place(index);
        let cleared = self.cleared(index);
        listing::keys_and_namespaces(&self.engine, table, rows, cleared).map(Keys::new)
    }

    fn expired_entries<S: StateId>(&mut self, state: &S) -> Result<u64> {
        let index = self.index(state)?;
        self.settle()?;
        let (table, rows) = self.place(index);
        match rows.0 {
            Some(_) => {
                let maps = self.states[index].maps.as_ref();
                let cleared = maps.map(|maps| ClearedRows::now(Arc::clone(&maps.index)));
                listing::expired(&self.engine, table, rows, cleared)
            }
            None => Ok(0),
        }
    }

    fn timer_access(&mut self) -> TimerAccess<'_, K> {
        TimerAccess {
            context: &mut self.context,
            current: self.current.as_ref(),
            engine: Some(&mut self.engine),
        }
    }

    fn flush(&mut self) -> Result<()> {
        self.settle()?;
        self.engine.flush()
    }

    fn compact(&mut self) -> Result<()> {
        self.settle()?;
        if self.engine.capabilities().compaction_filter {
            self.engine.compact()?;
            self.retire()
        } else {
            self.retire()?;
            self.engine.compact()
        }
    }

    fn close(mut self) -> Result<()> {
        self.settle()?;
        if self.engine.capabilities().durable {
            self.save_cleared()?;
        }
        let Self { mut engine, meta, mut context, .. } = self;
        meta.mark_closed(&mut engine, &mut context)?;
        Box::new(engine).close()
    }
}
