use std::fmt;

use crate::{AggregateFunction, Result, ValueState};

/// One accumulator under the current key and a namespace, to which inputs are added.
///
/// Made by [`KeyedStateBackendExt::aggregating`](crate::KeyedStateBackendExt::aggregating), on any backend, over its value
/// state. [`AggregateFunction`] has an example of a function.
pub struct AggregatingState<S, A> {
    accumulator: S,
    function: A,
}

impl<S: ValueState<A::Accumulator>, A: AggregateFunction> AggregatingState<S, A> {
    pub(crate) fn new(accumulator: S, function: A) -> Self {
        Self { accumulator, function }
    }

    /// Adds `input` to the accumulator, creating one for the first input.
    ///
    /// # Errors
    ///
    /// The function's, and then nothing has changed.
    pub fn add(&mut self, input: A::Input) -> Result<()> {
        // Read without a touch: if the function fails, nothing must have changed.
        let accumulator = match self.accumulator.get_with_touch()? {
            Some((accumulator, _)) => accumulator,
            None => self.function.create_accumulator(),
        };
        self.accumulator.set(self.function.add(accumulator, input)?)
    }

    /// Returns the result of the accumulator, or `None` if nothing was added.
    ///
    /// # Errors
    ///
    /// The function's too; the accumulator was read all the same, which prolongs its life if reads do.
    pub fn get(&self) -> Result<Option<A::Output>> {
        self.accumulator.get()?.map(|accumulator| self.function.result(accumulator)).transpose()
    }

    /// Removes the accumulator.
    pub fn clear(&mut self) -> Result<()> {
        self.accumulator.clear()
    }
}

impl<S, A> fmt::Debug for AggregatingState<S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AggregatingState").finish_non_exhaustive()
    }
}
