//! Windows: their byte form, which ones a timestamp belongs to, and which ones become one.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod assign;
mod byte_form;
mod merge;

use keyed_state_core::windows::TimeWindow;
use proptest::prelude::*;

fn window(start_ms: i64, end_ms: i64) -> TimeWindow {
    TimeWindow::new(start_ms, end_ms).unwrap()
}

/// Any time, those near both ends and near zero far more often than by chance.
fn times() -> impl Strategy<Value = i64> {
    prop_oneof![
        any::<i64>(),
        -40_i64..40,
        (0_i64..40).prop_map(|n| i64::MIN + n),
        (0_i64..40).prop_map(|n| i64::MAX - n),
    ]
}
