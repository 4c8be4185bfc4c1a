use std::collections::BTreeSet;

use keyed_state_core::windows::{
    SessionWindows, TimeWindow, WindowMerge, merge_windows, merged_windows,
};
use proptest::prelude::*;

use crate::window;

/// Near the end of `i64` or near zero, so close together that most overlap, touch or lie in one another.
fn crowds() -> impl Strategy<Value = Vec<TimeWindow>> {
    let base = prop::sample::select(vec![i64::MIN, -20, i64::MAX - 60]);
    let spans = prop::collection::vec((0_i64..50, 1_i64..10), 0..12);
    (base, spans).prop_map(|(base, spans)| {
        spans.iter().map(|(start, length)| window(base + start, base + start + length)).collect()
    })
}

/// The union of `windows` as a set of milliseconds, cut at every millisecond that no window bridges.
fn model(windows: &[TimeWindow]) -> Vec<WindowMerge> {
    // `true` for a millisecond that lies in the same window as the one before it.
    let mut times: BTreeSet<i64> = BTreeSet::new();
    let mut joined: BTreeSet<i64> = BTreeSet::new();
    for window in windows {
        times.extend(window.start_ms()..window.end_ms());
        joined.extend(window.start_ms() + 1..window.end_ms());
    }
    let mut unions: Vec<(i64, i64)> = Vec::new();
    for time in times {
        match unions.last_mut() {
            Some((_, end)) if joined.contains(&time) => *end = time + 1,
            _ => unions.push((time, time + 1)),
        }
    }
    let distinct: BTreeSet<TimeWindow> = windows.iter().copied().collect();
    unions
        .into_iter()
        .map(|(start, end)| {
            let result = window(start, end);
            let inside =
                |other: &&TimeWindow| **other != result && result.contains(other.start_ms());
            WindowMerge { result, absorbed: distinct.iter().filter(inside).copied().collect() }
        })
        .collect()
}

proptest! {
    #[test]
    fn merged_windows_are_the_union_of_intervals(crowd in crowds()) {
        prop_assert_eq!(merged_windows(crowd.iter().copied()), model(&crowd));
    }

    /// Whatever the open windows, overlapping ones and the new one itself among them.
    #[test]
    fn a_new_window_joins_its_part_of_the_union(crowd in crowds(), new in 0_usize..12) {
        prop_assume!(new < crowd.len());
        let mut open = crowd.clone();
        let new = open.swap_remove(new);
        let all = model(&crowd);
        let mut expected =
            all.into_iter().find(|merge| merge.result.contains(new.start_ms())).unwrap();
        // It brings no state of its own.
        expected.absorbed.retain(|window| open.contains(window));
        prop_assert_eq!(merge_windows(open, new), expected);
    }

    /// What a session operator does, event by event in any order, against sorting all events and cutting at the gaps.
    #[test]
    fn sessions_do_not_depend_on_the_order_of_events(
        events in prop::collection::vec(0_i64..300, 1..40),
        gap in 1_i64..30,
    ) {
        let sessions = SessionWindows::new(std::time::Duration::from_millis(gap.unsigned_abs())).unwrap();
        let mut open: BTreeSet<TimeWindow> = BTreeSet::new();
        for event in &events {
            let merge = merge_windows(open.iter().copied(), sessions.assign(*event).unwrap());
            for absorbed in &merge.absorbed {
                prop_assert!(open.remove(absorbed), "only open windows are absorbed");
            }
            open.insert(merge.result);
        }
        let mut sorted = events;
        sorted.sort_unstable();
        let expected: BTreeSet<TimeWindow> = sorted
            .chunk_by(|before, after| after - before < gap)
            .map(|session| window(session[0], session[session.len() - 1] + gap))
            .collect();
        prop_assert_eq!(open, expected);
    }
}

/// FLINK-26536: a merge that named the wrong windows left timers of sessions that were gone.
#[test]
fn an_event_between_two_sessions_absorbs_both() {
    let open = [window(0, 10), window(20, 30)];
    let merge = merge_windows(open, window(5, 25));
    assert_eq!(merge, WindowMerge { result: window(0, 30), absorbed: open.to_vec() });
}

#[test]
fn windows_that_touch_stay_apart() {
    let open = [window(0, 10), window(20, 30)];
    let alone = WindowMerge { result: window(10, 20), absorbed: vec![] };
    assert_eq!(merge_windows(open, window(10, 20)), alone);
    assert_eq!(merged_windows(open.into_iter().chain([window(10, 20)])).len(), 3);
}

/// Its state is where it belongs already, so there is nothing to move and no timer to delete.
#[test]
fn a_window_that_covers_the_new_one_is_the_result_and_not_absorbed() {
    for new in [window(0, 30), window(5, 25), window(0, 1), window(29, 30)] {
        let merge = merge_windows([window(0, 30), window(40, 50)], new);
        assert_eq!(merge, WindowMerge { result: window(0, 30), absorbed: vec![] });
    }
}

#[test]
fn the_widest_window_absorbs_everything() {
    let open = [window(i64::MIN, i64::MIN + 1), window(-1, 0), window(i64::MAX - 1, i64::MAX)];
    let merge = merge_windows(open, window(i64::MIN, i64::MAX));
    assert_eq!(merge.absorbed, open);
    assert!(merged_windows([]).is_empty());
}
