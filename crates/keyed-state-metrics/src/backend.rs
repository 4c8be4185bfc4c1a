use std::{fmt, time::Instant};

use keyed_state_core::{
    BackendContext, BackendOptions, Capabilities, Error, KeyedStateBackend, Keys, MapChange,
    MapDescriptor, MapId, Result, StateDefinition, StateId, StateKey, StateValue, TimerAccess,
    ValueChange, ValueDescriptor, ValueId,
};
use metrics::{counter, gauge, histogram};

use crate::{
    InstrumentedMap, InstrumentedValue, names,
    observed::{Observed, Operation, kind},
};

/// A backend that says what it is asked to do; see the [crate documentation](crate).
///
/// Costs an atomic increment for each operation, twice where a recorder is installed, and for a sampled one two readings of the clock and an
/// encoding of the value.
pub struct Instrumented<B> {
    inner: B,
    label: String,
    one_in: u64,
    /// By the index in their ids.
    states: Vec<Option<Observed>>,
}

impl<B: KeyedStateBackend> Instrumented<B> {
    /// Wraps `inner`; `label` is the value of the label `backend` in all its metrics. One operation in 100 is timed.
    pub fn new(inner: B, label: impl Into<String>) -> Self {
        Self { inner, label: label.into(), one_in: 100, states: Vec::new() }
    }

    /// Times one operation in `one_in` of each state, the first one included; 0 times none. For states that are registered from
    /// now on.
    #[must_use]
    pub fn sampling(mut self, one_in: u64) -> Self {
        self.one_in = one_in;
        self
    }

    /// Returns the backend inside, for what it offers beyond [`KeyedStateBackend`].
    pub fn inner(&self) -> &B {
        &self.inner
    }

    /// Sets the gauges of timers. Flushing does so too. Cost: none worth mentioning.
    #[expect(clippy::cast_precision_loss, reason = "figures far below 2^52")]
    pub fn publish(&self) {
        let timers = self.inner.context().timers();
        gauge!(names::TIMERS, "backend" => self.label.clone()).set(timers.most() as f64);
        gauge!(names::TIMER_MEMORY_BYTES, "backend" => self.label.clone())
            .set(timers.memory_bytes() as f64);
    }

    /// Sets the gauge of expired entries of `state`, and returns their number.
    ///
    /// Cost: that of [`expired_entries`](KeyedStateBackend::expired_entries), a walk over the state.
    ///
    /// # Errors
    ///
    /// As there.
    #[expect(clippy::cast_precision_loss, reason = "figures far below 2^52")]
    pub fn publish_expired<S: StateId>(&mut self, state: &S) -> Result<u64> {
        let expired = self.expired_entries(state)?;
        if let Some(observed) = self.observed(state) {
            observed.expired_entries.set(expired as f64);
        }
        Ok(expired)
    }

    fn observed<S: StateId>(&self, state: &S) -> Option<&Observed> {
        let index = state.index_in(self.inner.context().id())?;
        self.states.get(index)?.as_ref()
    }

    fn registered<S: StateId>(&mut self, id: &S, definition: &StateDefinition) {
        let Some(index) = id.index_in(self.inner.context().id()) else { return };
        if self.states.len() <= index {
            self.states.resize_with(index + 1, || None);
        }
        self.states[index]
            .get_or_insert_with(|| Observed::new(&self.label, definition, self.one_in));
    }

    fn failed(&self, error: &Error) {
        failed(&self.label, error);
    }

    fn maintain<T>(
        &mut self,
        operation: &'static str,
        action: impl FnOnce(&mut B) -> Result<T>,
    ) -> Result<T> {
        let start = Instant::now();
        let outcome = action(&mut self.inner);
        histogram!(
            names::MAINTENANCE_SECONDS,
            "backend" => self.label.clone(), "operation" => operation
        )
        .record(start.elapsed());
        outcome.inspect_err(|error| self.failed(error))
    }
}

fn failed(backend: &str, error: &Error) {
    let kind = kind(error);
    tracing::warn!(backend, error = kind, "operation failed");
    counter!(names::ERRORS, "backend" => backend.to_owned(), "error" => kind).increment(1);
}

fn find(states: &[Option<Observed>], index: Option<usize>) -> Option<&Observed> {
    states.get(index?)?.as_ref()
}

/// Finds the metrics of a state that the backend inside has just accepted.
fn accepted(states: &[Option<Observed>], index: Option<usize>) -> &Observed {
    let observed = find(states, index);
    observed.expect("the backend accepts only ids that it issued, all of them through the wrapper")
}

/// Does something and counts it; an id of another backend's has nothing to count it with.
fn count<T>(
    observed: Option<&Observed>,
    operation: Operation,
    action: impl FnOnce() -> Result<T>,
) -> Result<T> {
    match observed {
        Some(observed) => observed.count(operation, action),
        None => action(),
    }
}

