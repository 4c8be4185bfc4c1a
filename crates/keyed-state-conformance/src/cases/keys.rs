//! K1 to K5: keys, key groups and registration.

use keyed_state_core::{
    BackendOptions, Encode, ErrorKind, KeyGroupRange, KeyedStateBackend, KeyedStateBackendExt,
    MAX_STATE_NAME_BYTES, MapDescriptor, MapState, MaxParallelism, ValueDescriptor, ValueState,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, entries, groups, sorted, words},
};

fn group_of(groups: MaxParallelism, key: &str) -> u16 {
    let mut bytes = Vec::new();
    key.encode(&mut bytes).must();
    groups.group_of(&bytes)
}

/// K1: without a current key every view is refused, nothing is written, and listing works. (31)
pub fn k1_no_current_key_is_an_error<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let map = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    let value = backend.register_value(&ValueDescriptor::<u64>::new("value")).must();
    assert_eq!(backend.current_key(), None);
    backend.map(&map).map(drop).must_fail(ErrorKind::NoCurrentKey);
    backend.value(&value).map(drop).must_fail(ErrorKind::NoCurrentKey);
    backend.map(&map).and_then(|mut map| map.put(1, 1)).must_fail(ErrorKind::NoCurrentKey);
    backend.value(&value).and_then(|mut value| value.set(1)).must_fail(ErrorKind::NoCurrentKey);
    assert_eq!(backend.keys(&map, &()).must().count(), 0);
    assert_eq!(backend.keys(&value, &()).must().count(), 0);

    backend.set_current_key(&"a".to_owned()).must();
    assert_eq!(backend.current_key(), Some(&"a".to_owned()));
    assert!(backend.map(&map).must().is_empty().must());
    assert_eq!(backend.value(&value).must().get().must(), None);
    Outcome::Ran
}

/// K2: a key of another key group is refused by name of group and range, and the earlier key stays. (30)
pub fn k2_a_key_outside_the_owned_groups_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let owned = KeyGroupRange::new(10, 40).must();
    let mut backend = home.open_with::<F, String>(fixture, BackendOptions::new().key_groups(owned));
    let value = backend.register_value(&ValueDescriptor::<String>::new("value")).must();
    let (mut accepted, mut refused) = (Vec::new(), 0);
    for key in (0..200).map(|number| format!("key {number}")) {
        let group = group_of(backend.options().groups(), &key);
        if owned.contains(group) {
            backend.set_current_key(&key).must();
            backend.value(&value).must().set(key.clone()).must();
            accepted.push(key);
        } else {
            let kind = ErrorKind::KeyGroupNotOwned { group, owned };
            let error = backend.set_current_key(&key).must_fail(kind);
            let text = error.to_string();
            assert!(text.contains(&group.to_string()) && text.contains("10..=40"), "{text}");
            assert_eq!(backend.current_key(), accepted.last());
            if let Some(last) = accepted.last() {
                let found = backend.value(&value).must().get().must();
                assert_eq!(found.as_ref(), Some(last), "the earlier key must stay");
            }
            refused += 1;
        }
    }
    assert!(accepted.len() > 10 && refused > 10, "{} and {refused}", accepted.len());
    assert_eq!(sorted(backend.keys(&value, &()).must()), sorted(accepted));
    Outcome::Ran
}

/// K2: key groups that do not exist cannot be owned.
pub fn k2_owning_groups_that_do_not_exist_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let owned = KeyGroupRange::new(0, 4).must();
    let options = BackendOptions::new().max_parallelism(groups(4)).key_groups(owned);
    let opened = fixture.open::<String>(home.path(), options);
    opened.map(drop).must_fail(ErrorKind::InvalidArgument);
    Outcome::Ran
}

/// K3: registering the same definition again gives the same state.
pub fn k3_the_same_registration_gives_the_same_state<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let map = MapDescriptor::<String, u64, u64>::new("map");
    let value = ValueDescriptor::<u64>::new("value").default_value(7);
    let (first_map, first_value) =
        (backend.register_map(&map).must(), backend.register_value(&value).must());
    let (second_map, second_value) =
        (backend.register_map(&map).must(), backend.register_value(&value).must());
    backend.set_current_key(&"a".to_owned()).must();
    backend.map_in(&first_map, &1).must().put("x".to_owned(), 1).must();
    backend.value(&first_value).must().set(2).must();
    assert_eq!(backend.map_in(&second_map, &1).must().get("x").must(), Some(1));
    assert_eq!(backend.value(&second_value).must().get().must(), Some(2));
    Outcome::Ran
}

