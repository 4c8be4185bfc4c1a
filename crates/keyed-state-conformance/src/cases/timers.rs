//! Timers.

use keyed_state_core::{ErrorKind, KeyedStateBackend, KeyedStateBackendExt, Timer};

use crate::{
    Fixture, Outcome,
    support::{Home, Must},
};

/// Takes all that is due, as (time, key, namespace).
fn due<B: KeyedStateBackend<Key = u64>>(backend: &mut B) -> Vec<(i64, u64, u64)> {
    let mut fired = Vec::new();
    while let Some(Timer { time_ms, key, namespace }) =
        backend.timers::<u64>("timers").must().pop_due().must()
    {
        fired.push((time_ms, key, namespace));
    }
    fired
}

/// W1: a timer registered twice fires once, a removed one never, and `remove` says whether it was there; after firing it may be
/// registered again. (95)
pub fn w1_timers_are_a_set<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    backend.timers::<u64>("timers").must().register(1, &0).must_fail(ErrorKind::NoCurrentKey);
    backend.set_current_key(&7).must();
    let mut timers = backend.timers::<u64>("timers").must();
    for time in [10, 10, 20, 30] {
        timers.register(time, &1).must();
    }
    assert!(timers.remove(20, &1).must());
    assert!(!timers.remove(20, &1).must() && !timers.remove(10, &2).must());
    assert_eq!((timers.len().must(), timers.next_due().must()), (2, Some(10)));
    timers.advance_to(20).must();
    assert_eq!(due(&mut backend), [(10, 7, 1)]);
    backend.timers::<u64>("timers").must().register(10, &1).must();
    assert_eq!(due(&mut backend), [(10, 7, 1)], "registered in the past, it is due at once");
    assert_eq!(backend.timers::<u64>("timers").must().times(&1).must(), [30]);
    backend.timers::<u32>("timers").map(drop).must_fail(ErrorKind::StateMismatch);
    Outcome::Ran
}

/// W2: timers fire by time, negative and extreme ones too; one that is registered meanwhile, up to the current time, fires in the
/// same advance. (94, 98, 102)
pub fn w2_timers_fire_in_order<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let instants = [3, i64::MAX, -5, 7, i64::MIN, 0];
    for (key, time) in (0..).zip(instants) {
        backend.set_current_key(&key).must();
        backend.timers::<u64>("timers").must().register(time, &0).must();
    }
    let mut timers = backend.timers::<u64>("timers").must();
    timers.advance_to(3).must();
    assert_eq!(timers.pop_due().must().map(|timer| timer.time_ms), Some(i64::MIN));
    timers.register(-1, &9).must();
    timers.register(4, &9).must();
    let fired: Vec<i64> = due(&mut backend).into_iter().map(|(time, ..)| time).collect();
    assert_eq!(fired, [-5, -1, 0, 3]);
    backend.timers::<u64>("timers").must().advance_to(-100).must();
    assert_eq!(backend.timers::<u64>("timers").must().current_time(), Some(3));
    backend.timers::<u64>("timers").must().advance_to(i64::MAX).must();
    let fired: Vec<i64> = due(&mut backend).into_iter().map(|(time, ..)| time).collect();
    assert_eq!(fired, [4, 7, i64::MAX]);
    Outcome::Ran
}

/// W1, W2: timers and the time that they have come to are there when opened again. (99, 101)
pub fn w2_timers_survive_closing<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    if !backend.capabilities().durable {
        return Outcome::Skipped(crate::support::NOT_DURABLE);
    }
    for key in 0..50 {
        backend.set_current_key(&key).must();
        backend.timers::<u64>("timers").must().register(100, &(key % 3)).must();
    }
    backend.timers::<u64>("timers").must().advance_to(99).must();
    let before = backend.timers::<u64>("timers").must().all().must();
    let mut backend = home.reopen(fixture, backend);
    let mut timers = backend.timers::<u64>("timers").must();
    assert_eq!(timers.current_time(), Some(99));
    assert_eq!(timers.all().must(), before);
    timers.advance_to(100).must();
    assert_eq!(due(&mut backend).len(), 50);
    Outcome::Ran
}
