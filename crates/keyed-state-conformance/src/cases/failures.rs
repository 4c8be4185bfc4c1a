//! F2: bad input is an error, never a panic, and changes nothing. F1, which needs an engine that fails, is in
//! [`engine_cases::failures`](crate::engine_cases::failures).

use keyed_state_core::{
    ErrorKind, KeyedStateBackend, KeyedStateBackendExt, MAX_KEY_BYTES, MapDescriptor, MapState,
    Result, ValueDescriptor, ValueState,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, entries},
};

/// Passes on the answer to an over-long key: refused as an argument, or accepted by a backend without limit.
#[track_caller]
fn refused<T>(result: Result<T>) -> bool {
    match result {
        Ok(_) => false,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
            true
        }
    }
}

/// F2: a key of more than [`MAX_KEY_BYTES`] is refused and the earlier key stays, or it works.
pub fn f2_a_key_too_long_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, Vec<u8>>(fixture);
    let id = backend.register_value(&ValueDescriptor::<u64>::new("value")).must();
    let (short, long) = (vec![1], vec![0x61; MAX_KEY_BYTES + 1]);
    backend.set_current_key(&short).must();
    backend.value(&id).must().set(1).must();
    if refused(backend.set_current_key(&long)) {
        assert_eq!(backend.current_key(), Some(&short));
        assert_eq!(backend.value(&id).must().get().must(), Some(1));
        assert_eq!(backend.keys(&id, &()).must().collect::<Vec<_>>(), [short]);
    } else {
        backend.value(&id).must().set(2).must();
        assert_eq!(backend.value(&id).must().get().must(), Some(2));
    }
    Outcome::Ran
}

/// F2: a namespace or map key that makes the stored key too long is refused and nothing is written, or it
/// works.
pub fn f2_a_map_key_too_long_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let map = MapDescriptor::<Vec<u8>, u64, Vec<u8>>::new("map");
    let id = backend.register_map(&map).must();
    backend.set_current_key(&1).must();
    let long = vec![0xFF; MAX_KEY_BYTES + 1];
    refused(backend.map_in(&id, &long).map(drop));
    let mut map = backend.map_in(&id, &vec![]).must();
    map.put(vec![1], 1).must();
    let before = [(vec![1], 1)];
    if refused(map.put(long.clone(), 2)) {
        assert_eq!(entries(&map), before);
        assert!(refused(map.put_all([(vec![2], 2), (long.clone(), 2)])));
        assert_eq!(entries(&map), before, "a batch happens wholly or not at all");
        map.put(vec![3], 3).must();
        assert_eq!(map.len().must(), 2);
    } else {
        assert_eq!(map.get(long.as_slice()).must(), Some(2));
        assert_eq!(map.last().must(), Some((long, 2)));
    }
    Outcome::Ran
}

/// F2: keys, namespaces and values up to the limits work, and come back whole.
pub fn f2_everything_up_to_the_limits_works<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, Vec<u8>>(fixture);
    let map = MapDescriptor::<Vec<u8>, Vec<u8>, Vec<u8>>::new("map");
    let id = backend.register_map(&map).must();
    let large = vec![0xA5; 3 << 20];
    // Room for the key group, the generation and the lengths.
    let long = MAX_KEY_BYTES - 64;
    for (number, (key, namespace, user_key)) in
        [(long, 0, 0), (0, long, 0), (0, 0, long), (20_000, 20_000, 20_000)].into_iter().enumerate()
    {
        let (key, namespace) = (vec![0xFF; key], vec![0x00; namespace]);
        let user_key = vec![0x61; user_key];
        backend.set_current_key(&key).must();
        let mut map = backend.map_in(&id, &namespace).must();
        map.put(user_key.clone(), large.clone()).must();
        assert!(map.get(user_key.as_slice()).must().as_ref() == Some(&large), "shape {number}");
        assert!(map.first().must().is_some_and(|(found, _)| found == user_key));
        map.clear().must();
        assert!(map.is_empty().must());
    }
    assert_eq!(backend.keys_and_namespaces(&id).must().count(), 0);
    Outcome::Ran
}
