use std::{fmt, marker::PhantomData};

use super::{StateDefinition, Types, id::ValueId};
use crate::{Result, StateKey, StateValue, Ttl};

/// What a value state is to its users.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueKind {
    Value,
    Reducing,
    Aggregating,
}

/// Name, type and default of a value state: one `V` under each key and namespace `N`.
///
/// ```
/// use keyed_state_core::ValueDescriptor;
///
/// let last_seen = ValueDescriptor::<u64>::new("last seen");
/// let greeting = ValueDescriptor::<String>::new("greeting").default_value("hello".to_owned());
/// ```
pub struct ValueDescriptor<V, N = ()> {
    name: String,
    kind: ValueKind,
    default_value: Option<V>,
    ttl: Option<Ttl>,
    types: Types<N>,
}

impl<V, N> ValueDescriptor<V, N> {
    /// Describes the value state `name`: 1 to [`MAX_STATE_NAME_BYTES`](crate::MAX_STATE_NAME_BYTES) bytes without control characters,
    /// unique in its backend.
    pub fn new(name: impl Into<String>) -> Self {
        Self::of_kind(ValueKind::Value, name)
    }

    /// Describes a value that is a state of `kind` to its users.
    pub(super) fn of_kind(kind: ValueKind, name: impl Into<String>) -> Self {
        let (name, types) = (name.into(), PhantomData);
        Self { name, kind, default_value: None, ttl: None, types }
    }

    /// Sets what `get` returns while no value is set: a fresh clone each time, never stored.
    #[must_use]
    pub fn default_value(mut self, value: V) -> Self {
        self.default_value = Some(value);
        self
    }

    /// Lets the value expire when it was not touched for so long.
    #[must_use]
    pub fn ttl(mut self, ttl: Ttl) -> Self {
        self.ttl = Some(ttl);
        self
    }
}

impl<V: StateValue, N: StateKey> ValueDescriptor<V, N> {
    /// Returns the definition to register. For backend authors.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a bad name or TTL,
    /// [`Codec`](crate::ErrorKind::Codec) if the default value cannot be encoded.
    pub fn definition(&self) -> Result<StateDefinition> {
        let default_bytes = match &self.default_value {
            Some(value) => {
                let mut bytes = Vec::new();
                value.encode(&mut bytes)?;
                Some(bytes)
            }
            None => None,
        };
        let kind = match self.kind {
            ValueKind::Value => "value",
            ValueKind::Reducing => "reducing",
            ValueKind::Aggregating => "aggregating",
        };
        StateDefinition::new::<N>(&self.name, &format!("{kind}<{}>", V::schema()), self.ttl)
            .map(StateDefinition::of_types::<ValueId<V, N>, (V, N)>)
            .map(|definition| definition.with_default(default_bytes))
    }

    /// Returns the default value, if one is set. For backend authors.
    #[must_use]
    pub fn default(&self) -> Option<&V> {
        self.default_value.as_ref()
    }
}

impl<V: fmt::Debug, N> fmt::Debug for ValueDescriptor<V, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueDescriptor")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("default_value", &self.default_value)
            .field("ttl", &self.ttl)
            .finish_non_exhaustive()
    }
}
