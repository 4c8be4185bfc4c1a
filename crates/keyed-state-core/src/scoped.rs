use crate::{
    AggregateFunction, AggregatingId, AggregatingState, KeyedStateBackend, KeyedStateBackendExt,
    ListId, ListState, MapId, ReduceFunction, ReducingId, ReducingState, Result, StateKey,
    StateValue, Timers, ValueId,
};

/// A backend pinned to one key, made by [`KeyedStateBackendExt::at`].
#[derive(Debug)]
pub struct Scoped<'a, B> {
    pub(crate) backend: &'a mut B,
}

impl<B: KeyedStateBackend> Scoped<'_, B> {
    /// Opens a view of a map without namespace.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    pub fn map<UK: StateKey, UV: StateValue>(
        &mut self,
        id: &MapId<UK, UV>,
    ) -> Result<B::Map<'_, UK, UV, ()>> {
        self.backend.map(id)
    }

    /// Opens a view of a map under `namespace`.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    pub fn map_in<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        namespace: &N,
    ) -> Result<B::Map<'_, UK, UV, N>> {
        self.backend.map_in(id, namespace)
    }

    /// Opens a view of a value without namespace.
    ///
    /// # Errors
    ///
    /// As [`value_in`](KeyedStateBackend::value_in).
    pub fn value<V: StateValue>(&mut self, id: &ValueId<V>) -> Result<B::Value<'_, V, ()>> {
        self.backend.value(id)
    }

    /// Opens a view of a value under `namespace`.
    ///
    /// # Errors
    ///
    /// As [`value_in`](KeyedStateBackend::value_in).
    pub fn value_in<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        namespace: &N,
    ) -> Result<B::Value<'_, V, N>> {
        self.backend.value_in(id, namespace)
    }

    /// Opens a view of a list without namespace.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    pub fn list<V: StateValue>(
        &mut self,
        id: &ListId<V>,
    ) -> Result<ListState<B::Map<'_, u64, V, ()>, V>> {
        self.backend.list(id)
    }

    /// Opens a view of a list under `namespace`.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    pub fn list_in<V: StateValue, N: StateKey>(
        &mut self,
        id: &ListId<V, N>,
        namespace: &N,
    ) -> Result<ListState<B::Map<'_, u64, V, N>, V>> {
        self.backend.list_in(id, namespace)
    }

    /// Opens a view of a reducing state without namespace.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    pub fn reducing<V: StateValue, F: ReduceFunction<V>>(
        &mut self,
        id: &ReducingId<V, F>,
    ) -> Result<ReducingState<B::Value<'_, V, ()>, V, F>> {
        self.backend.reducing(id)
    }

    /// Opens a view of a reducing state under `namespace`.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    pub fn reducing_in<V: StateValue, F: ReduceFunction<V>, N: StateKey>(
        &mut self,
        id: &ReducingId<V, F, N>,
        namespace: &N,
    ) -> Result<ReducingState<B::Value<'_, V, N>, V, F>> {
        self.backend.reducing_in(id, namespace)
    }

    /// Opens a view of an aggregating state without namespace.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    #[expect(clippy::type_complexity, reason = "an alias would hide what is in it")]
    pub fn aggregating<A: AggregateFunction>(
        &mut self,
        id: &AggregatingId<A>,
    ) -> Result<AggregatingState<B::Value<'_, A::Accumulator, ()>, A>> {
        self.backend.aggregating(id)
    }

    /// Opens a view of an aggregating state under `namespace`.
    ///
    /// # Errors
    ///
    /// As [`map_in`](KeyedStateBackend::map_in).
    #[expect(clippy::type_complexity, reason = "an alias would hide what is in it")]
    pub fn aggregating_in<A: AggregateFunction, N: StateKey>(
        &mut self,
        id: &AggregatingId<A, N>,
        namespace: &N,
    ) -> Result<AggregatingState<B::Value<'_, A::Accumulator, N>, A>> {
        self.backend.aggregating_in(id, namespace)
    }

    /// Merges lists of several namespaces; see [`KeyedStateBackendExt::merge_lists`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn merge_lists<V: StateValue, N: StateKey>(
        &mut self,
        id: &ListId<V, N>,
        target: &N,
        sources: &[N],
    ) -> Result<()> {
        self.backend.merge_lists(id, target, sources)
    }

    /// Merges maps of several namespaces; see [`KeyedStateBackendExt::merge_maps`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn merge_maps<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        target: &N,
        sources: &[N],
        combine: impl FnMut(&UK, UV, UV) -> Result<UV>,
    ) -> Result<()> {
        self.backend.merge_maps(id, target, sources, combine)
    }

    /// Merges reduced values of several namespaces; see [`KeyedStateBackendExt::merge_reducing`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn merge_reducing<V: StateValue, F: ReduceFunction<V>, N: StateKey>(
        &mut self,
        id: &ReducingId<V, F, N>,
        target: &N,
        sources: &[N],
    ) -> Result<()> {
        self.backend.merge_reducing(id, target, sources)
    }

    /// Merges accumulators of several namespaces; see [`KeyedStateBackendExt::merge_aggregating`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn merge_aggregating<A: AggregateFunction, N: StateKey>(
        &mut self,
        id: &AggregatingId<A, N>,
        target: &N,
        sources: &[N],
    ) -> Result<()> {
        self.backend.merge_aggregating(id, target, sources)
    }

    /// Opens the timers of a service; see [`KeyedStateBackendExt::timers`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn timers<N: StateKey>(&mut self, name: &str) -> Result<Timers<'_, B::Key, N>> {
        self.backend.timers(name)
    }
}
