use std::fmt;

use keyed_state_core::{Result, StateValue, ValueState};

use crate::observed::{Observed, Operation};

/// View of a value state in an [`Instrumented`](crate::Instrumented) backend.
pub struct InstrumentedValue<'a, S> {
    pub(crate) inner: S,
    pub(crate) observed: &'a Observed,
}

impl<S> fmt::Debug for InstrumentedValue<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InstrumentedValue").finish_non_exhaustive()
    }
}

#[deny(clippy::missing_trait_methods)]
impl<V: StateValue, S: ValueState<V>> ValueState<V> for InstrumentedValue<'_, S> {
    fn get(&self) -> Result<Option<V>> {
        let (found, sampled) = self.observed.sampled(Operation::Get, || self.inner.get());
        if let (Ok(Some(value)), true) = (&found, sampled) {
            self.observed.read(value);
        }
        found
    }

    fn get_with_touch(&self) -> Result<Option<(V, Option<i64>)>> {
        self.observed.count(Operation::Get, || self.inner.get_with_touch())
    }

    fn is_set(&self) -> Result<bool> {
        self.observed.count(Operation::IsSet, || self.inner.is_set())
    }

    fn set(&mut self, value: V) -> Result<()> {
        if self.observed.next_is_timed() {
            self.observed.written(&value);
        }
        self.observed.count(Operation::Set, || self.inner.set(value))
    }

    fn clear(&mut self) -> Result<()> {
        self.observed.count(Operation::Clear, || self.inner.clear())
    }
}
