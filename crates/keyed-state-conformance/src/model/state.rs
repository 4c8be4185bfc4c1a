use std::time::Duration;

use keyed_state_core::{StateKey, TimeDomain, Touch, Ttl};

use super::Bytes;

/// How long entries live in states that they expire in.
pub(super) const TTL_MS: i64 = 10;

/// What a state is to its users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Map state.
    Map,
    /// Value state.
    Value,
    /// List state.
    List,
    /// Reducing state, whose function puts the later value behind the earlier one, and fails if the later one
    /// is `FF`.
    Reducing,
    /// Aggregating state, whose function does likewise; what comes out are all inputs between angle brackets.
    Aggregating,
}

/// Which state of its kind an operation goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The state without namespace. As a value it has a default.
    Plain,
    /// The state with namespaces.
    Namespace,
    /// The state with namespaces whose entries expire 10 ms after they were written.
    Written,
    /// The state with namespaces whose entries expire 10 ms after they were written or read.
    Touched,
    /// The state with namespaces whose entries expire 10 ms of event time after they were written.
    Event,
}

impl Scope {
    /// Returns the TTL of the state.
    pub(super) fn ttl(self) -> Option<Ttl> {
        let ttl = Ttl::new(Duration::from_millis(TTL_MS.unsigned_abs()));
        match self {
            Self::Plain | Self::Namespace => None,
            Self::Written => Some(ttl),
            Self::Touched => Some(ttl.touch(Touch::OnReadAndWrite)),
            Self::Event => Some(ttl.time(TimeDomain::Event)),
        }
    }

    /// Returns what `namespace` is to this state.
    pub(super) fn namespace(self, namespace: Bytes) -> Bytes {
        match self {
            Self::Plain => b"",
            _ => namespace,
        }
    }
}

/// One of the states of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State(pub(super) Kind, pub(super) Scope);

impl State {
    pub(super) fn name(self) -> String {
        format!("{:?} {:?}", self.0, self.1)
    }
}

/// The types of namespace, in one form.
pub(super) trait Namespace: StateKey {
    fn from_bytes(bytes: &[u8]) -> Self;

    fn to_bytes(&self) -> Vec<u8>;
}

impl Namespace for () {
    fn from_bytes(_: &[u8]) {}

    fn to_bytes(&self) -> Vec<u8> {
        Vec::new()
    }
}

impl Namespace for Vec<u8> {
    fn from_bytes(bytes: &[u8]) -> Self {
        bytes.to_vec()
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.clone()
    }
}
