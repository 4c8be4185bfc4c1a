//! M2, M4, M6, M8, M9: what a map is.

use keyed_state_core::{
    KeyedStateBackend, KeyedStateBackendExt, MapDescriptor, MapId, MapState, MapStateExt,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, entries, sorted, words},
};

/// Runs `run` on a new backend with a map, under a key.
pub(super) fn with_map<F: Fixture, T>(
    fixture: &F,
    run: impl FnOnce(&mut F::Backend<String>, MapId<u64, u64>) -> T,
) -> T {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    backend.set_current_key(&"key".to_owned()).must();
    run(&mut backend, id)
}

/// M2: each key and namespace has a map and a value of its own, however access is interleaved.
pub fn m2_a_view_belongs_to_its_key_and_namespace<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let plain = backend.register_map(&MapDescriptor::<u64, u64>::new("plain")).must();
    let spaced = backend.register_map(&MapDescriptor::<u64, u64, u64>::new("spaced")).must();
    for round in 0..3 {
        for key in 0..20 {
            backend.set_current_key(&key).must();
            backend.map(&plain).must().put(round, key).must();
            for namespace in 0..3 {
                backend.map_in(&spaced, &namespace).must().put(round, 10 * key + namespace).must();
            }
        }
    }
    for key in 0..20 {
        let mut scoped = backend.at(&key).must();
        let expected: Vec<_> = (0..3).map(|round| (round, key)).collect();
        assert_eq!(entries(&scoped.map(&plain).must()), expected);
        for namespace in 0..3 {
            let expected: Vec<_> = (0..3).map(|round| (round, 10 * key + namespace)).collect();
            assert_eq!(entries(&scoped.map_in(&spaced, &namespace).must()), expected);
        }
    }
    Outcome::Ran
}

/// M4: a map without entries does not exist: it is not listed, however it became empty.
pub fn m4_a_map_without_entries_does_not_exist<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    for key in 0..8 {
        backend.set_current_key(&key).must();
        let mut map = backend.map(&id).must();
        if key > 1 {
            map.put_all([(1, 1), (2, 2)]).must();
        }
        match key {
            0 => assert!(map.is_empty().must()),
            1 => map.put_all([]).must(),
            2 => map.clear().must(),
            3 => map.remove(&1).and_then(|()| map.remove(&2)).must(),
            4 => map.retain(|_, _| false).must(),
            5 => (1..=2).try_for_each(|n| map.update(n, |_| None)).must(),
            6 => map.remove(&1).must(),
            _ => map.clear().and_then(|()| map.put(3, 3)).must(),
        }
    }
    assert_eq!(sorted(backend.keys(&id, &()).must()), [6, 7]);
    assert_eq!(backend.keys_and_namespaces(&id).must().count(), 2);
    Outcome::Ran
}

/// M4: removing a key leaves the keys that it begins. (25)
pub fn m4_removing_one_key_leaves_those_it_begins<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<Vec<u8>, u64>::new("map")).must();
    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    let keys = words(2);
    for removed in &keys {
        map.put_all(keys.iter().map(|key| (key.clone(), 1))).must();
        map.remove(removed.as_slice()).must();
        let left = entries(&map).into_iter().map(|(key, _)| key);
        let expected = sorted(keys.iter().filter(|key| *key != removed).cloned());
        assert!(left.eq(expected), "{removed:02x?}");
    }
    Outcome::Ran
}

/// M6: `Option` values are values like any other: present and null differ. (56)
pub fn m6_null_is_a_value<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, Option<String>>::new("map")).must();
    backend.set_current_key(&"key".to_owned()).must();
    let mut map = backend.map(&id).must();
    map.put(1, None).must();
    assert!(map.contains(&1).must());
    assert_eq!(map.get(&1).must(), Some(None));
    assert_eq!(map.get(&2).must(), None);
    assert!(!map.is_empty().must());
    map.put(2, Some(String::new())).must();
    let expected = [(1, None), (2, Some(String::new()))];
    assert_eq!(entries(&map), expected);
    map.update(1, |found| {
        assert_eq!(found, Some(None));
        Some(Some("x".to_owned()))
    })
    .must();
    map.remove(&2).must();
    assert_eq!(entries(&map), [(1, Some("x".to_owned()))]);
    Outcome::Ran
}

