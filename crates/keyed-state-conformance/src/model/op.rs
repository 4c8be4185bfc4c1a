use super::{FoldOp, Kind, ListOp, MapOp, Scope, TimerOp, ValueOp};

/// A key, namespace or value in an [`Op`].
pub type Bytes = &'static [u8];

/// One step of a run against the model.
///
/// Displays as the Rust code that makes it. What has a list of operations does them through one view, up to the
/// first that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Sets the current key.
    SetKey(Bytes),
    /// Forgets the current key.
    UnsetKey,
    /// Sets the namespace that the following operations take, on states that have namespaces.
    SetNamespace(Bytes),
    /// Does something to a map state; made by [`Op::map`].
    Map(Scope, Vec<MapOp>),
    /// Does something to a value state; made by [`Op::value`].
    Value(Scope, Vec<ValueOp>),
    /// Does something to a list state; made by [`Op::list`].
    List(Scope, Vec<ListOp>),
    /// Does something to a reducing state; made by [`Op::reducing`].
    Reducing(Scope, Vec<FoldOp>),
    /// Does something to an aggregating state; made by [`Op::aggregating`].
    Aggregating(Scope, Vec<FoldOp>),
    /// Merges namespaces: first the target, then the sources; made by [`Op::merge`].
    Merge(Merge, Scope, Bytes, Vec<Bytes>),
    /// Lists the keys, and the keys and namespaces, of a state.
    Keys(Kind, Scope),
    /// Visits the keys of a state.
    ForEachKey(Kind, Scope, Visit),
    /// Counts the expired entries of a state that are still stored.
    Expired(Kind, Scope),
    /// Does something to the timer service of the scope; made by [`Op::timers`]. It is named as the map state is.
    Timers(Scope, Vec<TimerOp>),
    /// Pops at most so many timers of a service, and under the key of each registers it again so many milliseconds
    /// later, or earlier.
    Fire(Scope, usize, i64),
    /// Moves the clock by so many milliseconds, back too, and asks the backend for the time, which must not
    /// go back.
    Clock(i64),
    /// Moves the watermark by so many milliseconds from where it is, or from 0, and asks for it. It must not go back.
    Watermark(i64),
    /// Flushes.
    Flush,
    /// Compacts, or sees that it is unsupported.
    Compact,
    /// Closes, opens again, registers the states, and sets the current key again if there was one. The clock
    /// stands where it stood.
    Reopen,
}

/// Which call merges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// `merge_maps`, with a function that fails if the later value is `FF`.
    Maps,
    /// `merge_lists`.
    Lists,
    /// `merge_reducing`.
    Reducing,
    /// `merge_aggregating`.
    Aggregating,
}

/// What is done under each key that [`Op::ForEachKey`] visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// Clears the state that is walked over.
    Clear,
    /// Adds to the state that is walked over, under the key with an `a` behind it.
    Spread,
    /// Fails.
    Fail,
}

impl Op {
    /// Makes a [`Map`](Self::Map).
    #[must_use]
    pub fn map(scope: Scope, ops: &[MapOp]) -> Self {
        Self::Map(scope, ops.to_vec())
    }

    /// Makes a [`Value`](Self::Value).
    #[must_use]
    pub fn value(scope: Scope, ops: &[ValueOp]) -> Self {
        Self::Value(scope, ops.to_vec())
    }

    /// Makes a [`List`](Self::List).
    #[must_use]
    pub fn list(scope: Scope, ops: &[ListOp]) -> Self {
        Self::List(scope, ops.to_vec())
    }

    /// Makes a [`Reducing`](Self::Reducing).
    #[must_use]
    pub fn reducing(scope: Scope, ops: &[FoldOp]) -> Self {
        Self::Reducing(scope, ops.to_vec())
    }

    /// Makes an [`Aggregating`](Self::Aggregating).
    #[must_use]
    pub fn aggregating(scope: Scope, ops: &[FoldOp]) -> Self {
        Self::Aggregating(scope, ops.to_vec())
    }

    /// Makes a [`Timers`](Self::Timers).
    #[must_use]
    pub fn timers(scope: Scope, ops: &[TimerOp]) -> Self {
        Self::Timers(scope, ops.to_vec())
    }

    /// Makes a [`Merge`](Self::Merge).
    #[must_use]
    pub fn merge(merge: Merge, scope: Scope, target: Bytes, sources: &[Bytes]) -> Self {
        Self::Merge(merge, scope, target, sources.to_vec())
    }
}

impl Op {
    /// Returns the scope of an operation on a state.
    pub(super) fn scope(&self) -> Option<Scope> {
        match self {
            Self::Map(scope, _)
            | Self::Value(scope, _)
            | Self::List(scope, _)
            | Self::Reducing(scope, _)
            | Self::Aggregating(scope, _)
            | Self::Merge(_, scope, ..)
            | Self::Keys(_, scope)
            | Self::ForEachKey(_, scope, _)
            | Self::Expired(_, scope)
            | Self::Timers(scope, _)
            | Self::Fire(scope, ..) => Some(*scope),
            Self::SetKey(_)
            | Self::UnsetKey
            | Self::SetNamespace(_)
            | Self::Clock(_)
            | Self::Watermark(_)
            | Self::Flush
            | Self::Compact
            | Self::Reopen => None,
        }
    }
}

impl Merge {
    /// Returns the kind of state that is merged.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Maps => Kind::Map,
            Self::Lists => Kind::List,
            Self::Reducing => Kind::Reducing,
            Self::Aggregating => Kind::Aggregating,
        }
    }
}

impl Kind {
    /// Returns the operation that removes what a state of this kind holds.
    pub(super) fn clear(self, scope: Scope) -> Op {
        match self {
            Self::Map => Op::map(scope, &[MapOp::Clear]),
            Self::Value => Op::value(scope, &[ValueOp::Clear]),
            Self::List => Op::list(scope, &[ListOp::Clear]),
            Self::Reducing => Op::reducing(scope, &[FoldOp::Clear]),
            Self::Aggregating => Op::aggregating(scope, &[FoldOp::Clear]),
        }
    }

    /// Returns an operation after which a state of this kind holds something.
    pub(super) fn add(self, scope: Scope) -> Op {
        match self {
            Self::Map => Op::map(scope, &[MapOp::Put(b"a", b"a")]),
            Self::Value => Op::value(scope, &[ValueOp::Set(b"a")]),
            Self::List => Op::list(scope, &[ListOp::Add(b"a")]),
            Self::Reducing => Op::reducing(scope, &[FoldOp::Add(b"a")]),
            Self::Aggregating => Op::aggregating(scope, &[FoldOp::Add(b"a")]),
        }
    }
}
