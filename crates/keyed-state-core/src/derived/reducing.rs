use std::{fmt, marker::PhantomData};

use crate::{ReduceFunction, Result, StateValue, ValueState};

/// One value under the current key and a namespace, into which added values are combined.
///
/// Made by [`KeyedStateBackendExt::reducing`](crate::KeyedStateBackendExt::reducing), on any backend, over its value state.
///
/// ```
/// use keyed_state_core::{KeyedStateBackend, KeyedStateBackendExt, ReducingDescriptor, Result};
///
/// fn longest<B: KeyedStateBackend<Key = String>>(state: &mut B) -> Result<Option<u64>> {
///     let max = |a: u64, b: u64| Ok(a.max(b));
///     let longest = state.register_reducing(&ReducingDescriptor::<u64, _>::new("longest", max))?;
///     state.set_current_key(&"N14228".to_owned())?;
///     let mut longest = state.reducing(&longest)?;
///     longest.add(1_400)?;
///     longest.get()
/// }
/// ```
pub struct ReducingState<S, V, F> {
    value: S,
    function: F,
    types: PhantomData<fn() -> V>,
}

impl<S: ValueState<V>, V: StateValue, F: ReduceFunction<V>> ReducingState<S, V, F> {
    pub(crate) fn new(value: S, function: F) -> Self {
        Self { value, function, types: PhantomData }
    }

    /// Combines `value` into what is there; the first value is taken as it is.
    ///
    /// # Errors
    ///
    /// The function's, and then nothing has changed.
    pub fn add(&mut self, value: V) -> Result<()> {
        // Read without a touch: if the function fails, nothing must have changed.
        let reduced = match self.value.get_with_touch()? {
            Some((earlier, _)) => self.function.reduce(earlier, value)?,
            None => value,
        };
        self.value.set(reduced)
    }

    /// Returns the combined value, or `None` if nothing was added.
    pub fn get(&self) -> Result<Option<V>> {
        self.value.get()
    }

    /// Removes the value.
    pub fn clear(&mut self) -> Result<()> {
        self.value.clear()
    }
}

impl<S, V, F> fmt::Debug for ReducingState<S, V, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReducingState").finish_non_exhaustive()
    }
}
