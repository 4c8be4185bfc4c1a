//! The kinds of state under one interface, for rules that hold for each of them.

use keyed_state_core::{Error, KeyedStateBackend, Result, Ttl};

use crate::support::{Must, quiet_panic};

/// Descriptor with or without TTL.
macro_rules! described {
    ($descriptor:expr, $ttl:expr) => {
        match $ttl {
            Some(ttl) => $descriptor.ttl(ttl),
            None => $descriptor,
        }
    };
}

/// What is the same for every kind.
macro_rules! listing {
    ($name:literal) => {
        fn name(&self) -> &'static str {
            $name
        }

        fn keys(&self, backend: &mut B, namespace: Namespace) -> Result<Vec<B::Key>> {
            backend.keys(&self.0, &namespace).map(sorted)
        }

        fn pairs(&self, backend: &mut B) -> Result<Vec<(B::Key, Namespace)>> {
            backend.keys_and_namespaces(&self.0).map(sorted)
        }

        fn expired(&self, backend: &mut B) -> Result<u64> {
            backend.expired_entries(&self.0)
        }
    };
}

mod maps;
mod values;

use maps::{InList, InMap};
pub(crate) use values::Gather;
use values::{InAggregating, InReducing, InValue};

/// A text that no function combines with another.
pub(crate) const FAILS: &str = "fails;";
/// A text at which every function panics.
pub(crate) const PANICS: &str = "panics;";

type Namespace = u64;

/// Text under each key and namespace, kept in a state of some kind.
pub(crate) trait Kind<B: KeyedStateBackend> {
    /// Returns what the kind is called.
    fn name(&self) -> &'static str;

    /// Adds `text` behind what is there.
    fn add(&self, backend: &mut B, namespace: Namespace, text: &str) -> Result<()>;

    /// Returns all that was added, in its order.
    fn read(&self, backend: &mut B, namespace: Namespace) -> Result<String>;

    /// Removes everything.
    fn clear(&self, backend: &mut B, namespace: Namespace) -> Result<()>;

    /// Lists keys, sorted.
    fn keys(&self, backend: &mut B, namespace: Namespace) -> Result<Vec<B::Key>>;

    /// Lists keys and namespaces, sorted.
    fn pairs(&self, backend: &mut B) -> Result<Vec<(B::Key, Namespace)>>;

    /// Counts what has expired and is still stored.
    fn expired(&self, backend: &mut B) -> Result<u64>;
}

/// A [`Kind`] whose namespaces can be merged.
pub(crate) trait MergingKind<B: KeyedStateBackend>: Kind<B> {
    /// Merges `sources` into `target`.
    fn merge(&self, backend: &mut B, target: Namespace, sources: &[Namespace]) -> Result<()>;

    /// Returns whether a function of the user's takes part in merging.
    fn combines(&self) -> bool {
        true
    }
}

/// Registers a state of each kind, under names that end in `name`.
#[track_caller]
pub(crate) fn every_kind<B: KeyedStateBackend>(
    backend: &mut B,
    name: &str,
    ttl: Option<Ttl>,
) -> Vec<Box<dyn Kind<B>>> {
    vec![
        Box::new(InValue::register(backend, name, ttl).must()),
        Box::new(InMap::register(backend, name, ttl).must()),
        Box::new(InList::register(backend, name, ttl).must()),
        Box::new(InReducing::register(backend, name, ttl).must()),
        Box::new(InAggregating::register(backend, name, ttl).must()),
    ]
}

/// Registers a state of each kind whose namespaces can be merged, under names that end in `name`.
#[track_caller]
pub(crate) fn merging_kinds<B: KeyedStateBackend>(
    backend: &mut B,
    name: &str,
    ttl: Option<Ttl>,
) -> Vec<Box<dyn MergingKind<B>>> {
    vec![
        Box::new(InMap::register(backend, name, ttl).must()),
        Box::new(InList::register(backend, name, ttl).must()),
        Box::new(InReducing::register(backend, name, ttl).must()),
        Box::new(InAggregating::register(backend, name, ttl).must()),
    ]
}

/// Puts `later` behind `earlier`.
#[expect(clippy::needless_pass_by_value, reason = "it is a reduce function")]
pub(crate) fn join(earlier: String, later: String) -> Result<String> {
    match later.as_str() {
        FAILS => Err(Error::from_function(format!("{earlier} and {later} do not combine"))),
        PANICS => quiet_panic(),
        later => Ok(earlier + later),
    }
}
