use std::{fmt, marker::PhantomData};

use super::{StateDefinition, Types, id::MapId};
use crate::{ClearStrategy, Result, StateKey, StateValue, Ttl};

/// What a map state is to its users.
#[derive(Clone, Copy, Debug)]
pub(super) enum MapKind {
    Map,
    /// Elements by their sequence numbers.
    List,
}

/// Name, types and settings of a map state: entries `UK → UV` under each key and namespace `N`.
///
/// ```
/// use keyed_state_core::{ClearStrategy, MapDescriptor};
///
/// let clicks = MapDescriptor::<String, u64>::new("clicks");
/// let by_window = MapDescriptor::<String, u64, u64>::new("clicks by window")
///     .clear_strategy(ClearStrategy::PointDeletes);
/// ```
pub struct MapDescriptor<UK, UV, N = ()> {
    name: String,
    kind: MapKind,
    clear_strategy: Option<ClearStrategy>,
    ttl: Option<Ttl>,
    types: Types<(UK, UV, N)>,
}

impl<UK, UV, N> MapDescriptor<UK, UV, N> {
    /// Describes the map state `name`: 1 to [`MAX_STATE_NAME_BYTES`](crate::MAX_STATE_NAME_BYTES) bytes without control characters,
    /// unique in its backend.
    pub fn new(name: impl Into<String>) -> Self {
        Self::of_kind(MapKind::Map, name)
    }

    /// Describes a map that is a state of `kind` to its users.
    pub(super) fn of_kind(kind: MapKind, name: impl Into<String>) -> Self {
        Self { name: name.into(), kind, clear_strategy: None, ttl: None, types: PhantomData }
    }

    /// Sets how `clear` works for this state, instead of as the backend's options say.
    #[must_use]
    pub fn clear_strategy(mut self, strategy: ClearStrategy) -> Self {
        self.clear_strategy = Some(strategy);
        self
    }

    /// Lets each entry expire when it was not touched for so long.
    #[must_use]
    pub fn ttl(mut self, ttl: Ttl) -> Self {
        self.ttl = Some(ttl);
        self
    }
}

impl<UK: StateKey, UV: StateValue, N: StateKey> MapDescriptor<UK, UV, N> {
    /// Returns the definition to register. For backend authors.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a bad name or TTL.
    pub fn definition(&self) -> Result<StateDefinition> {
        let kind = match self.kind {
            MapKind::Map => format!("map<{}, {}>", UK::schema(), UV::schema()),
            MapKind::List => format!("list<{}>", UV::schema()),
        };
        StateDefinition::new::<N>(&self.name, &kind, self.ttl)
            .map(StateDefinition::of_types::<MapId<UK, UV, N>, (UK, UV, N)>)
            .map(|definition| definition.cleared_by(self.clear_strategy))
    }
}

impl<UK, UV, N> fmt::Debug for MapDescriptor<UK, UV, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MapDescriptor")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("clear_strategy", &self.clear_strategy)
            .field("ttl", &self.ttl)
            .finish_non_exhaustive()
    }
}
