use std::time::Duration;

use keyed_state_core::{
    ErrorKind, Result,
    windows::{SessionWindows, SlidingWindows, TimeWindow, TumblingWindows},
};
use proptest::prelude::*;

use crate::{times, window};

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Sizes and slides: small ones, any, and the largest.
fn lengths() -> impl Strategy<Value = i64> {
    prop_oneof![1_i64..40, 1..=i64::MAX, (0_i64..40).prop_map(|n| i64::MAX - n)]
}

fn duration(ms: i64) -> Duration {
    Duration::from_millis(ms.unsigned_abs())
}

/// Calculates with numbers that do not overflow: the windows `[offset + n * slide, … + size)` that hold `timestamp`,
/// cut off at the ends. For fewer than two hundred of them.
fn model(timestamp: i64, size: i64, slide: i64, offset: i64) -> Vec<TimeWindow> {
    let [timestamp, size, slide, offset] = [timestamp, size, slide, offset].map(i128::from);
    let last = timestamp - (timestamp - offset).rem_euclid(slide);
    let starts = (0..200).rev().map(|n| last - n * slide);
    let cut = |time: i128| i64::try_from(time.clamp(i64::MIN.into(), i64::MAX.into())).unwrap();
    starts
        .filter(|start| (*start..start + size).contains(&timestamp))
        .map(|start| window(cut(start), cut(start + size)))
        .collect()
}

fn collected(windows: Result<impl Iterator<Item = TimeWindow>>) -> Vec<TimeWindow> {
    windows.unwrap().collect()
}

proptest! {
    #[test]
    fn tumbling_windows_are_those_of_the_model(t in times(), size in lengths(), offset in times()) {
        let assigned = TumblingWindows::new(duration(size)).unwrap().offset_ms(offset).assign(t);
        if t == i64::MAX {
            prop_assert_eq!(assigned.unwrap_err().kind(), ErrorKind::InvalidArgument);
        } else {
            prop_assert_eq!(vec![assigned.unwrap()], model(t, size, size, offset));
        }
    }

    #[test]
    fn sliding_windows_are_those_of_the_model(
        t in times(),
        slide in lengths(),
        slides in 0_i64..90,
        more in 0_i64..40,
        offset in times(),
    ) {
        // Both shorter and longer than the slide, multiples of it and not.
        let size = slide.saturating_mul(slides).saturating_add(more).max(1);
        let windows = SlidingWindows::new(duration(size), duration(slide)).unwrap();
        let assigned = windows.offset_ms(offset).assign(t);
        if t == i64::MAX {
            prop_assert_eq!(assigned.err().unwrap().kind(), ErrorKind::InvalidArgument);
        } else {
            let ascending = collected(assigned);
            prop_assert!(ascending.is_sorted_by(|a, b| a < b), "each window once, in order");
            prop_assert!(ascending.iter().all(|window| window.contains(t)));
            prop_assert_eq!(ascending, model(t, size, slide, offset));
        }
    }

    /// Cutting off at the end of `i64` neither joins nor parts sessions.
    #[test]
    fn sessions_overlap_if_their_events_are_less_than_a_gap_apart(
        a in times(),
        b in times(),
        gap in lengths(),
    ) {
        prop_assume!(a < i64::MAX && b < i64::MAX);
        let sessions = SessionWindows::new(duration(gap)).unwrap();
        let [of_a, of_b] = [a, b].map(|time| sessions.assign(time).unwrap());
        prop_assert_eq!((of_a.start_ms(), of_a.end_ms()), (a, a.saturating_add(gap)));
        prop_assert_eq!(of_a.intersects(of_b), a.abs_diff(b) < gap.unsigned_abs());
    }

    /// Aligned windows are the same for all timestamps within them, also where they are cut off.
    #[test]
    fn every_timestamp_of_a_tumbling_window_is_assigned_to_it(
        t in times(),
        size in lengths(),
        offset in times(),
        part in 0.0..1.0,
    ) {
        prop_assume!(t < i64::MAX);
        let windows = TumblingWindows::new(duration(size)).unwrap().offset_ms(offset);
        let window = windows.assign(t).unwrap();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a draw")]
        #[expect(clippy::cast_precision_loss, reason = "a draw")]
        let within = (window.max_timestamp_ms().abs_diff(window.start_ms()) as f64 * part) as u64;
        let drawn = window.start_ms().saturating_add_unsigned(within);
        for other in [window.start_ms(), drawn.min(window.max_timestamp_ms()), window.max_timestamp_ms()] {
            prop_assert_eq!(windows.assign(other).unwrap(), window);
        }
    }
}

#[test]
fn offsets_count_by_their_remainder() {
    let day = TumblingWindows::new(Duration::from_hours(24)).unwrap();
    let hour = 3_600_000;
    let in_the_east = day.offset_ms(-8 * hour);
    assert_eq!(in_the_east, day.offset_ms(16 * hour));
    assert_eq!(in_the_east.assign(0).unwrap(), window(-8 * hour, 16 * hour));
    assert_eq!(day.offset_ms(48 * hour), day);
    let sliding = SlidingWindows::new(ms(10), ms(4)).unwrap();
    assert_eq!(sliding.offset_ms(-1), sliding.offset_ms(3));
    assert_eq!(collected(sliding.offset_ms(-1).assign(2)), [window(-5, 5), window(-1, 9)]);
}

#[test]
fn a_slide_longer_than_the_size_leaves_gaps() {
    let windows = SlidingWindows::new(ms(3), ms(10)).unwrap();
    assert_eq!(collected(windows.assign(2)), [window(0, 3)]);
    assert!(collected(windows.assign(3)).is_empty());
    assert!(collected(windows.assign(-1)).is_empty());
    assert_eq!(collected(windows.assign(-8)), [window(-10, -7)]);
}

/// F2: however many windows there are, nothing is allocated for them.
#[test]
fn windows_without_number_are_made_one_by_one() {
    let all = SlidingWindows::new(duration(i64::MAX), ms(1)).unwrap().assign(7).unwrap();
    assert_eq!(all.clone().next(), Some(window(7 - i64::MAX + 1, 8)));
    assert_eq!(all.clone().next_back(), Some(window(7, i64::MAX)));
    assert_eq!(all.rev().nth(2), Some(window(5, i64::MAX)));
}

#[test]
fn lengths_are_whole_milliseconds_in_i64() {
    let bad = [
        Duration::ZERO,
        Duration::from_nanos(1),
        Duration::from_micros(1_500),
        Duration::from_millis(i64::MAX as u64 + 1),
        Duration::MAX,
    ];
    for length in bad {
        for refused in [
            TumblingWindows::new(length).err(),
            SlidingWindows::new(length, ms(1)).err(),
            SlidingWindows::new(ms(1), length).err(),
            SessionWindows::new(length).err(),
        ] {
            assert_eq!(refused.unwrap().kind(), ErrorKind::InvalidArgument, "{length:?}");
        }
    }
    let message = SlidingWindows::new(ms(1), Duration::ZERO).unwrap_err().to_string();
    assert!(message.starts_with("the slide of windows must be whole milliseconds"), "{message}");
    assert!(TumblingWindows::new(duration(i64::MAX)).is_ok());
}
