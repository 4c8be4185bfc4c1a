//! The kinds of state under one interface, for rules that hold for each of them.

use keyed_state_core::{
    AggregateFunction, AggregatingDescriptor, AggregatingId, Error, KeyedStateBackend,
    KeyedStateBackendExt, ListDescriptor, ListId, MapDescriptor, MapId, MapState as _,
    MapStateExt as _, ReducingDescriptor, ReducingId, Result, Ttl, ValueDescriptor, ValueId,
    ValueState as _, ValueStateExt as _,
};

use crate::support::{Must, quiet_panic, sorted};

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
pub(crate) fn join(earlier: String, later: String) -> Result<String> {
    match later.as_str() {
        FAILS => Err(Error::from_function(format!("{earlier} and {later} do not combine"))),
        PANICS => quiet_panic(),
        later => Ok(earlier + later),
    }
}

/// Gathers texts in a list and gives them as one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gather;

impl AggregateFunction for Gather {
    type Input = String;
    type Accumulator = Vec<String>;
    type Output = String;

    fn create_accumulator(&self) -> Vec<String> {
        Vec::new()
    }

    fn add(&self, mut texts: Vec<String>, text: String) -> Result<Vec<String>> {
        texts.push(text);
        Ok(texts)
    }

    fn result(&self, texts: Vec<String>) -> Result<String> {
        Ok(texts.concat())
    }

    fn merge(&self, earlier: Vec<String>, later: Vec<String>) -> Result<Vec<String>> {
        join(String::new(), later.concat())?;
        Ok([earlier, later].concat())
    }
}

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

struct InValue(ValueId<String, Namespace>);

impl InValue {
    fn register(
        backend: &mut impl KeyedStateBackend,
        name: &str,
        ttl: Option<Ttl>,
    ) -> Result<Self> {
        let descriptor = described!(ValueDescriptor::new(format!("value-{name}")), ttl);
        backend.register_value(&descriptor).map(Self)
    }
}

impl<B: KeyedStateBackend> Kind<B> for InValue {
    listing!("value");

    fn add(&self, backend: &mut B, namespace: Namespace, text: &str) -> Result<()> {
        let mut value = backend.value_in(&self.0, &namespace)?;
        value.update(|earlier| Some(earlier.unwrap_or_default() + text))
    }

    fn read(&self, backend: &mut B, namespace: Namespace) -> Result<String> {
        Ok(backend.value_in(&self.0, &namespace)?.get()?.unwrap_or_default())
    }

    fn clear(&self, backend: &mut B, namespace: Namespace) -> Result<()> {
        backend.value_in(&self.0, &namespace)?.clear()
    }
}

/// One entry of a map, whose neighbours stay empty.
struct InMap(MapId<u64, String, Namespace>);

impl InMap {
    fn register(
        backend: &mut impl KeyedStateBackend,
        name: &str,
        ttl: Option<Ttl>,
    ) -> Result<Self> {
        let descriptor = described!(MapDescriptor::new(format!("map-{name}")), ttl);
        backend.register_map(&descriptor).map(Self)
    }
}

impl<B: KeyedStateBackend> Kind<B> for InMap {
    listing!("map");

    fn add(&self, backend: &mut B, namespace: Namespace, text: &str) -> Result<()> {
        let mut map = backend.map_in(&self.0, &namespace)?;
        map.update(7, |earlier| Some(earlier.unwrap_or_default() + text))
    }

    fn read(&self, backend: &mut B, namespace: Namespace) -> Result<String> {
        backend.map_in(&self.0, &namespace)?.values()?.collect()
    }

    fn clear(&self, backend: &mut B, namespace: Namespace) -> Result<()> {
        backend.map_in(&self.0, &namespace)?.clear()
    }
}

impl<B: KeyedStateBackend> MergingKind<B> for InMap {
    fn merge(&self, backend: &mut B, target: Namespace, sources: &[Namespace]) -> Result<()> {
        backend.merge_maps(&self.0, &target, sources, |_, earlier, later| join(earlier, later))
    }
}

