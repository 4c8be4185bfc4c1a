//! M7: batches happen wholly or not at all.

use keyed_state_core::{
    ErrorKind, KeyedStateBackend, KeyedStateBackendExt, MapDescriptor, MapState,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, Picky, entries, panics, quiet_panic},
};

/// M7: of a key that comes twice in a batch, the last value counts.
pub fn m7_the_last_value_of_a_repeated_key_counts<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    map.put(1, 0).must();
    map.put_all([(1, 1), (2, 2), (1, 3), (2, 4)]).must();
    assert_eq!(entries(&map), [(1, 3), (2, 4)]);
    map.put_all([]).must();
    assert_eq!(entries(&map), [(1, 3), (2, 4)]);
    Outcome::Ran
}

/// M7: a value that cannot be encoded, in the midst of a batch, leaves what was there; a backend that
/// encodes nothing takes the whole batch.
pub fn m7_a_codec_error_in_a_batch_leaves_what_was_there<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, Picky>::new("map")).must();
    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    map.put_all([(1, Picky(1)), (2, Picky(2))]).must();
    let before = entries(&map);
    let batch = [(1, Picky(10)), (2, Picky(Picky::CANNOT_ENCODE)), (3, Picky(30))];
    match map.put_all(batch.clone()) {
        Ok(()) => assert_eq!(entries(&map), batch),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Codec);
            assert_eq!(entries(&map), before);
            map.put(1, Picky(Picky::CANNOT_ENCODE)).must_fail(ErrorKind::Codec);
            assert_eq!(entries(&map), before);
        }
    }
    // Nothing of the failed batch is left to go with a later one.
    map.put_all([(4, Picky(40))]).must();
    assert_eq!(map.get(&4).must(), Some(Picky(40)));
    assert_eq!(map.contains(&3).must(), map.get(&1).must() == Some(Picky(10)));
    Outcome::Ran
}

/// F2: stored bytes that do not decode are an error where they are read, and end an iteration; a backend that
/// encodes nothing reads the value.
pub fn f2_bytes_that_do_not_decode_are_an_error<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, Picky>::new("map")).must();
    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    let bad = Picky(Picky::CANNOT_DECODE);
    map.put_all([(1, Picky(1)), (2, bad.clone()), (3, Picky(3))]).must();
    assert!(map.contains(&2).must());
    match map.get(&2) {
        Ok(found) => assert_eq!(found, Some(bad)),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Codec);
            let mut iter = map.iter().must();
            assert_eq!(iter.next().transpose().must(), Some((1, Picky(1))));
            iter.next().transpose().must_fail(ErrorKind::Codec);
            assert!(iter.next().is_none() && iter.next_back().is_none());
            drop(iter);
            map.retain(|_, _| false).must_fail(ErrorKind::Codec);
            assert_eq!(map.len().must(), 3, "a failed retain must remove nothing");
            map.clear().must();
            assert!(map.is_empty().must());
        }
    }
    Outcome::Ran
}

/// M7: a caller's iterator that panics in the midst of a batch leaves what was there.
pub fn m7_a_panic_in_a_batch_leaves_what_was_there<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    map.put_all([(1, 1), (2, 2)]).must();
    let batch = (1..5).map(|n| if n < 3 { (n, 10 * n) } else { quiet_panic() });
    assert!(panics(|| map.put_all(batch)));
    assert_eq!(entries(&map), [(1, 1), (2, 2)]);
    let keep = |key: &u64, _: &u64| if *key == 1 { false } else { quiet_panic() };
    assert!(panics(|| map.retain(keep)));
    assert_eq!(entries(&map), [(1, 1), (2, 2)]);
    map.put_all([(3, 3)]).must();
    assert_eq!(entries(&map), [(1, 1), (2, 2), (3, 3)]);
    Outcome::Ran
}

/// M7: a large batch is one batch.
pub fn m7_a_large_batch_arrives_whole<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    map.put_all((0..10_000).map(|n| (n, n))).must();
    map.retain(|key, _| key % 2 == 0).must();
    assert_eq!(map.len().must(), 5000);
    assert!(entries(&map).into_iter().eq((0..10_000).step_by(2).map(|n| (n, n))));
    Outcome::Ran
}
