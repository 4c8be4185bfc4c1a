use crate::{
    BackendContext, BackendOptions, Capabilities, Keys, MapChange, MapDescriptor, MapId, MapState,
    Result, StateId, StateKey, StateValue, TimerAccess, ValueChange, ValueDescriptor, ValueId,
    ValueState,
};

/// State partitioned by a current key.
///
/// One owner drives a backend: [`set_current_key`](Self::set_current_key) and the views take `&mut self`, so a view can never
/// outlive the key that it was made for (contract M2). Two kinds of state are primitive, value and map;
/// each lives under a key and, if its descriptor says so, a namespace (such as a window). On them
/// [`KeyedStateBackendExt`](crate::KeyedStateBackendExt) builds list, reducing and aggregating state, merging namespaces and timers, for every backend.
///
/// ```
/// use keyed_state_core::{KeyedStateBackend, KeyedStateBackendExt, MapDescriptor, MapState, Result};
///
/// fn count<B: KeyedStateBackend<Key = String>>(state: &mut B) -> Result<u64> {
///     let counts = state.register_map(&MapDescriptor::<String, u64>::new("counts"))?;
///     state.set_current_key(&"alice".to_owned())?;
///     let mut map = state.map(&counts)?;
///     let n = map.get("clicks")?.unwrap_or(0) + 1;
///     map.put("clicks".to_owned(), n)?;
///     Ok(n)
/// }
/// ```
///
/// # Two things to know when writing generic code
///
/// - A named view lives to the end of its block, because the compiler must assume that it has a
///   destructor. Before the next `set_current_key`, close the block or use the view as a temporary:
///   `state.map(&id)?.put(k, v)?`.
/// - `let it = state.map(&id)?.iter()?;` does not compile, since the view would be dropped first; give the view a
///   name. `for entry in state.map(&id)?.iter()? {}` is fine.
///
/// # Implementing it
///
/// Storage of bytes should implement [`Engine`](crate::Engine) and take [`EngineBackend`](crate::EngineBackend); this trait is
/// for storage that keeps Rust values, as the memory backend does. Keep a [`BackendContext`] for core, and declare in
/// [`capabilities`](Self::capabilities) whether descriptors may have a [`Ttl`](crate::Ttl). The contract is in the book; the
/// crate `keyed-state-conformance` tests it.
pub trait KeyedStateBackend: Send {
    /// The key that the stream is partitioned by.
    type Key: StateKey;

    /// View of a map state under the current key and a namespace.
    type Map<'a, UK: StateKey, UV: StateValue, N: StateKey>: MapState<UK, UV> + Send
    where
        Self: 'a;

    /// View of a value state under the current key and a namespace.
    type Value<'a, V: StateValue, N: StateKey>: ValueState<V> + Send
    where
        Self: 'a;

    /// Returns what this backend offers beyond the required methods.
    fn capabilities(&self) -> Capabilities;

    /// Lends what core keeps in the backend.
    fn context(&self) -> &BackendContext;

    /// Returns the options that the backend was opened with.
    fn options(&self) -> &BackendOptions {
        self.context().options()
    }

