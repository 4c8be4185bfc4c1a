//! G1: visiting all keys, and listing those of every kind of state.

use keyed_state_core::{
    Error, ErrorKind, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, MapDescriptor,
    MapState, ValueDescriptor, ValueState,
};

use crate::{
    Fixture, Outcome,
    kinds::every_kind,
    support::{Home, Must, entries, sorted},
};

/// G1: keys of every kind of state are listed once, under their namespaces alone.
pub fn g1_keys_of_every_kind_are_listed<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let kinds = every_kind(&mut backend, "state", None);
    for (first, kind) in (0..).zip(&kinds) {
        for key in first..first + 10 {
            backend.set_current_key(&key).must();
            for namespace in 0..=key % 3 {
                // Several entries where the kind has several.
                (0..20).try_for_each(|_| kind.add(&mut backend, namespace, "x;")).must();
            }
        }
    }
    for (first, kind) in (0..).zip(&kinds) {
        let keys = first..first + 10;
        for namespace in 0..4 {
            let found = kind.keys(&mut backend, namespace).must();
            let expected = keys.clone().filter(|key| namespace <= key % 3);
            assert!(found.into_iter().eq(expected), "{} in {namespace}", kind.name());
        }
        let found = kind.pairs(&mut backend).must();
        let expected = keys.flat_map(|key| (0..=key % 3).map(move |namespace| (key, namespace)));
        assert!(found.into_iter().eq(expected), "{}", kind.name());
    }
    Outcome::Ran
}

/// G1: each key is visited once, as the current one, and the current key is afterwards what it was, or none.
pub fn g1_each_key_is_visited_once_as_the_current_one<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64, u64>::new("map")).must();
    for key in 0..50 {
        backend.set_current_key(&key).must();
        backend.map_in(&id, &(key % 2)).must().put_all((0..30).map(|n| (n, key))).must();
    }
    for before in [None, Some(7), Some(1_000)] {
        match before {
            Some(key) => backend.set_current_key(&key).must(),
            None => backend.unset_current_key(),
        }
        let mut visited = Vec::new();
        backend
            .for_each_key(&id, &1, |backend| {
                let key = *backend.current_key().expect("it is set for each visit");
                assert_eq!(backend.map_in(&id, &1)?.get(&0)?, Some(key));
                visited.push(key);
                Ok(())
            })
            .must();
        assert!(sorted(visited).into_iter().eq((0..50).filter(|key| key % 2 == 1)));
        assert_eq!(backend.current_key(), before.as_ref());
        let view = backend.map_in(&id, &1).and_then(|map| map.len());
        match before {
            None => drop(view.must_fail(ErrorKind::NoCurrentKey)),
            Some(7) => assert_eq!(view.must(), 30),
            Some(_) => assert_eq!(view.must(), 0),
        }
    }
    Outcome::Ran
}

/// G1: an error of a visit ends the walk and reaches the caller; the current key is what it was, or none, then too.
pub fn g1_an_error_ends_the_visits<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_value(&ValueDescriptor::<u64>::new("value")).must();
    for key in 0..10 {
        backend.set_current_key(&key).must();
        backend.value(&id).must().set(0).must();
    }
    for before in [None, Some(4)] {
        match before {
            Some(key) => backend.set_current_key(&key).must(),
            None => backend.unset_current_key(),
        }
        let mut visits = 0;
        let outcome = backend.for_each_key(&id, &(), |backend| {
            visits += 1;
            backend.value(&id)?.set(1)?;
            if visits < 3 { Ok(()) } else { Err(Error::from_function("three are enough")) }
        });
        assert_eq!(outcome.must_fail(ErrorKind::Function).to_string(), "three are enough");
        assert_eq!(visits, 3);
        assert_eq!(backend.current_key(), before.as_ref());
    }
    Outcome::Ran
}

/// G1: a visit may change any state of any key: what it adds is not visited, and a key whose state it took away is visited
/// all the same. (48)
pub fn g1_a_visit_may_change_any_state<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_list(&ListDescriptor::<u64>::new("list")).must();
    let seen = backend.register_map(&MapDescriptor::<u64, u64>::new("seen")).must();
    for key in 0..100 {
        backend.set_current_key(&key).must();
        backend.list(&id).must().add(key).must();
    }
    let mut visits = 0;
    backend
        .for_each_key(&id, &(), |backend| {
            visits += 1;
            let key = *backend.current_key().expect("it is set for each visit");
            backend.list(&id)?.clear()?;
            backend.map(&seen)?.put(0, key)?;
            // A new key, and one that is perhaps still to come, perhaps not.
            for other in [1_000 + key, (key + 50) % 100] {
                backend.set_current_key(&other)?;
                backend.list(&id)?.clear()?;
                if other >= 1_000 {
                    backend.list(&id)?.add(other)?;
                }
            }
            Ok(())
        })
        .must();
    assert_eq!(visits, 100);
    assert_eq!(backend.current_key(), Some(&99));
    assert!(sorted(backend.keys(&id, &()).must()).into_iter().eq(1_000..1_100));
    assert!(sorted(backend.keys(&seen, &()).must()).into_iter().eq(0..100));
    for key in 0..100 {
        backend.set_current_key(&key).must();
        assert_eq!(entries(&backend.map(&seen).must()), [(0, key)]);
    }
    Outcome::Ran
}

/// K1: after the current key was unset, there is none, until it is set again; setting the same one again works.
pub fn k1_an_unset_key_is_no_current_key<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    backend.unset_current_key();
    assert_eq!(backend.current_key(), None);
    let kinds = every_kind(&mut backend, "state", None);
    for key in [5, 6, 5] {
        backend.set_current_key(&key).must();
        for kind in &kinds {
            kind.add(&mut backend, 0, "x;").must();
        }
        backend.unset_current_key();
        assert_eq!(backend.current_key(), None);
        for kind in &kinds {
            kind.read(&mut backend, 0).must_fail(ErrorKind::NoCurrentKey);
            kind.add(&mut backend, 0, "y;").must_fail(ErrorKind::NoCurrentKey);
            kind.clear(&mut backend, 0).must_fail(ErrorKind::NoCurrentKey);
        }
    }
    for (key, expected) in [(5, "x;x;"), (6, "x;")] {
        backend.set_current_key(&key).must();
        for kind in &kinds {
            assert_eq!(kind.read(&mut backend, 0).must(), expected, "{}", kind.name());
        }
    }
    Outcome::Ran
}
