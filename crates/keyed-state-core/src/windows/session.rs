use std::time::Duration;

use super::{
    TimeWindow,
    span::{check_timestamp, whole_ms},
};
use crate::Result;

/// Windows that last as long as events follow one another in less than `gap`.
///
/// An event alone is a session from its timestamp to a gap later. Sessions that overlap are one session:
/// [`merge_windows`](super::merge_windows) merges them as events come in, in any order. So events are in one session exactly if
/// they are linked by events *less* than a gap apart; a gap or more between two neighbours separates them. This is Apache Beam's
/// rule. Flink merges sessions that only touch as well, so that there a gap exactly does not separate.
///
/// ```
/// use std::time::Duration;
///
/// use keyed_state_core::windows::{SessionWindows, TimeWindow, merge_windows};
///
/// let sessions = SessionWindows::new(Duration::from_secs(30))?;
/// let first = sessions.assign(100_000)?;
/// assert_eq!(first, TimeWindow::new(100_000, 130_000)?);
/// assert_eq!(merge_windows([first], sessions.assign(129_999)?).result.end_ms(), 159_999);
/// assert!(!first.intersects(sessions.assign(130_000)?));
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionWindows {
    gap_ms: i64,
}

impl SessionWindows {
    /// Describes sessions that `gap` without events ends.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) unless `gap` is whole milliseconds, from 1 to `i64::MAX`.
    pub fn new(gap: Duration) -> Result<Self> {
        Ok(Self { gap_ms: whole_ms("the gap between sessions", gap)? })
    }

    /// Returns the session of an event that is alone.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for `i64::MAX`.
    pub fn assign(self, timestamp_ms: i64) -> Result<TimeWindow> {
        check_timestamp(timestamp_ms)?;
        Ok(TimeWindow::around(timestamp_ms, 0, self.gap_ms))
    }
}