struct InList(ListId<String, Namespace>);

impl InList {
    fn register(
        backend: &mut impl KeyedStateBackend,
        name: &str,
        ttl: Option<Ttl>,
    ) -> Result<Self> {
        let descriptor = described!(ListDescriptor::new(format!("list-{name}")), ttl);
        backend.register_list(&descriptor).map(Self)
    }
}

impl<B: KeyedStateBackend> Kind<B> for InList {
    listing!("list");

    fn add(&self, backend: &mut B, namespace: Namespace, text: &str) -> Result<()> {
        backend.list_in(&self.0, &namespace)?.add(text.to_owned())
    }

    fn read(&self, backend: &mut B, namespace: Namespace) -> Result<String> {
        backend.list_in(&self.0, &namespace)?.iter()?.collect()
    }

    fn clear(&self, backend: &mut B, namespace: Namespace) -> Result<()> {
        backend.list_in(&self.0, &namespace)?.clear()
    }
}

impl<B: KeyedStateBackend> MergingKind<B> for InList {
    fn merge(&self, backend: &mut B, target: Namespace, sources: &[Namespace]) -> Result<()> {
        backend.merge_lists(&self.0, &target, sources)
    }

    fn combines(&self) -> bool {
        false
    }
}

type Join = fn(String, String) -> Result<String>;

struct InReducing(ReducingId<String, Join, Namespace>);

impl InReducing {
    fn register(
        backend: &mut impl KeyedStateBackend,
        name: &str,
        ttl: Option<Ttl>,
    ) -> Result<Self> {
        let function: Join = join;
        let descriptor = ReducingDescriptor::new(format!("reducing-{name}"), function);
        backend.register_reducing(&described!(descriptor, ttl)).map(Self)
    }
}

impl<B: KeyedStateBackend> Kind<B> for InReducing {
    listing!("reducing");

    fn add(&self, backend: &mut B, namespace: Namespace, text: &str) -> Result<()> {
        backend.reducing_in(&self.0, &namespace)?.add(text.to_owned())
    }

    fn read(&self, backend: &mut B, namespace: Namespace) -> Result<String> {
        Ok(backend.reducing_in(&self.0, &namespace)?.get()?.unwrap_or_default())
    }

    fn clear(&self, backend: &mut B, namespace: Namespace) -> Result<()> {
        backend.reducing_in(&self.0, &namespace)?.clear()
    }
}

impl<B: KeyedStateBackend> MergingKind<B> for InReducing {
    fn merge(&self, backend: &mut B, target: Namespace, sources: &[Namespace]) -> Result<()> {
        backend.merge_reducing(&self.0, &target, sources)
    }
}

struct InAggregating(AggregatingId<Gather, Namespace>);

impl InAggregating {
    fn register(
        backend: &mut impl KeyedStateBackend,
        name: &str,
        ttl: Option<Ttl>,
    ) -> Result<Self> {
        let descriptor = AggregatingDescriptor::new(format!("aggregating-{name}"), Gather);
        backend.register_aggregating(&described!(descriptor, ttl)).map(Self)
    }
}

impl<B: KeyedStateBackend> Kind<B> for InAggregating {
    listing!("aggregating");

    fn add(&self, backend: &mut B, namespace: Namespace, text: &str) -> Result<()> {
        backend.aggregating_in(&self.0, &namespace)?.add(text.to_owned())
    }

    fn read(&self, backend: &mut B, namespace: Namespace) -> Result<String> {
        Ok(backend.aggregating_in(&self.0, &namespace)?.get()?.unwrap_or_default())
    }

    fn clear(&self, backend: &mut B, namespace: Namespace) -> Result<()> {
        backend.aggregating_in(&self.0, &namespace)?.clear()
    }
}

impl<B: KeyedStateBackend> MergingKind<B> for InAggregating {
    fn merge(&self, backend: &mut B, target: Namespace, sources: &[Namespace]) -> Result<()> {
        backend.merge_aggregating(&self.0, &target, sources)
    }
}