/// M6: empty keys and empty values are keys and values like any other.
pub fn m6_empty_is_a_key_and_a_value<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, Vec<u8>>(fixture);
    let map = MapDescriptor::<Vec<u8>, Vec<u8>, Vec<u8>>::new("map");
    let id = backend.register_map(&map).must();
    backend.set_current_key(&vec![]).must();
    let mut map = backend.map_in(&id, &vec![]).must();
    map.put(vec![], vec![]).must();
    assert!(map.contains([].as_slice()).must());
    assert_eq!(map.get([].as_slice()).must(), Some(vec![]));
    assert_eq!(entries(&map), [(vec![], vec![])]);
    assert_eq!(map.last().must(), Some((vec![], vec![])));
    map.remove([].as_slice()).must();
    assert!(map.is_empty().must());
    Outcome::Ran
}

/// M8: maps never written, emptied and cleared read alike, by every way of reading. (45)
pub fn m8_absent_emptied_and_cleared_read_alike<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    for key in 0..3 {
        backend.set_current_key(&key).must();
        let mut map = backend.map(&id).must();
        match key {
            0 => {}
            1 => map.put(1, 1).and_then(|()| map.remove(&1)).must(),
            _ => map.put(1, 1).and_then(|()| map.clear()).must(),
        }
        assert_eq!(map.get(&1).must(), None);
        assert!(!map.contains(&1).must());
        assert!(map.iter().must().next().is_none());
        assert!(map.iter().must().next_back().is_none());
        assert!(map.keys().must().next().is_none());
        assert!(map.values().must().next().is_none());
        assert!(map.range(0..=9).must().next().is_none());
        assert!(map.is_empty().must());
        assert_eq!(map.len().must(), 0);
        assert_eq!(map.first().must(), None);
        assert_eq!(map.last().must(), None);
        map.remove(&1).must();
        map.clear().must();
        map.retain(|_, _| false).must();
        assert!(map.is_empty().must());
    }
    Outcome::Ran
}

/// M8: iterators never give entries that were removed before, nor values that were replaced. (50)
pub fn m8_removed_and_replaced_entries_are_never_seen<F: Fixture>(fixture: &F) -> Outcome {
    with_map(fixture, |backend, id| {
        for round in 0..3 {
            let mut map = backend.map(&id).must();
            map.put_all((0..10).map(|n| (n, n))).must();
            map.remove(&3).must();
            map.put(4, 40 + round).must();
            let expected: Vec<_> = (0..10)
                .filter(|n| *n != 3)
                .map(|n| (n, if n == 4 { 40 + round } else { n }))
                .collect();
            assert_eq!(entries(&map), expected);
            assert_eq!(map.get(&3).must(), None);
            drop(map);
            // Once from memory, then from what the flush left.
            backend.flush().must();
            assert_eq!(entries(&backend.map(&id).must()), expected);
        }
    });
    Outcome::Ran
}

/// M9: what happens to a value outside, before or after, does not reach the state. (62)
pub fn m9_values_go_in_and_out_by_ownership<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let id = backend.register_map(&MapDescriptor::<String, Vec<u8>>::new("map")).must();
    backend.set_current_key(&"key".to_owned()).must();
    let mut map = backend.map(&id).must();
    let mut mine = vec![1];
    map.put("x".to_owned(), mine.clone()).must();
    mine.push(2);
    assert_eq!(map.get("x").must(), Some(vec![1]));
    let mut found = map.get("x").must().expect("it was put");
    found.push(3);
    let (_, mut found) = map.first().must().expect("it was put");
    found.push(4);
    assert_eq!(map.get("x").must(), Some(vec![1]));
    Outcome::Ran
}

/// `update` sees what is there and writes what it is given.
pub fn m9_update_reads_and_writes_one_entry<F: Fixture>(fixture: &F) -> Outcome {
    with_map(fixture, |backend, id| {
        let mut map = backend.map(&id).must();
        map.put_all([(1, 10), (2, 20)]).must();
        for (key, before, after) in
            [(1, Some(10), Some(11)), (2, Some(20), None), (3, None, Some(30)), (4, None, None)]
        {
            map.update(key, |found| {
                assert_eq!(found, before);
                after
            })
            .must();
        }
        assert_eq!(entries(&map), [(1, 11), (3, 30)]);
    });
    Outcome::Ran
}
