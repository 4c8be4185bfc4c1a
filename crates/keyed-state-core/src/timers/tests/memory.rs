//! Budgets, and the sizes of what is written.

use super::Backend;

/// Where a bucket is in memory before it is split or given back.
const SLACK_BYTES: usize = 1 << 20;

fn time(n: u64) -> i64 {
    i64::try_from(n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20).unwrap()
}

#[test]
fn the_budget_holds_while_registering_and_firing() {
    let budget_bytes = 2 << 20;
    let mut backend = Backend::real(budget_bytes);
    let check = |backend: &Backend<u64>| {
        let bytes = backend.context.timers().memory_bytes();
        assert!(bytes <= budget_bytes + SLACK_BYTES, "{bytes} bytes");
    };
    for n in 0..100_000 {
        let service = if n % 3 == 0 { "a" } else { "b" };
        backend.at(n % 100).timers(service).unwrap().register(time(n), &n).unwrap();
        check(&backend);
    }
    for service in ["a", "b"] {
        backend.timers::<u64>(service).unwrap().advance_to(i64::MAX).unwrap();
        let mut last = i64::MIN;
        while let Some(timer) = backend.timers::<u64>(service).unwrap().pop_due().unwrap() {
            assert!(timer.time_ms >= last);
            last = timer.time_ms;
            check(&backend);
        }
    }
    let engine = backend.engine();
    assert!(engine.largest_row_bytes <= 72 << 10, "{}", engine.largest_row_bytes);
    assert!(engine.largest_batch_bytes <= 400 << 10, "{}", engine.largest_batch_bytes);
    assert!(engine.bytes_written < 100_000 * 27 * 4, "{}", engine.bytes_written);
}

#[test]
fn long_timers_keep_the_budget_too() {
    let budget_bytes = 2 << 20;
    let mut backend = Backend::real(budget_bytes);
    let key = vec![7_u8; 20_000];
    for n in 0..500 {
        backend.at(key.clone()).timers("t").unwrap().register(time(n), &n).unwrap();
        let bytes = backend.context.timers().memory_bytes();
        assert!(bytes <= budget_bytes + SLACK_BYTES, "{bytes} bytes");
    }
    assert_eq!(backend.timers::<u64>("t").unwrap().len().unwrap(), 500);
    let stored = backend.engine().bytes_written;
    assert!(stored < 500 * 20_000 * 2, "{stored}");
}

#[test]
fn in_memory_nothing_is_left_of_what_was_fired_or_removed() {
    let mut backend = Backend::in_memory();
    backend.limits = super::Limits::default();
    backend.reopen().unwrap();
    for n in 0..50_000 {
        backend.at(n % 100).timers("t").unwrap().register(time(n), &n).unwrap();
    }
    for n in 0..25_000 {
        assert!(backend.at(n % 100).timers("t").unwrap().remove(time(n), &n).unwrap());
    }
    let mut timers = backend.timers::<u64>("t").unwrap();
    assert_eq!(timers.len().unwrap(), 25_000);
    timers.advance_to(i64::MAX).unwrap();
    while timers.pop_due().unwrap().is_some() {}
    assert_eq!(timers.len().unwrap(), 0);
    assert!(backend.context.timers().memory_bytes() < 1000);
    assert_eq!(backend.context.timers().most(), 0);
}
