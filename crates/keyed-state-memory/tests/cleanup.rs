//! The cleanup of what has expired rests while nothing can have expired, and wakes in time.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::time::Duration;

use keyed_state_core::{
    BackendOptions, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, ListId, ManualClock,
    Ttl,
};
use keyed_state_memory::MemoryBackend;

const KEYS: u64 = 500;

type Id = ListId<u64, u64>;

/// A list for each key under the namespace 0, written at the time 0, and a cleanup that has seen them all.
fn at_rest() -> (MemoryBackend<u64>, Id, ManualClock) {
    let clock = ManualClock::new(0);
    let options = BackendOptions::new().clock(clock.clone());
    let mut backend = MemoryBackend::open(options).unwrap();
    let ttl = Ttl::new(Duration::from_millis(100));
    let id = backend.register_list(&ListDescriptor::new("list").ttl(ttl)).unwrap();
    for key in 0..KEYS {
        backend.set_current_key(&key).unwrap();
        backend.list_in(&id, &0).unwrap().add(key).unwrap();
    }
    access(&mut backend, &id);
    (backend, id, clock)
}

/// Makes accesses enough for the cleanup to look at everything twice.
fn access(backend: &mut MemoryBackend<u64>, id: &Id) {
    backend.set_current_key(&0).unwrap();
    for _ in 0..16 * KEYS {
        assert!(backend.list_in(id, &9).unwrap().is_empty().unwrap());
    }
}

#[test]
fn t3_what_expires_after_a_rest_is_removed() {
    let (mut backend, id, clock) = at_rest();
    clock.set(99);
    access(&mut backend, &id);
    assert_eq!(backend.expired_entries(&id).unwrap(), 0);
    clock.set(100);
    assert_eq!(backend.expired_entries(&id).unwrap(), KEYS);
    access(&mut backend, &id);
    assert_eq!(backend.expired_entries(&id).unwrap(), 0);
}

/// Leaves one old element, moved `moves` times to and fro, before the walk of the cleanup and behind it.
fn removed_in_its_time(moves: u64) {
    let (mut backend, id, clock) = at_rest();
    clock.set(100);
    access(&mut backend, &id);
    backend.set_current_key(&1).unwrap();
    backend.list_in(&id, &0).unwrap().add(7).unwrap();
    clock.set(150);
    for key in 0..KEYS {
        backend.set_current_key(&key).unwrap();
        backend.list_in(&id, &1).unwrap().add(8).unwrap();
    }
    backend.set_current_key(&1).unwrap();
    for step in 0..moves {
        backend.merge_lists(&id, &(2 + (step + 1) % 16), &[0, 2 + step % 16]).unwrap();
        for _ in 0..37 {
            assert!(backend.list_in(&id, &99).unwrap().is_empty().unwrap());
        }
    }
    access(&mut backend, &id);
    clock.set(200);
    assert_eq!(backend.expired_entries(&id).unwrap(), 1);
    access(&mut backend, &id);
    assert_eq!(backend.expired_entries(&id).unwrap(), 0, "after {moves} moves");
}

#[test]
fn t3_what_a_merge_moves_past_the_cleanup_is_removed_in_its_time() {
    (0..40).for_each(removed_in_its_time);
}
