use std::iter;

use keyed_state_core::{Decode, Encode, ErrorKind, codec_suite, windows::TimeWindow};
use proptest::prelude::*;

use crate::{times, window};

codec_suite!(laws: TimeWindow, {
    let ends = [i64::MIN, i64::MIN + 1, -256, -1, 0, 1, 255, 256, i64::MAX - 1, i64::MAX];
    ends.into_iter()
        .flat_map(move |start| ends.map(|end| (start, end)))
        .filter(|(start, end)| start < end)
        .map(|(start, end)| window(start, end))
});

/// As in the table of byte forms. Stored windows must be readable for ever: if this fails, the code is wrong.
#[test]
fn golden_bytes() {
    for (window, expected) in [
        (window(0, 1), "80000000000000008000000000000001"),
        (window(-2, 3_600_000), "7ffffffffffffffe800000000036ee80"),
        (window(i64::MIN, i64::MAX), "0000000000000000ffffffffffffffff"),
    ] {
        for encode in [TimeWindow::encode, TimeWindow::encode_part] {
            let mut bytes = Vec::new();
            encode(&window, &mut bytes).unwrap();
            let hex = bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
            assert_eq!(hex, expected, "{window}");
            assert_eq!(TimeWindow::decode(&bytes).unwrap(), window);
        }
    }
    assert_eq!(TimeWindow::schema(), "time_window");
}

#[test]
fn a_window_ends_after_its_start() {
    for (start_ms, end_ms) in [(0, 0), (1, 0), (i64::MAX, i64::MAX), (i64::MAX, i64::MIN)] {
        let error = TimeWindow::new(start_ms, end_ms).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let message = error.to_string();
        for named in [start_ms, end_ms] {
            assert!(message.contains(&named.to_string()), "{message}");
        }
        let mut stored = Vec::new();
        (start_ms, end_ms).encode(&mut stored).unwrap();
        assert_eq!(TimeWindow::decode(&stored).unwrap_err().kind(), ErrorKind::Codec);
        let part = TimeWindow::decode_part(&mut stored.as_slice());
        assert_eq!(part.unwrap_err().kind(), ErrorKind::Codec);
    }
    let widest = window(i64::MIN, i64::MAX);
    assert_eq!(widest.max_timestamp_ms(), i64::MAX - 1);
    assert_eq!(window(i64::MIN, i64::MIN + 1).max_timestamp_ms(), i64::MIN);
    assert_eq!(window(-5, 7).to_string(), "[-5, 7)");
}

fn windows() -> impl Strategy<Value = TimeWindow> {
    (times(), times())
        .prop_filter_map("an empty window", |(start, end)| TimeWindow::new(start, end).ok())
}

proptest! {
    /// Two windows intersect if the later start is in both; the cover holds the bounds of both and no more.
    #[test]
    fn intersects_and_cover_go_by_the_times_inside(a in windows(), b in windows()) {
        let later_start = a.start_ms().max(b.start_ms());
        prop_assert_eq!(a.intersects(b), a.contains(later_start) && b.contains(later_start));
        prop_assert_eq!(a.intersects(b), b.intersects(a));
        let cover = a.cover(b);
        prop_assert_eq!(cover, b.cover(a));
        for inside in [a, b] {
            prop_assert!(cover.contains(inside.start_ms()));
            prop_assert!(cover.contains(inside.max_timestamp_ms()));
        }
        prop_assert!(iter::chain([a], [b]).any(|w| w.start_ms() == cover.start_ms()));
        prop_assert!(iter::chain([a], [b]).any(|w| w.end_ms() == cover.end_ms()));
    }
}
