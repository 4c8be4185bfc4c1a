//! Windows as namespaces: what a session operator does, with its state and its timers.

use keyed_state_core::{
    KeyedStateBackend, KeyedStateBackendExt, ReducingDescriptor, ReducingId, Result,
    ValueDescriptor, ValueId, ValueState,
    windows::{TimeWindow, merge_windows},
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must},
};

const KEY: u64 = 1;
const OTHER_KEY: u64 = 2;
const ENDS: &str = "ends of sessions";

type Sum = fn(u64, u64) -> Result<u64>;

/// What a session operator keeps in its fields.
#[derive(Clone, Copy)]
struct Sessions {
    open: ValueId<Vec<TimeWindow>>,
    sum: ReducingId<u64, Sum, TimeWindow>,
}

impl Sessions {
    fn open<B: KeyedStateBackend>(backend: &mut B) -> Self {
        let open = backend.register_value(&ValueDescriptor::new("open windows")).must();
        let sum = ReducingDescriptor::new("sum", (|a, b| Ok(a + b)) as fn(u64, u64) -> _);
        Self { open, sum: backend.register_reducing(&sum).must() }
    }

    /// Takes in an event of the current key that stands for `window` alone.
    fn add<B: KeyedStateBackend>(self, backend: &mut B, window: TimeWindow, value: u64) {
        let mut open = backend.value(&self.open).must().get().must().unwrap_or_default();
        let merge = merge_windows(open.clone(), window);
        backend.merge_reducing(&self.sum, &merge.result, &merge.absorbed).must();
        backend.reducing_in(&self.sum, &merge.result).must().add(value).must();
        open.retain(|other| *other != merge.result && !merge.absorbed.contains(other));
        open.push(merge.result);
        backend.value(&self.open).must().set(open).must();
        let mut ends = backend.timers(ENDS).must();
        for absorbed in &merge.absorbed {
            let removed = ends.remove(absorbed.max_timestamp_ms(), absorbed).must();
            assert!(removed, "the timer of {absorbed}, which is open, must be there");
        }
        ends.register(merge.result.max_timestamp_ms(), &merge.result).must();
    }

    fn sum<B: KeyedStateBackend>(self, backend: &mut B, window: TimeWindow) -> Option<u64> {
        backend.reducing_in(&self.sum, &window).must().get().must()
    }
}

fn window(start_ms: i64, end_ms: i64) -> TimeWindow {
    TimeWindow::new(start_ms, end_ms).must()
}

/// L2, W1: where a late event makes one of two session windows, their state is one, their own namespaces are empty, and of
/// their timers one is left, which fires once. (90)
pub fn l2_w1_joined_sessions_leave_one_window_and_one_timer<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let mut sessions = Sessions::open(&mut backend);
    let [first, second, apart] = [window(0, 10), window(20, 30), window(-10, 0)];
    for key in [KEY, OTHER_KEY] {
        backend.set_current_key(&key).must();
        for (window, value) in [(first, 1), (second, 10), (apart, 1_000)] {
            sessions.add(&mut backend, window, value);
        }
    }
    if backend.capabilities().durable {
        backend = home.reopen(fixture, backend);
        sessions = Sessions::open(&mut backend);
    }
    backend.set_current_key(&KEY).must();
    sessions.add(&mut backend, window(5, 25), 100);

    let joined = window(0, 30);
    assert_eq!(sessions.sum(&mut backend, joined), Some(111), "everything is in the joined window");
    for absorbed in [first, second, window(5, 25)] {
        assert_eq!(sessions.sum(&mut backend, absorbed), None, "{absorbed} was absorbed");
        let times = backend.timers(ENDS).must().times(&absorbed).must();
        assert!(times.is_empty(), "{absorbed} was absorbed, but its timer is there: {times:?}");
    }
    assert_eq!(sessions.sum(&mut backend, apart), Some(1_000), "a window that only touches stays");

    let mut fired = Vec::new();
    backend.timers::<TimeWindow>(ENDS).must().advance_to(i64::MAX).must();
    while let Some(end) = backend.timers::<TimeWindow>(ENDS).must().pop_due().must() {
        backend.set_current_key(&end.key).must();
        fired.push((end.key, end.time_ms, sessions.sum(&mut backend, end.namespace)));
        backend.reducing_in(&sessions.sum, &end.namespace).must().clear().must();
    }
    fired.sort_unstable();
    let expected = [
        (KEY, -1, Some(1_000)),
        (KEY, 29, Some(111)),
        (OTHER_KEY, -1, Some(1_000)),
        (OTHER_KEY, 9, Some(1)),
        (OTHER_KEY, 29, Some(10)),
    ];
    assert_eq!(fired, expected, "each window fires once, with all that is in it");
    let left = backend.keys_and_namespaces(&sessions.sum).must().count();
    assert_eq!(left, 0, "nothing is left once all windows are over");
    Outcome::Ran
}
