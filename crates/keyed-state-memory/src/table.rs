use std::{any::Any, collections::BTreeMap, hash::Hash};

use foldhash::fast::FixedState;
use hashbrown::{Equivalent, HashMap};
use keyed_state_core::{StateKey, StateValue};

/// What one state holds, by key and namespace. The seed is fixed, so that runs are alike.
pub(crate) type Entries<K, N, T> = HashMap<(K, N), T, FixedState>;

/// The entries of a map state.
pub(crate) type MapTable<K, N, UK, UV> = Table<K, N, BTreeMap<UK, UV>>;

/// The storage of one state.
#[derive(Debug)]
pub(crate) struct Table<K, N, T> {
    pub(crate) entries: Entries<K, N, T>,
    /// The namespace of the last view: kept here so that views borrow it and none is cloned anew.
    namespace: Option<N>,
}

impl<K, N: StateKey, T> Table<K, N, T> {
    pub(crate) fn new() -> Self {
        Self { entries: HashMap::with_hasher(FixedState::default()), namespace: None }
    }

    /// Lends the entries and a copy of `namespace` that lives as long.
    pub(crate) fn enter(&mut self, namespace: &N) -> (&mut Entries<K, N, T>, &N) {
        let slot = match &mut self.namespace {
            Some(slot) => {
                slot.clone_from(namespace);
                slot
            }
            none => none.insert(namespace.clone()),
        };
        (&mut self.entries, slot)
    }
}

/// A borrowed (key, namespace), which finds the owned one without cloning.
#[derive(Hash)]
pub(crate) struct Place<'a, K, N>(pub(crate) &'a K, pub(crate) &'a N);

impl<K: Eq, N: Eq> Equivalent<(K, N)> for Place<'_, K, N> {
    fn equivalent(&self, owned: &(K, N)) -> bool {
        *self.0 == owned.0 && *self.1 == owned.1
    }
}

/// A [`Table`] whose types only its id knows.
pub(crate) trait AnyTable<K>: Any + Send {
    fn as_any_mut(&mut self) -> &mut dyn Any;

    /// Returns the keys that have anything under `namespace`, an `N`.
    fn keys(&self, namespace: &dyn Any) -> Vec<K>;

    /// Appends every key and namespace to `found`, a `Vec<(K, N)>`.
    fn keys_and_namespaces(&self, found: &mut dyn Any);
}

impl<K: StateKey, N: StateKey, T: Held> AnyTable<K> for Table<K, N, T> {
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn keys(&self, namespace: &dyn Any) -> Vec<K> {
        let namespace: &N =
            namespace.downcast_ref().expect("the id has the table's namespace type");
        let places = self.entries.keys().filter(|(_, found)| found == namespace);
        places.map(|(key, _)| key.clone()).collect()
    }

    fn keys_and_namespaces(&self, found: &mut dyn Any) {
        let found: &mut Vec<(K, N)> =
            found.downcast_mut().expect("the id has the table's namespace type");
        found.extend(self.entries.keys().cloned());
    }
}

/// What a table may hold for each key and namespace.
pub(crate) trait Held: Send + 'static {}

impl<UK: StateKey, UV: StateValue> Held for BTreeMap<UK, UV> {}

/// A value of a value state.
#[derive(Debug)]
pub(crate) struct Single<V>(pub(crate) V);

impl<V: StateValue> Held for Single<V> {}
