use std::fmt;

use super::{
    id::{BackendId, StateId, ValueId, sealed::Sealed},
    value::{ValueDescriptor, ValueKind},
};
use crate::{Result, StateKey, StateValue, Ttl};

/// How an aggregating state takes in inputs and gives its result.
///
/// Input, accumulator and output are types apart; only the accumulator is stored. If a function fails or panics, the state
/// stays what it was.
///
/// ```
/// use keyed_state_core::{AggregateFunction, Result};
///
/// /// Mean of delays in minutes.
/// #[derive(Clone, Copy)]
/// struct Mean;
///
/// impl AggregateFunction for Mean {
///     type Input = i64;
///     type Accumulator = (i64, u64);
///     type Output = f64;
///
///     fn create_accumulator(&self) -> (i64, u64) {
///         (0, 0)
///     }
///
///     fn add(&self, (sum, count): (i64, u64), input: i64) -> Result<(i64, u64)> {
///         Ok((sum + input, count + 1))
///     }
///
///     fn result(&self, (sum, count): (i64, u64)) -> Result<f64> {
///         Ok(sum as f64 / count as f64)
///     }
///
///     fn merge(&self, a: (i64, u64), b: (i64, u64)) -> Result<(i64, u64)> {
///         Ok((a.0 + b.0, a.1 + b.1))
///     }
/// }
/// ```
pub trait AggregateFunction: Copy + Send + Sync + 'static {
    /// What is added.
    type Input;
    /// What is stored.
    type Accumulator: StateValue;
    /// What `get` returns.
    type Output;

    /// Makes the accumulator that a first input is added to.
    fn create_accumulator(&self) -> Self::Accumulator;

    /// Adds `input`; the accumulator may be changed in place.
    ///
    /// # Errors
    ///
    /// Any; [`Error::from_function`](crate::Error::from_function) makes one of an error of your own.
    fn add(&self, accumulator: Self::Accumulator, input: Self::Input) -> Result<Self::Accumulator>;

    /// Makes the result of an accumulator.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    fn result(&self, accumulator: Self::Accumulator) -> Result<Self::Output>;

    /// Combines two accumulators, where namespaces are merged: the target's comes first, the sources' in their
    /// order (contract L2).
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    fn merge(
        &self,
        earlier: Self::Accumulator,
        later: Self::Accumulator,
    ) -> Result<Self::Accumulator>;
}

/// Name and function of an aggregating state: one accumulator under each key and namespace `N`.
pub struct AggregatingDescriptor<A: AggregateFunction, N = ()> {
    pub(crate) value: ValueDescriptor<A::Accumulator, N>,
    pub(crate) function: A,
}

impl<A: AggregateFunction, N> AggregatingDescriptor<A, N> {
    /// Describes the aggregating state `name`: 1 to [`MAX_STATE_NAME_BYTES`](crate::MAX_STATE_NAME_BYTES) bytes
    /// without control characters, unique in its backend.
    pub fn new(name: impl Into<String>, function: A) -> Self {
        Self { value: ValueDescriptor::of_kind(ValueKind::Aggregating, name), function }
    }

    /// Lets the accumulator expire when nothing was added for so long.
    #[must_use]
    pub fn ttl(self, ttl: Ttl) -> Self {
        Self { value: self.value.ttl(ttl), function: self.function }
    }
}

impl<A: AggregateFunction, N> fmt::Debug for AggregatingDescriptor<A, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AggregatingDescriptor").finish_non_exhaustive()
    }
}

/// Typed ticket for a registered aggregating state: `Copy`, and valid only on the backend that issued it.
pub struct AggregatingId<A: AggregateFunction, N = ()> {
    pub(crate) value: ValueId<A::Accumulator, N>,
    pub(crate) function: A,
}

impl<A: AggregateFunction, N> Sealed for AggregatingId<A, N> {}

impl<A: AggregateFunction, N: StateKey> StateId for AggregatingId<A, N> {
    type Namespace = N;

    fn index_in(&self, backend: BackendId) -> Option<usize> {
        self.value.index_in(backend)
    }
}

impl<A: AggregateFunction, N> Clone for AggregatingId<A, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: AggregateFunction, N> Copy for AggregatingId<A, N> {}

impl<A: AggregateFunction, N> fmt::Debug for AggregatingId<A, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AggregatingId").field(&self.value).finish()
    }
}
