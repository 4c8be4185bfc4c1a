//! M5: `clear`, by every strategy.

use keyed_state_core::{
    BackendOptions, ClearStrategy, KeyedStateBackend, KeyedStateBackendExt, MapDescriptor, MapId,
    MapState, MaxParallelism,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, entries, sorted, words},
};

type ByteMap = MapId<Vec<u8>, Vec<u8>, Vec<u8>>;

/// Registers one map state a strategy on one backend of a single key group, and runs `check` on each.
fn with_each_strategy<F: Fixture>(
    fixture: &F,
    mut check: impl FnMut(&mut F::Backend<Vec<u8>>, ByteMap),
) {
    let home = Home::new();
    // One group, so that all maps of a state are neighbours.
    let options = BackendOptions::new().max_parallelism(MaxParallelism::ONE);
    let mut backend = home.open_with::<F, Vec<u8>>(fixture, options);
    for strategy in fixture.strategies() {
        let descriptor = MapDescriptor::new(format!("map {strategy}")).clear_strategy(strategy);
        let id = backend.register_map(&descriptor).must();
        check(&mut backend, id);
    }
}

/// M5: `clear` removes every entry of its map, whatever its size; what is put afterwards is there, and
/// nothing else.
pub fn m5_what_is_put_after_clear_is_there<F: Fixture>(fixture: &F) -> Outcome {
    with_each_strategy(fixture, |backend, id| {
        for size in [0_u8, 1, 2, 3, 127, 128, 129, 255] {
            backend.set_current_key(&vec![size]).must();
            let mut map = backend.map_in(&id, &vec![]).must();
            for round in 0..3 {
                map.put_all((0..size).map(|n| (vec![n], vec![round]))).must();
                map.clear().must();
                assert!(map.is_empty().must(), "{size} entries, round {round}");
                assert_eq!(map.get([0].as_slice()).must(), None);
                map.put(vec![7], vec![round, 1]).must();
                assert_eq!(entries(&map), [(vec![7], vec![round, 1])]);
            }
        }
    });
    Outcome::Ran
}

/// M5: `clear` leaves every other key and namespace as it was, down to the neighbouring byte. (4, 23, 25)
pub fn m5_clear_leaves_every_neighbour<F: Fixture>(fixture: &F) -> Outcome {
    let words = words(2);
    with_each_strategy(fixture, |backend, id| {
        // Each word as key, then as namespace, so that maps with consecutive prefixes stand side by side.
        for swapped in [false, true] {
            let at = |word: &Vec<u8>| {
                let fixed = vec![0xFE, u8::from(swapped)];
                if swapped { (fixed, word.clone()) } else { (word.clone(), fixed) }
            };
            for word in &words {
                let (key, namespace) = at(word);
                backend.set_current_key(&key).must();
                let mut map = backend.map_in(&id, &namespace).must();
                map.put_all([vec![], vec![0x00], vec![0xFF; 3]].map(|k| (k, word.clone()))).must();
            }
            for (cleared, word) in words.iter().enumerate() {
                let (key, namespace) = at(word);
                backend.set_current_key(&key).must();
                backend.map_in(&id, &namespace).must().clear().must();
                // The neighbours in the order of stored keys are among these.
                for (number, other) in words.iter().enumerate() {
                    let near = number.abs_diff(cleared) <= 1 || other.starts_with(word);
                    if !near && number % 5 != 0 {
                        continue;
                    }
                    let (key, namespace) = at(other);
                    backend.set_current_key(&key).must();
                    let left = backend.map_in(&id, &namespace).must().len().must();
                    let expected = if number <= cleared { 0 } else { 3 };
                    assert_eq!(left, expected, "{other:02x?} after {word:02x?} was cleared");
                }
            }
        }
    });
    Outcome::Ran
}

/// M5: `clear` ends where the namespace's last byte cannot be counted up. (4)
pub fn m5_clear_ends_after_trailing_ff_bytes<F: Fixture>(fixture: &F) -> Outcome {
    with_each_strategy(fixture, |backend, id| {
        let spaces = [
            vec![0xFF],
            vec![0xFE],
            vec![0xFF; 4],
            255_u64.to_be_bytes().to_vec(),
            256_u64.to_be_bytes().to_vec(),
            vec![0x61, 0xFF],
            vec![0x62],
            vec![0x62, 0x00],
        ];
        backend.set_current_key(&vec![0xFF; 2]).must();
        for cleared in 0..spaces.len() {
            for space in &spaces {
                backend.map_in(&id, space).must().put(vec![0xFF; 2], space.clone()).must();
            }
            backend.map_in(&id, &spaces[cleared]).must().clear().must();
            for (number, space) in spaces.iter().enumerate() {
                let left = backend.map_in(&id, space).must().len().must();
                assert_eq!(left, usize::from(number != cleared), "namespace {space:02x?}");
            }
        }
    });
    Outcome::Ran
}

