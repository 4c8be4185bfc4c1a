use std::fmt;

use super::{
    id::{BackendId, MapId, StateId, sealed::Sealed},
    map::{MapDescriptor, MapKind},
};
use crate::{ClearStrategy, StateKey, StateValue, Ttl};

/// Name, type and settings of a list state: elements `V` in the order of their appending, under each key and
/// namespace `N`.
///
/// Stored as a map from sequence number to element, so an append reads nothing and a list may grow without limit.
///
/// ```
/// use keyed_state_core::ListDescriptor;
///
/// let legs = ListDescriptor::<String>::new("legs");
/// let by_window = ListDescriptor::<String, u64>::new("legs by window");
/// ```
pub struct ListDescriptor<V, N = ()> {
    pub(crate) map: MapDescriptor<u64, V, N>,
}

impl<V, N> ListDescriptor<V, N> {
    /// Describes the list state `name`: 1 to [`MAX_STATE_NAME_BYTES`](crate::MAX_STATE_NAME_BYTES) bytes without
    /// control characters, unique in its backend.
    pub fn new(name: impl Into<String>) -> Self {
        Self { map: MapDescriptor::of_kind(MapKind::List, name) }
    }

    /// Sets how `clear` works for this state, instead of as the backend's options say.
    #[must_use]
    pub fn clear_strategy(self, strategy: ClearStrategy) -> Self {
        Self { map: self.map.clear_strategy(strategy) }
    }

    /// Lets each element expire when it was not touched for so long.
    #[must_use]
    pub fn ttl(self, ttl: Ttl) -> Self {
        Self { map: self.map.ttl(ttl) }
    }
}

impl<V, N> fmt::Debug for ListDescriptor<V, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ListDescriptor").field(&self.map).finish()
    }
}

/// Typed ticket for a registered list state: `Copy`, and valid only on the backend that issued it.
pub struct ListId<V, N = ()> {
    pub(crate) map: MapId<u64, V, N>,
}

impl<V, N> Sealed for ListId<V, N> {}

impl<V: StateValue, N: StateKey> StateId for ListId<V, N> {
    type Namespace = N;

    fn index_in(&self, backend: BackendId) -> Option<usize> {
        self.map.index_in(backend)
    }
}

impl<V, N> Clone for ListId<V, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V, N> Copy for ListId<V, N> {}

impl<V, N> fmt::Debug for ListId<V, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ListId").field(&self.map).finish()
    }
}
