//! What opening, polling and saving ask of the engine, counted in rows and bytes.

use super::Backend;

const TIMERS: u64 = 100_000;

/// A bucket at its largest, and its share of a catalogue.
const BUCKET_BYTES: u64 = 350 << 10;

fn register(backend: &mut Backend<u64>, times: impl Iterator<Item = u64>) {
    for time in times {
        let time = i64::try_from(time).unwrap();
        backend.at(time.unsigned_abs() % 1000).timers("t").unwrap().register(time, &0_u64).unwrap();
    }
}

/// Fires everything up to `time`.
fn fire(backend: &mut Backend<u64>, time: u64) -> u64 {
    backend.timers::<u64>("t").unwrap().advance_to(i64::try_from(time).unwrap()).unwrap();
    let mut fired = 0;
    while backend.timers::<u64>("t").unwrap().pop_due().unwrap().is_some() {
        fired += 1;
    }
    fired
}

/// Multiplied by an odd number: every number below a power of two once, in no order.
fn scattered(count: u64) -> impl Iterator<Item = u64> {
    let size = count.next_power_of_two();
    (0..size).map(move |n| n.wrapping_mul(0x9E37_79B1) % size).filter(move |n| *n < count)
}

#[test]
fn the_first_poll_is_cheap_however_many_have_fired() {
    for budget_bytes in [0, 64 << 20] {
        let mut backend = Backend::real(budget_bytes);
        register(&mut backend, scattered(TIMERS + 1000));
        assert_eq!(fire(&mut backend, TIMERS - 1), TIMERS);
        backend.reopen().unwrap();
        backend.engine().take_read();
        backend.timers::<u64>("t").unwrap();
        let (rows, bytes) = backend.engine().take_read();
        assert!(rows <= 2 && bytes < 1000, "opening read {rows} rows, {bytes} bytes");
        assert_eq!(fire(&mut backend, TIMERS - 1), 0);
        assert_eq!(
            backend.engine().take_read(),
            (0, 0),
            "nothing is due, which the catalogue tells"
        );
        assert_eq!(fire(&mut backend, TIMERS), 1);
        let (rows, bytes) = backend.engine().take_read();
        assert!(rows <= 8 && bytes < 30_000, "polling read {rows} rows, {bytes} bytes");
        assert!(backend.engine().rows() <= 10, "what has fired takes no room");
    }
}

#[test]
fn the_first_poll_reads_one_bucket_however_many_are_to_come() {
    let mut backend = Backend::real(0);
    register(&mut backend, scattered(2 * TIMERS));
    assert_eq!(fire(&mut backend, TIMERS - 1), TIMERS);
    backend.reopen().unwrap();
    backend.engine().take_read();
    assert_eq!(fire(&mut backend, TIMERS), 1);
    let (_, bytes) = backend.engine().take_read();
    assert!(bytes < BUCKET_BYTES, "{bytes}");
    assert_eq!(backend.timers::<u64>("t").unwrap().len().unwrap(), TIMERS - 1);
}

#[test]
fn saving_writes_what_has_changed() {
    for budget_bytes in [0, 64 << 20] {
        let mut backend = Backend::real(budget_bytes);
        register(&mut backend, scattered(TIMERS));
        backend.save().unwrap();
        let saved = |backend: &mut Backend<u64>| {
            backend.engine.as_mut().unwrap().bytes_written = 0;
            backend.save().unwrap();
            backend.engine().bytes_written
        };
        assert_eq!(saved(&mut backend), 0, "nothing has changed");
        register(&mut backend, [TIMERS / 2, TIMERS].into_iter());
        let bytes = saved(&mut backend);
        assert!(bytes < 3000, "two timers and the catalogue took {bytes} bytes");
    }
}

#[test]
fn many_small_saves_do_not_pile_up_rows() {
    let mut backend = Backend::real(64 << 20);
    for time in scattered(2000) {
        register(&mut backend, [time].into_iter());
        backend.save().unwrap();
    }
    assert!(backend.engine().rows() < 300, "{}", backend.engine().rows());
    backend.reopen().unwrap();
    assert_eq!(fire(&mut backend, 2000), 2000);
}
