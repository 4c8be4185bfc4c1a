use std::ops::Bound;

/// A key, namespace or value in an [`Op`].
pub type Bytes = &'static [u8];

/// One step of a run against the model.
///
/// Displays as the Rust code that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Sets the current key.
    SetKey(Bytes),
    /// Sets the namespace that the following operations with [`Scope::Namespace`] take.
    SetNamespace(Bytes),
    /// Does something to a map state.
    Map(Scope, MapOp),
    /// Does something to a value state.
    Value(Scope, ValueOp),
    /// Lists the keys, and the keys and namespaces, of a map state.
    ListMap(Scope),
    /// Lists the keys, and the keys and namespaces, of a value state.
    ListValue(Scope),
    /// Flushes.
    Flush,
    /// Compacts, or sees that it is unsupported.
    Compact,
    /// Closes, opens again, registers the states, and sets the current key again if there was one.
    Reopen,
}

/// Which of two states an operation goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The state without namespace. As a value it has a default.
    Plain,
    /// The state with namespaces.
    Namespace,
}

/// An operation on a map state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapOp {
    /// `get`.
    Get(Bytes),
    /// `contains`.
    Contains(Bytes),
    /// `put`.
    Put(Bytes, Bytes),
    /// `put_all`; made by [`MapOp::put_all`].
    PutAll(Vec<(Bytes, Bytes)>),
    /// `remove`.
    Remove(Bytes),
    /// `retain` of the entries whose keys are below this one.
    RetainBelow(Bytes),
    /// `update` of a key by replacing whatever is found.
    Update(Bytes, Option<Bytes>),
    /// `iter`, walked from either end as the bits of the number say, the lowest first and again after
    /// eight steps: 0 from the front, 1 from the back.
    Iter(u8),
    /// `range`, walked as [`Iter`](Self::Iter).
    Range(Bound<Bytes>, Bound<Bytes>, u8),
    /// `first`.
    First,
    /// `last`.
    Last,
    /// `len`.
    Len,
    /// `is_empty`.
    IsEmpty,
    /// `clear`.
    Clear,
}

impl MapOp {
    /// Makes a [`PutAll`](Self::PutAll).
    #[must_use]
    pub fn put_all(entries: &[(Bytes, Bytes)]) -> Self {
        Self::PutAll(entries.to_vec())
    }
}

/// An operation on a value state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueOp {
    /// `get`.
    Get,
    /// `is_set`.
    IsSet,
    /// `set`.
    Set(Bytes),
    /// `update` by replacing whatever is found.
    Update(Option<Bytes>),
    /// `clear`.
    Clear,
}
