/// One change to a map state, for [`KeyedStateBackend::change_map`](crate::KeyedStateBackend::change_map).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapChange<UK, UV, N> {
    /// The namespace of the map.
    pub namespace: N,
    /// The entry's key.
    pub key: UK,
    /// What becomes of the entry.
    pub change: Change<UV>,
}

/// One change to a value state, for
/// [`KeyedStateBackend::change_value`](crate::KeyedStateBackend::change_value).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueChange<V, N> {
    /// The namespace of the value.
    pub namespace: N,
    /// What becomes of the value.
    pub change: Change<V>,
}

/// What becomes of an entry or value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change<V> {
    /// It is set.
    Set {
        /// The new value.
        value: V,
        /// Its last touch, in milliseconds of the state's time; `None` is now. Of no effect without
        /// [`Ttl`](crate::Ttl).
        touched_ms: Option<i64>,
    },
    /// It is removed; an absent one is fine.
    Remove,
}
