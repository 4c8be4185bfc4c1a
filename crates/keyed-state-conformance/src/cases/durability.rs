//! What closing, opening again, flushing and compacting must do, and what undeclared capabilities must answer.

use keyed_state_core::{
    BackendOptions, ErrorKind, KeyGroupRange, KeyedStateBackend, KeyedStateBackendExt,
    MapDescriptor, MapState, ValueDescriptor, ValueState,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, NO_COMPACTION, NOT_DURABLE, entries, groups, sorted},
};

fn is_durable<F: Fixture>(fixture: &F) -> bool {
    Home::new().open::<F, u64>(fixture).capabilities().durable
}

/// What a closed backend held is there when it is opened again, and there is no current key. Without
/// `durable` nothing is there.
pub fn closing_keeps_everything<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let durable = backend.capabilities().durable;
    let map = MapDescriptor::<String, u64, u64>::new("map");
    let value = ValueDescriptor::<String>::new("value").default_value("none".to_owned());
    for round in 0..3_u64 {
        let map = backend.register_map(&map).must();
        let value = backend.register_value(&value).must();
        backend.value(&value).map(drop).must_fail(ErrorKind::NoCurrentKey);
        for key in 0..10 {
            backend.set_current_key(&key).must();
            let found = entries(&backend.map_in(&map, &1).must());
            let expected = (0..if durable { round } else { 0 }).map(|n| (n.to_string(), n + key));
            assert!(found.into_iter().eq(expected), "round {round}");
            backend.map_in(&map, &1).must().put(round.to_string(), round + key).must();
            let expected = match round {
                _ if !durable => "none".to_owned(),
                0 => "none".to_owned(),
                _ => (round - 1).to_string(),
            };
            assert_eq!(backend.value(&value).must().get().must(), Some(expected));
            backend.value(&value).must().set(round.to_string()).must();
        }
        backend = home.reopen(fixture, backend);
    }
    if durable { Outcome::Ran } else { Outcome::Skipped(NOT_DURABLE) }
}

/// What was removed or cleared stays so when opened again, flushed before or not. (13)
pub fn closing_keeps_removals_and_clears<F: Fixture>(fixture: &F) -> Outcome {
    if !is_durable(fixture) {
        return Outcome::Skipped(NOT_DURABLE);
    }
    for flushes in [false, true] {
        let home = Home::new();
        let mut backend = home.open::<F, u64>(fixture);
        let descriptors: Vec<_> = fixture
            .strategies()
            .into_iter()
            .map(|s| MapDescriptor::<u64, u64>::new(s.to_string()).clear_strategy(s))
            .collect();
        let value = ValueDescriptor::<u64>::new("value");
        let value_id = backend.register_value(&value).must();
        for descriptor in &descriptors {
            let id = backend.register_map(descriptor).must();
            for key in 0..4 {
                backend.set_current_key(&key).must();
                backend.map(&id).must().put_all((0..10).map(|n| (n, n))).must();
                backend.value(&value_id).must().set(key).must();
            }
        }
        if flushes {
            backend.flush().must();
        }
        for descriptor in &descriptors {
            let id = backend.register_map(descriptor).must();
            for key in 1..4 {
                backend.set_current_key(&key).must();
                backend.value(&value_id).must().clear().must();
                let mut map = backend.map(&id).must();
                match key {
                    1 => map.clear().must(),
                    2 => map.clear().and_then(|()| map.put(5, 50)).must(),
                    _ => map.remove(&5).must(),
                }
            }
        }
        // Twice, so that what the first opening rewrites is looked at as well.
        for _ in 0..2 {
            backend = home.reopen(fixture, backend);
            let value_id = backend.register_value(&value).must();
            assert_eq!(backend.keys(&value_id, &()).must().collect::<Vec<_>>(), [0]);
            for descriptor in &descriptors {
                let id = backend.register_map(descriptor).must();
                for key in 0..4 {
                    backend.set_current_key(&key).must();
                    let found = entries(&backend.map(&id).must());
                    let all = (0..10).map(|n| (n, n));
                    let expected: Vec<_> = match key {
                        0 => all.collect(),
                        1 => vec![],
                        2 => vec![(5, 50)],
                        _ => all.filter(|(n, _)| *n != 5).collect(),
                    };
                    assert_eq!(found, expected, "{descriptor:?}, key {key}");
                }
                assert_eq!(sorted(backend.keys(&id, &()).must()), [0, 2, 3]);
            }
        }
        backend.close().must();
    }
    Outcome::Ran
}

