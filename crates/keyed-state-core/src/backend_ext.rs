use crate::{
    AggregateFunction, AggregatingDescriptor, AggregatingId, AggregatingState, KeyedStateBackend,
    ListDescriptor, ListId, ListState, MapId, ReduceFunction, ReducingDescriptor, ReducingId,
    ReducingState, Result, Scoped, StateId, StateKey, StateValue, Timers, ValueId, derived,
};

/// Conveniences over [`KeyedStateBackend`]; implemented for every backend, never by hand.
pub trait KeyedStateBackendExt: KeyedStateBackend + Sized {
    /// Opens a view of a map without namespace under the current key.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    fn map<UK: StateKey, UV: StateValue>(
        &mut self,
        id: &MapId<UK, UV>,
    ) -> Result<Self::Map<'_, UK, UV, ()>> {
        self.map_in(id, &())
    }

    /// Opens a view of a value without namespace under the current key.
    ///
    /// # Errors
    ///
    /// As [`value_in`](KeyedStateBackend::value_in).
    fn value<V: StateValue>(&mut self, id: &ValueId<V>) -> Result<Self::Value<'_, V, ()>> {
        self.value_in(id, &())
    }

    /// Registers a list state, or finds it again under the same name and definition.
    ///
    /// # Errors
    ///
    /// As [`register_map`](KeyedStateBackend::register_map).
    fn register_list<V: StateValue, N: StateKey>(
        &mut self,
        descriptor: &ListDescriptor<V, N>,
    ) -> Result<ListId<V, N>> {
        Ok(ListId { map: self.register_map(&descriptor.map)? })
    }

    /// Registers a reducing state, or finds it again under the same name and definition; the function given last
    /// counts for its id.
    ///
    /// # Errors
    ///
    /// As [`register_map`](KeyedStateBackend::register_map).
    fn register_reducing<V: StateValue, F: ReduceFunction<V>, N: StateKey>(
        &mut self,
        descriptor: &ReducingDescriptor<V, F, N>,
    ) -> Result<ReducingId<V, F, N>> {
        let value = self.register_value(&descriptor.value)?;
        Ok(ReducingId { value, function: descriptor.function })
    }

    /// Registers an aggregating state, or finds it again under the same name and definition; the function given last
    /// counts for its id.
    ///
    /// # Errors
    ///
    /// As [`register_map`](KeyedStateBackend::register_map).
    fn register_aggregating<A: AggregateFunction, N: StateKey>(
        &mut self,
        descriptor: &AggregatingDescriptor<A, N>,
    ) -> Result<AggregatingId<A, N>> {
        let value = self.register_value(&descriptor.value)?;
        Ok(AggregatingId { value, function: descriptor.function })
    }

    /// Opens a view of a list without namespace under the current key.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    fn list<V: StateValue>(
        &mut self,
        id: &ListId<V>,
    ) -> Result<ListState<Self::Map<'_, u64, V, ()>, V>> {
        self.list_in(id, &())
    }

    /// Opens a view of a list under the current key and `namespace`.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    fn list_in<V: StateValue, N: StateKey>(
        &mut self,
        id: &ListId<V, N>,
        namespace: &N,
    ) -> Result<ListState<Self::Map<'_, u64, V, N>, V>> {
        let sequence = self.context().sequence().clone();
        Ok(ListState::new(self.map_in(&id.map, namespace)?, sequence))
    }

    /// Opens a view of a reducing state without namespace under the current key.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    fn reducing<V: StateValue, F: ReduceFunction<V>>(
        &mut self,
        id: &ReducingId<V, F>,
    ) -> Result<ReducingState<Self::Value<'_, V, ()>, V, F>> {
        self.reducing_in(id, &())
    }

    /// Opens a view of a reducing state under the current key and `namespace`.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    fn reducing_in<V: StateValue, F: ReduceFunction<V>, N: StateKey>(
        &mut self,
        id: &ReducingId<V, F, N>,
        namespace: &N,
    ) -> Result<ReducingState<Self::Value<'_, V, N>, V, F>> {
        Ok(ReducingState::new(self.value_in(&id.value, namespace)?, id.function))
    }

    /// Opens a view of an aggregating state without namespace under the current key.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    #[expect(clippy::type_complexity, reason = "an alias would hide what is in it")]
    fn aggregating<A: AggregateFunction>(
        &mut self,
        id: &AggregatingId<A>,
    ) -> Result<AggregatingState<Self::Value<'_, A::Accumulator, ()>, A>> {
        self.aggregating_in(id, &())
    }

    /// Opens a view of an aggregating state under the current key and `namespace`.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    #[expect(clippy::type_complexity, reason = "an alias would hide what is in it")]
    fn aggregating_in<A: AggregateFunction, N: StateKey>(
        &mut self,
        id: &AggregatingId<A, N>,
        namespace: &N,
    ) -> Result<AggregatingState<Self::Value<'_, A::Accumulator, N>, A>> {
        Ok(AggregatingState::new(self.value_in(&id.value, namespace)?, id.function))
    }

    /// Appends the lists of `sources` to the list of `target`, under the current key, and leaves the sources empty: wholly or not
    /// at all (contract L2).
    ///
    /// The target's elements stay first, those of the sources follow in the order given. A source that is named twice
    /// counts once, and the target among the sources not at all. Elements keep their last touches. Empty sources
    /// cost no write.
    ///
    /// Cost: the sources' elements are read, held in memory and written under new numbers; the target's are not.
    ///
    /// # Errors
    ///
    /// As [`change_map`](KeyedStateBackend::change_map).
    fn merge_lists<V: StateValue, N: StateKey>(
        &mut self,
        id: &ListId<V, N>,
        target: &N,
        sources: &[N],
    ) -> Result<()> {
        derived::merge_lists(self, id, target, sources)
    }

    /// Merges the maps of `sources` into the map of `target`, under the current key, and leaves the sources empty: wholly or not at
    /// all (contract L2).
    ///
    /// Where a user key is in both, `combine` gets the key, the value so far and the source's; the sources come in the
    /// order given, each once. A merged entry has the newest touch of its parts.
    ///
    /// # Errors
    ///
    /// Those of `combine`, and as [`change_map`](KeyedStateBackend::change_map); nothing has changed then.
    fn merge_maps<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        target: &N,
        sources: &[N],
        combine: impl FnMut(&UK, UV, UV) -> Result<UV>,
    ) -> Result<()> {
        derived::merge_maps(self, id, target, sources, combine)
    }

    /// Reduces the values of `target` and `sources` to one in `target`, under the current key, and leaves the sources empty: wholly
    /// or not at all (contract L2).
    ///
    /// The function gets the target's value first, then the sources' in the order given, each once. The merged
    /// value has the newest touch of its parts.
    ///
    /// # Errors
    ///
    /// Those of the function, and as [`change_value`](KeyedStateBackend::change_value); nothing has changed then.
    fn merge_reducing<V: StateValue, F: ReduceFunction<V>, N: StateKey>(
        &mut self,
        id: &ReducingId<V, F, N>,
        target: &N,
        sources: &[N],
    ) -> Result<()> {
        derived::merge_reducing(self, id, target, sources)
    }

    /// Merges the accumulators of `target` and `sources` into one in `target`; otherwise as
    /// [`merge_reducing`](Self::merge_reducing).
    ///
    /// # Errors
    ///
    /// As [`merge_reducing`](Self::merge_reducing).
    fn merge_aggregating<A: AggregateFunction, N: StateKey>(
        &mut self,
        id: &AggregatingId<A, N>,
        target: &N,
        sources: &[N],
    ) -> Result<()> {
        derived::merge_aggregating(self, id, target, sources)
    }

    /// Calls `visit` once for each key that has anything in `state` under `namespace`, with that key as the current one.
    ///
    /// The keys are those at the call (contract G1): `visit` may change any state, and what it adds is not visited. Afterwards
    /// the current key is what it was, or none, also after an error.
    ///
    /// # Errors
    ///
    /// The first of `visit`, which ends the walk, and as [`keys`](KeyedStateBackend::keys).
    fn for_each_key<S: StateId>(
        &mut self,
        state: &S,
        namespace: &S::Namespace,
        mut visit: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let keys = self.keys(state, namespace)?;
        let before = self.current_key().cloned();
        let outcome = keys.into_iter().try_for_each(|key| {
            self.set_current_key(&key)?;
            visit(self)
        });
        match before {
            Some(key) => self.set_current_key(&key)?,
            None => self.unset_current_key(),
        }
        outcome
    }

    /// Moves the watermark to `ms`, unless it is there or further already. States whose [`Ttl`](crate::Ttl) goes by event
    /// time expire by it.
    fn advance_watermark(&mut self, ms: i64) {
        self.context().times().advance_watermark(ms);
    }

    /// Returns the watermark in milliseconds, or `None` before the first one. It is kept over closing and opening again.
    fn watermark(&self) -> Option<i64> {
        self.context().times().watermark()
    }

    /// Opens the timers of the service `name`, which is 1 to [`MAX_STATE_NAME_BYTES`](crate::MAX_STATE_NAME_BYTES) bytes
    /// without control characters. Services and states have names apart.
    ///
    /// # Errors
    ///
    /// [`StateMismatch`](crate::ErrorKind::StateMismatch) if the service has namespaces of another type,
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a bad name, and the engine's for timers that
    /// are stored.
    fn timers<N: StateKey>(&mut self, name: &str) -> Result<Timers<'_, Self::Key, N>> {
        Timers::open(self.timer_access(), name)
    }

    /// Enters `key`: what a runtime hands to user code that must not change the key.
    ///
    /// # Errors
    ///
    /// As [`set_current_key`](KeyedStateBackend::set_current_key).
    fn at(&mut self, key: &Self::Key) -> Result<Scoped<'_, Self>> {
        self.set_current_key(key)?;
        Ok(Scoped { backend: self })
    }
}

impl<B: KeyedStateBackend> KeyedStateBackendExt for B {}
