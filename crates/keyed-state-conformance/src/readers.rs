//! Every way of reading a state, for rules that hold for all of them.

use keyed_state_core::{
    AggregatingDescriptor, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, ListId,
    MapDescriptor, MapId, MapState as _, MapStateExt as _, ReducingDescriptor, StateId, Ttl,
    ValueDescriptor, ValueId, ValueState as _,
};

use crate::{kinds::Gather, support::Must};

/// A state that holds one entry or nothing under each key, and all ways of reading it.
pub(crate) struct Subject<B> {
    pub(crate) name: &'static str,
    pub(crate) write: Action<B>,
    pub(crate) readers: Vec<Reader<B>>,
    /// Finds the entry by a listing of keys, which touches nothing.
    pub(crate) is_listed: Question<B>,
}

/// A way of reading.
pub(crate) struct Reader<B> {
    pub(crate) name: &'static str,
    /// Whether it counts as reading the entry itself.
    pub(crate) touches: bool,
    /// Reads, under the current key; returns whether the entry was found.
    pub(crate) finds: Question<B>,
}

type Action<B> = Box<dyn Fn(&mut B)>;
type Question<B> = Box<dyn Fn(&mut B) -> bool>;

/// Registers a state of each kind, under names that end in `name`.
#[track_caller]
pub(crate) fn subjects<B: KeyedStateBackend<Key = u64>>(
    backend: &mut B,
    name: &str,
    ttl: Ttl,
) -> Vec<Subject<B>> {
    let map = MapDescriptor::<u64, u64>::new(format!("map {name}")).ttl(ttl);
    let map = backend.register_map(&map).must();
    let value = ValueDescriptor::<u64>::new(format!("value {name}")).ttl(ttl);
    let value = backend.register_value(&value).must();
    let list = ListDescriptor::<u64>::new(format!("list {name}")).ttl(ttl);
    let list = backend.register_list(&list).must();
    let sum = |a: u64, b: u64| Ok(a + b);
    let reducing = ReducingDescriptor::<u64, _>::new(format!("reducing {name}"), sum).ttl(ttl);
    let reducing = backend.register_reducing(&reducing).must();
    let gather = AggregatingDescriptor::new(format!("aggregating {name}"), Gather).ttl(ttl);
    let aggregating = backend.register_aggregating(&gather).must();
    vec![
        Subject {
            name: "map",
            write: Box::new(move |backend| backend.map(&map).must().put(5, 50).must()),
            readers: readers_of_map(map),
            is_listed: Box::new(move |backend| is_listed(backend, &map)),
        },
        Subject {
            name: "value",
            write: Box::new(move |backend| backend.value(&value).must().set(50).must()),
            readers: readers_of_value(value),
            is_listed: Box::new(move |backend| is_listed(backend, &value)),
        },
        Subject {
            name: "list",
            write: Box::new(move |backend| backend.list(&list).must().update([50]).must()),
            readers: readers_of_list(list),
            is_listed: Box::new(move |backend| is_listed(backend, &list)),
        },
        Subject {
            name: "reducing",
            write: Box::new(move |backend| backend.reducing(&reducing).must().add(50).must()),
            readers: Readers::<B>::of(reducing)
                .reading("get", move |b| b.reducing(&reducing).must().get().must().is_some())
                .0,
            is_listed: Box::new(move |backend| is_listed(backend, &reducing)),
        },
        Subject {
            name: "aggregating",
            write: Box::new(move |b| b.aggregating(&aggregating).must().add("x".into()).must()),
            readers: Readers::<B>::of(aggregating)
                .reading("get", move |b| b.aggregating(&aggregating).must().get().must().is_some())
                .0,
            is_listed: Box::new(move |backend| is_listed(backend, &aggregating)),
        },
    ]
}

/// Collects readers.
struct Readers<B>(Vec<Reader<B>>);

impl<B: KeyedStateBackend> Readers<B> {
    /// Begins with those that every state has.
    fn of<S: StateId<Namespace = ()>>(id: S) -> Self {
        Self(Vec::new())
            .counting("keys", move |b| is_listed(b, &id))
            .counting("keys_and_namespaces", move |b| is_paired(b, &id))
    }