/// What was replaced is new when opened again, flushed before or not.
pub fn closing_keeps_the_newest_values<F: Fixture>(fixture: &F) -> Outcome {
    if !is_durable(fixture) {
        return Outcome::Skipped(NOT_DURABLE);
    }
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let map = MapDescriptor::<u64, String>::new("map");
    for round in 0..4 {
        let id = backend.register_map(&map).must();
        backend.set_current_key(&1).must();
        if round > 0 {
            let expected = (0..5).map(|n| (n, format!("{n} of round {}", round - 1)));
            assert!(entries(&backend.map(&id).must()).into_iter().eq(expected));
        }
        for n in 0..5 {
            backend.map(&id).must().put(n, "stale".to_owned()).must();
        }
        if round % 2 == 1 {
            backend.flush().must();
        }
        for n in 0..5 {
            backend.map(&id).must().put(n, format!("{n} of round {round}")).must();
        }
        backend = home.reopen(fixture, backend);
    }
    Outcome::Ran
}

/// Stored state is refused to another max parallelism, naming both, instead of losing keys. (29, 108)
pub fn another_max_parallelism_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    if !is_durable(fixture) {
        return Outcome::Skipped(NOT_DURABLE);
    }
    let home = Home::new();
    let value = ValueDescriptor::<u64>::new("value");
    let options = BackendOptions::new().max_parallelism(groups(128));
    let mut backend = home.open_with::<F, u64>(fixture, options.clone());
    let id = backend.register_value(&value).must();
    for key in 0..50 {
        backend.set_current_key(&key).must();
        backend.value(&id).must().set(key).must();
    }
    backend.close().must();
    for other in [64, 200] {
        let options = BackendOptions::new().max_parallelism(groups(other));
        let opened = fixture.open::<u64>(home.path(), options).map(drop);
        let text = opened.must_fail(ErrorKind::Incompatible).to_string();
        assert!(text.contains("128") && text.contains(&other.to_string()), "{text}");
    }
    let mut backend = home.open_with::<F, u64>(fixture, options);
    let id = backend.register_value(&value).must();
    assert_eq!(backend.keys(&id, &()).must().count(), 50, "a refused opening changes nothing");
    Outcome::Ran
}

/// Stored state is refused to another key type and to other key groups. (32)
pub fn another_key_type_or_range_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    if !is_durable(fixture) {
        return Outcome::Skipped(NOT_DURABLE);
    }
    let home = Home::new();
    home.open::<F, u64>(fixture).close().must();
    let options = BackendOptions::new();
    let opened = fixture.open::<String>(home.path(), options.clone()).map(drop);
    let text = opened.must_fail(ErrorKind::Incompatible).to_string();
    assert!(text.contains("u64") && text.contains("string"), "{text}");
    let half = options.key_groups(KeyGroupRange::new(0, 63).must());
    fixture.open::<u64>(home.path(), half).map(drop).must_fail(ErrorKind::Incompatible);
    home.open::<F, u64>(fixture).close().must();
    Outcome::Ran
}

/// K3: a stored state is refused to another definition after opening again, naming both. (63)
pub fn k3_another_definition_of_a_stored_state_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    if !is_durable(fixture) {
        return Outcome::Skipped(NOT_DURABLE);
    }
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    backend.register_map(&MapDescriptor::<String, u64>::new("s")).must();
    let mut backend = home.reopen(fixture, backend);
    let errors = [
        backend.register_value(&ValueDescriptor::<u64>::new("s")).map(drop),
        backend.register_map(&MapDescriptor::<u64, u64>::new("s")).map(drop),
        backend.register_map(&MapDescriptor::<String, u64, u64>::new("s")).map(drop),
    ];
    let others = ["value<u64>", "map<u64, u64>", "map<string, u64> in u64"];
    for (result, other) in errors.into_iter().zip(others) {
        let text = result.must_fail(ErrorKind::StateMismatch).to_string();
        assert!(text.contains("map<string, u64>") && text.contains(other), "{text}");
    }
    backend.register_map(&MapDescriptor::<String, u64>::new("s")).must();
    Outcome::Ran
}

