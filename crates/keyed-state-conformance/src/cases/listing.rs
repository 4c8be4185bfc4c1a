//! G1: listing keys.

use keyed_state_core::{
    BackendOptions, KeyedStateBackend, KeyedStateBackendExt, MapDescriptor, MapState,
    MaxParallelism, ValueDescriptor, ValueState,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, sorted, words},
};

/// G1: each key once however many entries it has, and only under its namespace. (27, 35)
pub fn g1_each_key_is_listed_once<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64, String>::new("map")).must();
    let (n, other) = ("n".to_owned(), "other".to_owned());
    let (a, b) = ("a".to_owned(), "b".to_owned());
    backend.set_current_key(&a).must();
    // More entries than any listing steps over one by one.
    backend.map_in(&id, &n).must().put_all((0..100).map(|i| (i, i))).must();
    backend.map_in(&id, &other).must().put(1, 1).must();
    backend.set_current_key(&b).must();
    backend.map_in(&id, &n).must().put(1, 1).must();
    assert_eq!(sorted(backend.keys(&id, &n).must()), ["a", "b"]);
    assert_eq!(sorted(backend.keys(&id, &other).must()), ["a"]);
    assert_eq!(backend.keys(&id, &String::new()).must().count(), 0);
    let pairs = sorted(backend.keys_and_namespaces(&id).must());
    assert_eq!(pairs, [(a.clone(), n.clone()), (a, other), (b, n)]);
    Outcome::Ran
}

/// G1: a namespace is compared with namespaces, never with a user key of the same bytes. (27)
pub fn g1_a_user_key_is_no_namespace<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let id = backend.register_map(&MapDescriptor::<String, u64, String>::new("map")).must();
    backend.set_current_key(&"k".to_owned()).must();
    backend.map_in(&id, &"n".to_owned()).must().put("n2".to_owned(), 1).must();
    assert_eq!(backend.keys(&id, &"n".to_owned()).must().collect::<Vec<_>>(), ["k"]);
    assert_eq!(backend.keys(&id, &"n2".to_owned()).must().count(), 0);
    Outcome::Ran
}

/// G1: every pair of key and namespace is listed exactly once, for all words of the alphabet `00 01 61 FF`. (4, 35)
pub fn g1_every_pair_is_listed_exactly_once<F: Fixture>(fixture: &F) -> Outcome {
    let words = words(2);
    for groups in [MaxParallelism::ONE, MaxParallelism::default()] {
        let home = Home::new();
        let options = BackendOptions::new().max_parallelism(groups);
        let mut backend = home.open_with::<F, Vec<u8>>(fixture, options);
        let map = MapDescriptor::<u64, u64, Vec<u8>>::new("map");
        let map = backend.register_map(&map).must();
        let value = backend.register_value(&ValueDescriptor::<u64, Vec<u8>>::new("value")).must();
        let mut expected = Vec::new();
        for (number, key) in words.iter().enumerate() {
            backend.set_current_key(key).must();
            for namespace in words.iter().skip(number % 3).step_by(2) {
                // Some maps are longer than a listing steps over one by one.
                let size = if number % 4 == 0 { 40 } else { 1 };
                let entries = (0..size).map(|n| (n, n));
                backend.map_in(&map, namespace).must().put_all(entries).must();
                backend.value_in(&value, namespace).must().set(1).must();
                expected.push((key.clone(), namespace.clone()));
            }
        }
        expected.sort();
        assert_eq!(sorted(backend.keys_and_namespaces(&map).must()), expected);
        assert_eq!(sorted(backend.keys_and_namespaces(&value).must()), expected);
        for namespace in &words {
            let keys = expected.iter().filter(|(_, n)| n == namespace);
            let keys: Vec<_> = keys.map(|(key, _)| key.clone()).collect();
            assert_eq!(sorted(backend.keys(&map, namespace).must()), keys);
            assert_eq!(sorted(backend.keys(&value, namespace).must()), keys);
        }
    }
    Outcome::Ran
}

/// G1: state may be changed while keys are visited; the list is as of the call. (48)
pub fn g1_state_may_change_while_keys_are_visited<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_value(&ValueDescriptor::<u64>::new("value")).must();
    for key in 0..500 {
        backend.set_current_key(&key).must();
        backend.value(&id).must().set(key).must();
    }
    let mut visited = Vec::new();
    for key in backend.keys(&id, &()).must() {
        visited.push(key);
        if visited.len() <= 200 {
            backend.set_current_key(&(1000 + key)).must();
            backend.value(&id).must().set(key).must();
        }
    }
    assert!(sorted(visited).into_iter().eq(0..500), "exactly the keys as of the call");
    let mut visited = 0;
    for key in backend.keys(&id, &()).must() {
        backend.set_current_key(&key).must();
        backend.value(&id).must().clear().must();
        visited += 1;
    }
    assert_eq!(visited, 700);
    assert_eq!(backend.keys(&id, &()).must().count(), 0);
    Outcome::Ran
}

/// G1: listing leaves the current key as it was.
pub fn g1_listing_leaves_the_current_key<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    for key in 0..10 {
        backend.set_current_key(&key).must();
        backend.map(&id).must().put(key, key).must();
    }
    backend.set_current_key(&4).must();
    assert_eq!(backend.keys(&id, &()).must().count(), 10);
    assert_eq!(backend.keys_and_namespaces(&id).must().count(), 10);
    assert_eq!(backend.current_key(), Some(&4));
    assert_eq!(backend.map(&id).must().get(&4).must(), Some(4));
    assert_eq!(backend.map(&id).must().get(&5).must(), None);
    Outcome::Ran
}

/// G1: keys are listed state by state.
pub fn g1_keys_are_listed_state_by_state<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let map = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    let other = backend.register_map(&MapDescriptor::<u64, u64>::new("map 2")).must();
    let value = backend.register_value(&ValueDescriptor::<u64>::new("value")).must();
    backend.set_current_key(&1).must();
    backend.map(&map).must().put(1, 1).must();
    backend.set_current_key(&2).must();
    backend.value(&value).must().set(1).must();
    assert_eq!(backend.keys(&map, &()).must().collect::<Vec<_>>(), [1]);
    assert_eq!(backend.keys(&other, &()).must().count(), 0);
    assert_eq!(backend.keys(&value, &()).must().collect::<Vec<_>>(), [2]);
    Outcome::Ran
}