/// K3: a taken name is refused to another kind, type, namespace or default, naming both definitions. (63)
pub fn k3_another_definition_of_a_name_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let map = backend.register_map(&MapDescriptor::<String, u64>::new("s")).must();
    backend.register_value(&ValueDescriptor::<u64>::new("v").default_value(1)).must();
    let errors = [
        backend.register_value(&ValueDescriptor::<u64>::new("s")).map(drop),
        backend.register_map(&MapDescriptor::<u64, u64>::new("s")).map(drop),
        backend.register_map(&MapDescriptor::<String, String>::new("s")).map(drop),
        backend.register_map(&MapDescriptor::<String, u64, u64>::new("s")).map(drop),
    ];
    let others = ["value<u64>", "map<u64, u64>", "map<string, string>", "map<string, u64> in u64"];
    for (result, other) in errors.into_iter().zip(others) {
        let text = result.must_fail(ErrorKind::StateMismatch).to_string();
        assert!(text.contains("map<string, u64>") && text.contains(other), "{text}");
    }
    let other_default = ValueDescriptor::<u64>::new("v").default_value(2);
    backend.register_value(&other_default).must_fail(ErrorKind::StateMismatch);
    let no_default = ValueDescriptor::<u64>::new("v");
    backend.register_value(&no_default).must_fail(ErrorKind::StateMismatch);

    backend.set_current_key(&"a".to_owned()).must();
    backend.map(&map).must().put("x".to_owned(), 1).must();
    assert_eq!(entries(&backend.map(&map).must()), [("x".to_owned(), 1)]);
    Outcome::Ran
}

/// K3: ids belong to the backend that issued them.
pub fn k3_an_id_of_another_backend_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    let (home, other_home) = (Home::new(), Home::new());
    let (mut backend, mut other) =
        (home.open::<F, String>(fixture), other_home.open::<F, String>(fixture));
    let map = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    let value = backend.register_value(&ValueDescriptor::<u64>::new("value")).must();
    other.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    other.register_value(&ValueDescriptor::<u64>::new("value")).must();
    other.set_current_key(&"a".to_owned()).must();
    other.map(&map).map(drop).must_fail(ErrorKind::UnknownState);
    other.value(&value).map(drop).must_fail(ErrorKind::UnknownState);
    other.keys(&map, &()).must_fail(ErrorKind::UnknownState);
    other.keys_and_namespaces(&value).must_fail(ErrorKind::UnknownState);
    Outcome::Ran
}

/// K3: names have 1 to 80 bytes and no control characters; all others work and are told apart.
pub fn k3_state_names_are_checked_and_told_apart<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    for bad in [String::new(), "x".repeat(MAX_STATE_NAME_BYTES + 1), "a\0".into(), "a\nb".into()] {
        let map = backend.register_map(&MapDescriptor::<u64, u64>::new(bad.clone()));
        map.must_fail(ErrorKind::InvalidArgument);
        let value = backend.register_value(&ValueDescriptor::<u64>::new(bad));
        value.must_fail(ErrorKind::InvalidArgument);
    }
    let longest = "é".repeat(MAX_STATE_NAME_BYTES / 2);
    let names = ["a", "A", "a b", "a_20b", "a/b", "..", "a.b", "状態", "%", longest.as_str()];
    backend.set_current_key(&"key".to_owned()).must();
    let mut states = Vec::new();
    for (number, name) in names.into_iter().enumerate() {
        let id = backend.register_value(&ValueDescriptor::<u64>::new(name)).must();
        assert_eq!(backend.value(&id).must().get().must(), None, "{name:?} is not new");
        backend.value(&id).must().set(number as u64).must();
        states.push(id);
    }
    for (number, id) in states.iter().enumerate() {
        assert_eq!(
            backend.value(id).must().get().must(),
            Some(number as u64),
            "{:?}",
            names[number]
        );
    }
    Outcome::Ran
}