/// F3: state that was not closed is refused, since its parts may be of different ages.
pub fn f3_what_was_not_closed_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    if !is_durable(fixture) {
        return Outcome::Skipped(NOT_DURABLE);
    }
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let value = ValueDescriptor::<u64>::new("value");
    let id = backend.register_value(&value).must();
    backend.set_current_key(&1).must();
    backend.value(&id).must().set(1).must();
    backend.flush().must();
    drop(backend);
    for _ in 0..2 {
        let opened = fixture.open::<u64>(home.path(), BackendOptions::new()).map(drop);
        opened.must_fail(ErrorKind::NotCleanlyClosed);
    }

    // Also if an earlier opening was closed.
    let home = Home::new();
    home.open::<F, u64>(fixture).close().must();
    drop(home.open::<F, u64>(fixture));
    let opened = fixture.open::<u64>(home.path(), BackendOptions::new()).map(drop);
    opened.must_fail(ErrorKind::NotCleanlyClosed);
    Outcome::Ran
}

/// F2: a directory that another handle holds is refused, and the holder goes on.
pub fn f2_a_directory_that_is_held_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    if !is_durable(fixture) {
        return Outcome::Skipped(NOT_DURABLE);
    }
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_value(&ValueDescriptor::<u64>::new("value")).must();
    backend.set_current_key(&1).must();
    backend.value(&id).must().set(1).must();
    let second = fixture.open::<u64>(home.path(), BackendOptions::new()).map(drop);
    second.must_fail(ErrorKind::Locked);
    assert_eq!(backend.value(&id).must().get().must(), Some(1));
    let mut backend = home.reopen(fixture, backend);
    let id = backend.register_value(&ValueDescriptor::<u64>::new("value")).must();
    assert_eq!(backend.keys(&id, &()).must().count(), 1);
    Outcome::Ran
}

/// `flush` works on every backend and changes nothing that is read.
pub fn flush_changes_nothing_that_is_read<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    backend.flush().must();
    let map = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    backend.flush().must();
    for key in 0..20 {
        backend.set_current_key(&key).must();
        backend.map(&map).must().put_all((0..10).map(|n| (n, key))).must();
        backend.map(&map).must().remove(&(key % 10)).must();
        backend.flush().must();
        let expected = (0..10).filter(|n| *n != key % 10).map(|n| (n, key));
        assert!(entries(&backend.map(&map).must()).into_iter().eq(expected));
    }
    assert_eq!(sorted(backend.keys(&map, &()).must()).len(), 20);
    Outcome::Ran
}

/// `compact` changes nothing that is read: what was removed stays so. (19) Undeclared it answers
/// `Unsupported`.
pub fn compact_changes_nothing_that_is_read<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    if !backend.capabilities().compact {
        backend.compact().must_fail(ErrorKind::Unsupported);
        return Outcome::Skipped(NO_COMPACTION);
    }
    backend.compact().must();
    let map = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    let value = backend.register_value(&ValueDescriptor::<u64>::new("value")).must();
    for round in 0..3 {
        for key in 0..10 {
            backend.set_current_key(&key).must();
            let mut state = backend.map(&map).must();
            state.put_all((0..50).map(|n| (n, round))).must();
            state.remove(&(key + round)).must();
            drop(state);
            backend.value(&value).must().set(round).must();
            if key % 2 == 0 {
                backend.value(&value).must().clear().must();
            }
        }
        backend.compact().must();
        for key in 0..10 {
            backend.set_current_key(&key).must();
            let expected = (0..50).filter(|n| *n != key + round).map(|n| (n, round));
            assert!(entries(&backend.map(&map).must()).into_iter().eq(expected));
            let expected = (key % 2 == 1).then_some(round);
            assert_eq!(backend.value(&value).must().get().must(), expected);
        }
    }
    Outcome::Ran
}

/// Capabilities are declared once: they do not change while state comes and goes.
pub fn capabilities_never_change<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let declared = backend.capabilities();
    let map = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    backend.set_current_key(&1).must();
    backend.map(&map).must().put(1, 1).must();
    backend.flush().must();
    assert_eq!(backend.capabilities(), declared);
    assert_eq!(home.reopen(fixture, backend).capabilities(), declared);
    Outcome::Ran
}
