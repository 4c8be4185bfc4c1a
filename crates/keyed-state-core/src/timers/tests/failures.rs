//! An engine that fails now and then.

use super::Backend;
use crate::{ErrorKind, Result, timers::services::Limits};

#[test]
fn f1_a_timer_whose_registration_failed_is_not_registered() {
    let mut backend = Backend::tiny();
    for time in 0..10 {
        backend.at(1_u64).timers("t").unwrap().register(time, &()).unwrap();
    }
    backend.engine.as_mut().unwrap().fail_after(0);
    let error = backend.timers::<()>("t").unwrap().register(10, &()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Storage);
    assert_eq!(error.to_string(), "timer service \"t\": no space left");
    assert_eq!(backend.timers::<()>("t").unwrap().times(&()).unwrap(), (0..10).collect::<Vec<_>>());
}

/// Repeats `action` until it succeeds. The engine fails at the first call of it, then at the second, and so on.
fn insist<T>(
    backend: &mut Backend<u64>,
    failures: &mut u64,
    mut action: impl FnMut(&mut Backend<u64>) -> Result<T>,
) -> T {
    for calls in 0.. {
        backend.engine.as_mut().unwrap().fail_after(calls);
        match action(backend) {
            Ok(value) => {
                backend.engine.as_mut().unwrap().heal();
                return value;
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::Storage),
        }
        *failures += 1;
    }
    unreachable!("an action makes finitely many calls")
}

#[test]
fn f1_nothing_is_lost_or_doubled_when_every_call_fails_once() {
    let limits = Limits { bucket_bytes: 600, least_bytes: 2000, step_bytes: 1000 };
    let mut backend = Backend::with_limits(limits, 4000);
    backend.current = Some(1_u64);
    let mut failures = 0;
    for n in 0..2000_u64 {
        let time = i64::try_from(n.wrapping_mul(0x9E37_79B9) % 4096).unwrap();
        insist(&mut backend, &mut failures, |b| b.timers("t")?.register(time, &n));
        if n % 500 == 0 {
            insist(&mut backend, &mut failures, Backend::save);
        }
    }
    backend.timers::<u64>("t").unwrap().advance_to(i64::MAX).unwrap();
    let mut fired = Vec::new();
    while let Some(timer) = insist(&mut backend, &mut failures, |b| b.timers::<u64>("t")?.pop_due())
    {
        fired.push(timer.namespace);
    }
    assert!(failures > 1000, "{failures} failures prove little");
    fired.sort_unstable();
    assert!(fired.into_iter().eq(0..2000));
}

#[test]
fn f1_a_failed_save_can_be_repeated_or_go_on() {
    let mut failed = 0;
    for calls in 0..60 {
        let mut backend = Backend::tiny();
        for time in 0..30 {
            for service in ["a", "b"] {
                backend.at(1_u64).timers(service).unwrap().register(time, &()).unwrap();
            }
        }
        backend.engine.as_mut().unwrap().fail_after(calls);
        let mut expected = 30;
        if backend.save().is_err() {
            backend.at(1).timers("a").unwrap().remove(7, &()).unwrap();
            expected = 29;
            failed += 1;
        }
        backend.engine.as_mut().unwrap().heal();
        backend.reopen().unwrap();
        assert_eq!(backend.timers::<()>("a").unwrap().len().unwrap(), expected);
        assert_eq!(backend.timers::<()>("b").unwrap().len().unwrap(), 30);
    }
    assert!((3..60).contains(&failed), "{failed}");
}