/// K4: no key and namespace reach into another's map, whatever their bytes: all pairs of words of the alphabet
/// `00 01 61 FF`, at 1, 128 and 32,768 key groups. (4, 23, 25)
pub fn k4_keys_and_namespaces_never_run_into_each_other<F: Fixture>(fixture: &F) -> Outcome {
    let (few, more) = (words(1), words(2));
    let mut pairs: Vec<_> = more.iter().flat_map(|a| few.iter().map(move |b| (a, b))).collect();
    pairs.extend(few.iter().flat_map(|a| more.iter().map(move |b| (a, b))));
    pairs.sort();
    pairs.dedup();
    let long = [vec![0xFF; 4], vec![0x61; 300], vec![0xFF; 300]];
    pairs.extend(long.iter().flat_map(|a| long.iter().map(move |b| (a, b))));

    for parallelism in [1, 128, 32_768] {
        let home = Home::new();
        let options = BackendOptions::new().max_parallelism(groups(parallelism));
        let mut backend = home.open_with::<F, Vec<u8>>(fixture, options);
        let id =
            backend.register_map(&MapDescriptor::<Vec<u8>, Vec<u8>, Vec<u8>>::new("map")).must();
        for (key, namespace) in &pairs {
            backend.set_current_key(key).must();
            let mut map = backend.map_in(&id, namespace).must();
            assert!(map.is_empty().must(), "{key:02x?} {namespace:02x?} sees another's entries");
            map.put((*namespace).clone(), (*key).clone()).must();
        }
        for (key, namespace) in &pairs {
            backend.set_current_key(key).must();
            let expected = [((*namespace).clone(), (*key).clone())];
            assert_eq!(entries(&backend.map_in(&id, namespace).must()), expected);
        }
        // Every other one goes; its neighbours stay.
        for (key, namespace) in pairs.iter().step_by(2) {
            backend.set_current_key(key).must();
            backend.map_in(&id, namespace).must().clear().must();
        }
        for (number, (key, namespace)) in pairs.iter().enumerate() {
            backend.set_current_key(key).must();
            let left = backend.map_in(&id, namespace).must().len().must();
            assert_eq!(left, number % 2, "{key:02x?} {namespace:02x?} of {parallelism} groups");
        }
    }
    Outcome::Ran
}

/// K4: the namespace `a` ends where `a 01 x` goes on; clearing one leaves the other. (23)
pub fn k4_a_namespace_that_begins_another_is_separate<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let id = backend.register_map(&MapDescriptor::<String, u64, String>::new("map")).must();
    let (short, long) = ("a".to_owned(), "a\u{1}x".to_owned());
    backend.set_current_key(&"key".to_owned()).must();
    backend.map_in(&id, &long).must().put("k".to_owned(), 1).must();
    assert!(backend.map_in(&id, &short).must().is_empty().must());
    backend.map_in(&id, &short).must().clear().must();
    assert_eq!(entries(&backend.map_in(&id, &long).must()), [("k".to_owned(), 1)]);
    Outcome::Ran
}

/// K4: the key `key` ends where `key2` goes on; clearing one leaves the other. (25)
pub fn k4_a_key_that_begins_another_is_separate<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open_with::<F, String>(
        fixture,
        // One group, so that no hash keeps the keys apart.
        BackendOptions::new().max_parallelism(MaxParallelism::ONE),
    );
    let map = backend.register_map(&MapDescriptor::<String, u64>::new("map")).must();
    let value = backend.register_value(&ValueDescriptor::<u64>::new("value")).must();
    for key in ["key", "key2"] {
        backend.set_current_key(&key.to_owned()).must();
        backend.map(&map).must().put("2".to_owned(), 1).must();
        backend.value(&value).must().set(1).must();
    }
    backend.set_current_key(&"key".to_owned()).must();
    backend.map(&map).must().clear().must();
    backend.value(&value).must().clear().must();
    assert!(backend.map(&map).must().is_empty().must());
    backend.set_current_key(&"key2".to_owned()).must();
    assert_eq!(entries(&backend.map(&map).must()), [("2".to_owned(), 1)]);
    assert_eq!(backend.value(&value).must().get().must(), Some(1));
    Outcome::Ran
}

/// K5: keys find their groups by XXH3-64 of the encoded key, as in every release.
pub fn k5_key_groups_are_those_of_every_release<F: Fixture>(fixture: &F) -> Outcome {
    // Computed by the reference implementation (PyPI's `xxhash`, bindings to xxHash in C).
    let golden = [("", 5314), ("a", 19_999), ("alice", 5808), ("N14228", 5798)];
    for (key, group) in golden {
        let home = Home::new();
        let owned = KeyGroupRange::new(group, group).must();
        let options = BackendOptions::new().max_parallelism(groups(32_768)).key_groups(owned);
        let mut backend = home.open_with::<F, String>(fixture, options);
        backend.set_current_key(&key.to_owned()).must();
        for (other, group) in golden.into_iter().filter(|(_, other)| *other != group) {
            let kind = ErrorKind::KeyGroupNotOwned { group, owned };
            backend.set_current_key(&other.to_owned()).must_fail(kind);
        }
    }
    Outcome::Ran
}
