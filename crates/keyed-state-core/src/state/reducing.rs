use std::fmt;

use super::{
    id::{BackendId, StateId, ValueId, sealed::Sealed},
    value::{ValueDescriptor, ValueKind},
};
use crate::{Result, StateKey, StateValue, Ttl};

/// Combines two values of a reducing state into one.
///
/// Implemented for every `Fn(V, V) -> Result<V>` that is `Copy`: closures that capture nothing, function pointers. Implement
/// it for a type of your own where the function needs a name or settings.
///
/// Merging namespaces gives the target's value first and the sources' in their order (contract L2). If the function fails or
/// panics, the state stays what it was.
///
/// ```
/// use keyed_state_core::{ReduceFunction, Result};
///
/// #[derive(Clone, Copy)]
/// struct Max;
///
/// impl ReduceFunction<u64> for Max {
///     fn reduce(&self, earlier: u64, later: u64) -> Result<u64> {
///         Ok(earlier.max(later))
///     }
/// }
/// ```
pub trait ReduceFunction<V>: Copy + Send + Sync + 'static {
    /// Combines `earlier` and `later`.
    ///
    /// # Errors
    ///
    /// Any; [`Error::from_function`](crate::Error::from_function) makes one of an error of your own.
    fn reduce(&self, earlier: V, later: V) -> Result<V>;
}

impl<V, F: Fn(V, V) -> Result<V> + Copy + Send + Sync + 'static> ReduceFunction<V> for F {
    fn reduce(&self, earlier: V, later: V) -> Result<V> {
        self(earlier, later)
    }
}

/// Name, type and function of a reducing state: one `V` under each key and namespace `N`, into which
/// every added `V` is combined.
///
/// ```
/// use keyed_state_core::{ReducingDescriptor, ReducingId};
///
/// let longest: ReducingDescriptor<u64, _> =
///     ReducingDescriptor::new("longest", |a: u64, b: u64| Ok(a.max(b)));
/// // An id that is to be a struct's field needs a type with a name: a function pointer's, or your own.
/// struct Operator {
///     longest: ReducingId<u64>,
/// }
/// ```
pub struct ReducingDescriptor<V, F = fn(V, V) -> Result<V>, N = ()> {
    pub(crate) value: ValueDescriptor<V, N>,
    pub(crate) function: F,
}

impl<V, F: ReduceFunction<V>, N> ReducingDescriptor<V, F, N> {
    /// Describes the reducing state `name`: 1 to [`MAX_STATE_NAME_BYTES`](crate::MAX_STATE_NAME_BYTES) bytes without
    /// control characters, unique in its backend.
    pub fn new(name: impl Into<String>, function: F) -> Self {
        Self { value: ValueDescriptor::of_kind(ValueKind::Reducing, name), function }
    }

    /// Lets the value expire when nothing was added for so long.
    #[must_use]
    pub fn ttl(self, ttl: Ttl) -> Self {
        Self { value: self.value.ttl(ttl), function: self.function }
    }
}

impl<V: fmt::Debug, F, N> fmt::Debug for ReducingDescriptor<V, F, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReducingDescriptor").field("value", &self.value).finish_non_exhaustive()
    }
}

/// Typed ticket for a registered reducing state: `Copy`, and valid only on the backend that issued it.
pub struct ReducingId<V, F = fn(V, V) -> Result<V>, N = ()> {
    pub(crate) value: ValueId<V, N>,
    pub(crate) function: F,
}

impl<V, F, N> Sealed for ReducingId<V, F, N> {}

impl<V: StateValue, F: ReduceFunction<V>, N: StateKey> StateId for ReducingId<V, F, N> {
    type Namespace = N;

    fn index_in(&self, backend: BackendId) -> Option<usize> {
        self.value.index_in(backend)
    }
}

impl<V, F: Copy, N> Clone for ReducingId<V, F, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V, F: Copy, N> Copy for ReducingId<V, F, N> {}

impl<V, F, N> fmt::Debug for ReducingId<V, F, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReducingId").field(&self.value).finish()
    }
}