impl<B: fmt::Debug> fmt::Debug for Instrumented<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instrumented")
            .field("inner", &self.inner)
            .field("label", &self.label)
            .finish_non_exhaustive()
    }
}

#[deny(clippy::missing_trait_methods)]
impl<B: KeyedStateBackend> KeyedStateBackend for Instrumented<B> {
    type Key = B::Key;
    type Map<'a, UK: StateKey, UV: StateValue, N: StateKey>
        = InstrumentedMap<'a, B::Map<'a, UK, UV, N>>
    where
        Self: 'a;
    type Value<'a, V: StateValue, N: StateKey>
        = InstrumentedValue<'a, B::Value<'a, V, N>>
    where
        Self: 'a;

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn context(&self) -> &BackendContext {
        self.inner.context()
    }

    fn options(&self) -> &BackendOptions {
        self.inner.options()
    }

    fn register_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        descriptor: &MapDescriptor<UK, UV, N>,
    ) -> Result<MapId<UK, UV, N>> {
        let id = self.inner.register_map(descriptor).inspect_err(|e| failed(&self.label, e))?;
        self.registered(&id, &descriptor.definition()?);
        Ok(id)
    }

    fn register_value<V: StateValue, N: StateKey>(
        &mut self,
        descriptor: &ValueDescriptor<V, N>,
    ) -> Result<ValueId<V, N>> {
        let id = self.inner.register_value(descriptor).inspect_err(|e| failed(&self.label, e))?;
        self.registered(&id, &descriptor.definition()?);
        Ok(id)
    }

    fn set_current_key(&mut self, key: &B::Key) -> Result<()> {
        self.inner.set_current_key(key).inspect_err(|error| failed(&self.label, error))
    }

    fn current_key(&self) -> Option<&B::Key> {
        self.inner.current_key()
    }

    fn unset_current_key(&mut self) {
        self.inner.unset_current_key();
    }

    fn map_in<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        namespace: &N,
    ) -> Result<Self::Map<'_, UK, UV, N>> {
        let index = id.index_in(self.inner.context().id());
        let Self { inner, label, states, .. } = self;
        let inner = inner.map_in(id, namespace).inspect_err(|error| failed(label, error))?;
        Ok(InstrumentedMap { inner, observed: accepted(states, index) })
    }

    fn value_in<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        namespace: &N,
    ) -> Result<Self::Value<'_, V, N>> {
        let index = id.index_in(self.inner.context().id());
        let Self { inner, label, states, .. } = self;
        let inner = inner.value_in(id, namespace).inspect_err(|error| failed(label, error))?;
        Ok(InstrumentedValue { inner, observed: accepted(states, index) })
    }

    fn change_map<UK: StateKey, UV: StateValue, N: StateKey>(
        &mut self,
        id: &MapId<UK, UV, N>,
        changes: Vec<MapChange<UK, UV, N>>,
    ) -> Result<()> {
        let index = id.index_in(self.inner.context().id());
        let Self { inner, states, .. } = self;
        count(find(states, index), Operation::Change, || inner.change_map(id, changes))
    }

    fn change_value<V: StateValue, N: StateKey>(
        &mut self,
        id: &ValueId<V, N>,
        changes: Vec<ValueChange<V, N>>,
    ) -> Result<()> {
        let index = id.index_in(self.inner.context().id());
        let Self { inner, states, .. } = self;
        count(find(states, index), Operation::Change, || inner.change_value(id, changes))
    }

    fn keys<S: StateId>(&mut self, state: &S, namespace: &S::Namespace) -> Result<Keys<B::Key>> {
        let index = state.index_in(self.inner.context().id());
        let Self { inner, states, .. } = self;
        count(find(states, index), Operation::Keys, || inner.keys(state, namespace))
    }

    fn keys_and_namespaces<S: StateId>(
        &mut self,
        state: &S,
    ) -> Result<Keys<(B::Key, S::Namespace)>> {
        let index = state.index_in(self.inner.context().id());
        let Self { inner, states, .. } = self;
        count(find(states, index), Operation::Keys, || inner.keys_and_namespaces(state))
    }

    fn expired_entries<S: StateId>(&mut self, state: &S) -> Result<u64> {
        self.inner.expired_entries(state).inspect_err(|error| failed(&self.label, error))
    }

    fn timer_access(&mut self) -> TimerAccess<'_, B::Key> {
        self.inner.timer_access()
    }

    fn flush(&mut self) -> Result<()> {
        let _span = tracing::debug_span!("flush", backend = self.label).entered();
        self.publish();
        self.maintain("flush", B::flush)
    }

    fn compact(&mut self) -> Result<()> {
        let _span = tracing::debug_span!("compact", backend = self.label).entered();
        self.maintain("compact", B::compact)
    }

    fn close(self) -> Result<()> {
        let _span = tracing::debug_span!("close", backend = self.label).entered();
        let Self { inner, label, .. } = self;
        inner.close().inspect_err(|error| failed(&label, error))
    }
}
