use std::time::Duration;

use super::{
    TimeWindow,
    span::{check_timestamp, since_start, whole_ms},
};
use crate::Result;

/// Windows of one size, end to end: every timestamp lies in exactly one.
///
/// They begin at the multiples of the size, counted from 1970 where times are; [`offset_ms`](Self::offset_ms) shifts them.
///
/// ```
/// use std::time::Duration;
///
/// use keyed_state_core::windows::{TimeWindow, TumblingWindows};
///
/// let hours = TumblingWindows::new(Duration::from_hours(1))?;
/// assert_eq!(hours.assign(5_000_000)?, TimeWindow::new(3_600_000, 7_200_000)?);
/// assert_eq!(hours.assign(-1)?, TimeWindow::new(-3_600_000, 0)?);
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TumblingWindows {
    size_ms: i64,
    /// From 0 up to the size.
    offset_ms: i64,
}

impl TumblingWindows {
    /// Describes windows of `size`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) unless `size` is whole milliseconds, from 1 to `i64::MAX`.
    pub fn new(size: Duration) -> Result<Self> {
        Ok(Self { size_ms: whole_ms("the size of windows", size)?, offset_ms: 0 })
    }

    /// Lets a window begin at `offset_ms`. Any number will do, a negative one too: only its remainder by the size counts.
    ///
    /// Days that begin at midnight eight hours east of Greenwich have the offset −8 hours.
    #[must_use]
    pub fn offset_ms(self, offset_ms: i64) -> Self {
        Self { offset_ms: offset_ms.rem_euclid(self.size_ms), ..self }
    }

    /// Returns the window of a timestamp.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for `i64::MAX`.
    pub fn assign(self, timestamp_ms: i64) -> Result<TimeWindow> {
        check_timestamp(timestamp_ms)?;
        let since_ms = since_start(timestamp_ms, self.size_ms, self.offset_ms);
        Ok(TimeWindow::around(timestamp_ms, since_ms, self.size_ms - since_ms))
    }
}