/// M5: `clear` leaves other states under the same key and namespace.
pub fn m5_clear_leaves_other_states<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let mut states = Vec::new();
    for strategy in fixture.strategies() {
        for number in 0..2 {
            let name = format!("{strategy} {number}");
            let descriptor = MapDescriptor::<u64, u64>::new(name).clear_strategy(strategy);
            states.push(backend.register_map(&descriptor).must());
        }
    }
    backend.set_current_key(&1).must();
    for id in &states {
        backend.map(id).must().put_all((0..5).map(|n| (n, n))).must();
    }
    for cleared in 0..states.len() {
        backend.map(&states[cleared]).must().clear().must();
        for (number, id) in states.iter().enumerate() {
            let expected = if number <= cleared { 0 } else { 5 };
            assert_eq!(backend.map(id).must().len().must(), expected, "state {number}");
        }
    }
    Outcome::Ran
}

/// M5: a cleared map stays cleared, and what was put since stays, over flush and compaction. (17, 19)
pub fn m5_clear_holds_over_flush_and_compaction<F: Fixture>(fixture: &F) -> Outcome {
    with_each_strategy(fixture, |backend, id| {
        let compact = backend.capabilities().compact;
        for key in 0..40 {
            backend.set_current_key(&vec![key]).must();
            let mut map = backend.map_in(&id, &vec![]).must();
            map.put_all((0..100).map(|n| (vec![n], vec![key, n]))).must();
        }
        backend.flush().must();
        for key in (0..40).filter(|key| key % 4 != 0) {
            backend.set_current_key(&vec![key]).must();
            let mut map = backend.map_in(&id, &vec![]).must();
            map.clear().must();
            if key % 4 == 1 {
                map.put(vec![50], vec![key]).must();
            }
            drop(map);
            if key % 4 == 2 {
                backend.flush().must();
                backend.map_in(&id, &vec![]).must().put(vec![99], vec![key]).must();
            }
        }
        for round in 0..3 {
            for key in 0..40 {
                backend.set_current_key(&vec![key]).must();
                let found = entries(&backend.map_in(&id, &vec![]).must());
                let expected = match key % 4 {
                    0 => (0..100).map(|n| (vec![n], vec![key, n])).collect(),
                    1 => vec![(vec![50], vec![key])],
                    2 => vec![(vec![99], vec![key])],
                    _ => vec![],
                };
                assert_eq!(found, expected, "key {key}, round {round}");
            }
            match round {
                0 => backend.flush().must(),
                1 if compact => backend.compact().must(),
                _ => {}
            }
        }
    });
    Outcome::Ran
}

/// M5: thousands of clears without a flush leave reads right; timing is the benches' matter. (1, 2, 21)
pub fn m5_many_clears_leave_reads_right<F: Fixture>(fixture: &F) -> Outcome {
    with_each_strategy(fixture, |backend, id| {
        let live = vec![0x80];
        backend.set_current_key(&live).must();
        backend.map_in(&id, &vec![]).must().put(vec![1], vec![1]).must();
        for key in 0..2000_u16 {
            backend.set_current_key(&key.to_be_bytes().to_vec()).must();
            let mut map = backend.map_in(&id, &vec![]).must();
            map.put_all((0..3).map(|n| (vec![n], vec![n]))).must();
            map.clear().must();
            let empty = map.is_empty().must();
            drop(map);
            if key % 500 == 0 {
                assert!(empty);
                backend.set_current_key(&live).must();
                assert_eq!(entries(&backend.map_in(&id, &vec![]).must()), [(vec![1], vec![1])]);
            }
        }
        assert_eq!(backend.keys(&id, &vec![]).must().collect::<Vec<_>>(), [live]);
    });
    Outcome::Ran
}

/// M5: the threshold of the adaptive strategy shows nowhere: maps just below, at and above it clear alike.
pub fn m5_the_adaptive_threshold_does_not_show<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    for threshold in [0, 1, 2, 3, 100] {
        let descriptor = MapDescriptor::<u64, u64>::new(format!("map {threshold}"))
            .clear_strategy(ClearStrategy::Adaptive { threshold });
        let id = backend.register_map(&descriptor).must();
        for size in 0..5 {
            backend.set_current_key(&size).must();
            backend.map(&id).must().put_all((0..size).map(|n| (n, n))).must();
        }
        for size in (0..5).step_by(2) {
            backend.set_current_key(&size).must();
            backend.map(&id).must().clear().must();
            assert!(backend.map(&id).must().is_empty().must());
        }
        assert_eq!(sorted(backend.keys(&id, &()).must()), [1, 3], "threshold {threshold}");
    }
    Outcome::Ran
}

/// M5: large values go with a clear too, and one put afterwards is the only one there. (14)
pub fn m5_clear_takes_large_values<F: Fixture>(fixture: &F) -> Outcome {
    with_each_strategy(fixture, |backend, id| {
        backend.set_current_key(&vec![1]).must();
        let mut map = backend.map_in(&id, &vec![]).must();
        for n in 0..50 {
            map.put(vec![n], vec![n; 64 * 1024]).must();
        }
        map.clear().must();
        map.put(vec![7], vec![7; 64 * 1024]).must();
        drop(map);
        if backend.capabilities().compact {
            backend.compact().must();
        }
        let map = backend.map_in(&id, &vec![]).must();
        assert_eq!(entries(&map), [(vec![7], vec![7; 64 * 1024])]);
    });
    Outcome::Ran
}