    /// Registers a map state, or finds it again under the same name and definition.
    ///
    /// # Errors
    ///
    /// [`StateMismatch`](crate::ErrorKind::StateMismatch) if the name is taken by another definition
    /// (contract K3), [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a bad name or TTL,
    /// [`Unsupported`](crate::ErrorKind::Unsupported) for a TTL without [`Capabilities::ttl`].
    fn register_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        descriptor: &MapDescriptor<UK, UV, N>,
    ) -> Result<MapId<UK, UV, N>>;

    /// Registers a value state, or finds it again under the same name and definition.
    ///
    /// # Errors
    ///
    /// As [`register_map`](Self::register_map).
    fn register_value<V: StateValue, N: StateKey>(
        &mut self,
        descriptor: &ValueDescriptor<V, N>,
    ) -> Result<ValueId<V, N>>;

    /// Makes `key` the key that later views read and write.
    ///
    /// # Errors
    ///
    /// [`KeyGroupNotOwned`](crate::ErrorKind::KeyGroupNotOwned) for a key of another owner (contract K2).
    /// After any error the earlier current key stays.
    fn set_current_key(&mut self, key: &Self::Key) -> Result<()>;

    /// Returns the current key, or `None` before the first `set_current_key`.
    fn current_key(&self) -> Option<&Self::Key>;

    /// Forgets the current key, as before the first `set_current_key`.
    fn unset_current_key(&mut self);

    /// Opens a view of the map `id` under the current key and `namespace`.
    ///
    /// # Errors
    ///
    /// [`NoCurrentKey`](crate::ErrorKind::NoCurrentKey) before the first `set_current_key` (contract K1);
    /// [`UnknownState`](crate::ErrorKind::UnknownState) for an id of another backend.
    fn map_in<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        namespace: &N,
    ) -> Result<Self::Map<'_, UK, UV, N>>;

    /// Opens a view of the value `id` under the current key and `namespace`.
    ///
    /// # Errors
    ///
    /// As [`map_in`](Self::map_in).
    fn value_in<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        namespace: &N,
    ) -> Result<Self::Value<'_, V, N>>;

    /// Makes changes to the map `id` under the current key, in any of its namespaces: in their order, wholly or
    /// not at all.
    ///
    /// An entry with a TTL counts as touched when its change says, or now. What merging and lists build on.
    ///
    /// # Errors
    ///
    /// As [`map_in`](Self::map_in), and those of a write.
    fn change_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        changes: Vec<MapChange<UK, UV, N>>,
    ) -> Result<()>;

    /// Makes changes to the value `id` under the current key, in any of its namespaces. Otherwise as
    /// [`change_map`](Self::change_map).
    ///
    /// # Errors
    ///
    /// As [`change_map`](Self::change_map).
    fn change_value<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        changes: Vec<ValueChange<V, N>>,
    ) -> Result<()>;

    /// Lists the keys that have anything in `state` under `namespace`, each once, in no promised order.
    ///
    /// The list is as of the call (contract G1): it borrows nothing, so the state may be changed while it
    /// is consumed. The current key stays what it is.
    ///
    /// Cost: a walk over the state and memory for every key found.
    ///
    /// # Errors
    ///
    /// [`UnknownState`](crate::ErrorKind::UnknownState) for an id of another backend.
    //
    // `&mut`, since touches and other writes that were put off must be seen by the walk.
    fn keys<S: StateId>(&mut self, state: &S, namespace: &S::Namespace) -> Result<Keys<Self::Key>>;

    /// Lists the pairs of key and namespace that have anything in `state`, each once, in no promised
    /// order. Otherwise as [`keys`](Self::keys).
    ///
    /// # Errors
    ///
    /// As [`keys`](Self::keys).
    fn keys_and_namespaces<S: StateId>(
        &mut self,
        state: &S,
    ) -> Result<Keys<(Self::Key, S::Namespace)>>;

    /// Counts the entries of `state` that have expired and are still stored: what physical removal has
    /// yet to do.
    ///
    /// Cost: a walk over the whole state, of all keys and namespaces. For tests and for watching that
    /// removal keeps up.
    ///
    /// # Errors
    ///
    /// As [`keys`](Self::keys).
    fn expired_entries<S: StateId>(&mut self, state: &S) -> Result<u64>;

    /// Lends what timers need: the context, the current key, and the engine that timers beyond their memory
    /// budget are written to, if there is one.
    fn timer_access(&mut self) -> TimerAccess<'_, Self::Key>;

    /// Makes everything written so far durable. Does nothing where nothing is durable.
    ///
    /// # Errors
    ///
    /// The engine's, among them those of earlier writes that it had put off (contract F1).
    fn flush(&mut self) -> Result<()>;

    /// Rewrites the stored files so that deleted data takes no more room; waits for the end.
    ///
    /// # Errors
    ///
    /// [`Unsupported`](crate::ErrorKind::Unsupported) without [`Capabilities::compact`].
    fn compact(&mut self) -> Result<()>;

    /// Flushes and closes. Only a closed backend can be opened again: one that was merely dropped may
    /// have states of different ages, and is refused as
    /// [`NotCleanlyClosed`](crate::ErrorKind::NotCleanlyClosed).
    ///
    /// # Errors
    ///
    /// The engine's. If the flush failed, the directory counts as not cleanly closed.
    fn close(self) -> Result<()>
    where
        Self: Sized;
}