    /// Adds a way of reading the entry itself.
    fn reading(self, name: &'static str, finds: impl Fn(&mut B) -> bool + 'static) -> Self {
        self.with(Reader { name, touches: true, finds: Box::new(finds) })
    }

    /// Adds a way of finding that there is an entry without reading it.
    fn counting(self, name: &'static str, finds: impl Fn(&mut B) -> bool + 'static) -> Self {
        self.with(Reader { name, touches: false, finds: Box::new(finds) })
    }

    fn with(mut self, reader: Reader<B>) -> Self {
        self.0.push(reader);
        self
    }
}

fn is_listed<B: KeyedStateBackend, S: StateId<Namespace = ()>>(backend: &mut B, id: &S) -> bool {
    let current = backend.current_key().cloned();
    backend.keys(id, &()).must().any(|key| Some(key) == current)
}

fn is_paired<B: KeyedStateBackend, S: StateId<Namespace = ()>>(backend: &mut B, id: &S) -> bool {
    let current = backend.current_key().cloned();
    backend.keys_and_namespaces(id).must().any(|(key, ())| Some(key) == current)
}

fn readers_of_map<B: KeyedStateBackend>(id: MapId<u64, u64>) -> Vec<Reader<B>> {
    Readers::<B>::of(id)
        .reading("get", move |b| b.map(&id).must().get(&5).must().is_some())
        .reading("contains", move |b| b.map(&id).must().contains(&5).must())
        .reading("iter", move |b| b.map(&id).must().iter().must().next().is_some())
        .reading("iter in reverse", move |b| b.map(&id).must().iter().must().next_back().is_some())
        .reading("range", move |b| b.map(&id).must().range(5..6).must().next().is_some())
        .reading("range in reverse", move |b| {
            b.map(&id).must().range(..=5).must().next_back().is_some()
        })
        .reading("first", move |b| b.map(&id).must().first().must().is_some())
        .reading("last", move |b| b.map(&id).must().last().must().is_some())
        .reading("keys of the map", move |b| b.map(&id).must().keys().must().next().is_some())
        .reading("values", move |b| b.map(&id).must().values().must().next().is_some())
        .counting("len", move |b| b.map(&id).must().len().must() > 0)
        .counting("is_empty", move |b| !b.map(&id).must().is_empty().must())
        .counting("get_with_touch", move |b| b.map(&id).must().get_with_touch(&5).must().is_some())
        .counting("iter_with_touch", move |b| {
            b.map(&id).must().iter_with_touch().must().next().is_some()
        })
        .counting("retain", move |b| {
            let mut found = false;
            let keep = |_: &u64, _: &u64| {
                found = true;
                true
            };
            b.map(&id).must().retain(keep).must();
            found
        })
        .0
}

fn readers_of_value<B: KeyedStateBackend>(id: ValueId<u64>) -> Vec<Reader<B>> {
    Readers::<B>::of(id)
        .reading("get", move |b| b.value(&id).must().get().must().is_some())
        .counting("is_set", move |b| b.value(&id).must().is_set().must())
        .counting("get_with_touch", move |b| b.value(&id).must().get_with_touch().must().is_some())
        .0
}

fn readers_of_list<B: KeyedStateBackend>(id: ListId<u64>) -> Vec<Reader<B>> {
    Readers::<B>::of(id)
        .reading("iter", move |b| b.list(&id).must().iter().must().next().is_some())
        .reading("iter in reverse", move |b| b.list(&id).must().iter().must().next_back().is_some())
        .reading("to_vec", move |b| !b.list(&id).must().to_vec().must().is_empty())
        .counting("len", move |b| b.list(&id).must().len().must() > 0)
        .counting("is_empty", move |b| !b.list(&id).must().is_empty().must())
        .counting("retain", move |b| {
            let mut found = false;
            let keep = |_: &u64| {
                found = true;
                true
            };
            b.list(&id).must().retain(keep).must();
            found
        })
        .0
}
