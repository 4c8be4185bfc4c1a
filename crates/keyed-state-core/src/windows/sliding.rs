use std::time::Duration;

use super::{
    TimeWindow,
    span::{check_timestamp, since_start, whole_ms},
};
use crate::Result;

/// Windows of one size, of which one begins every `slide`: a timestamp lies in about size / slide of them.
///
/// Where `slide` divides `size` there are exactly as many; otherwise one more or less, by where the timestamp lies.
/// A `slide` above `size` leaves gaps between the windows, whose timestamps lie in none.
///
/// ```
/// use std::time::Duration;
///
/// use keyed_state_core::windows::{SlidingWindows, TimeWindow};
///
/// let windows = SlidingWindows::new(Duration::from_secs(10), Duration::from_secs(4))?;
/// let of_9_s: Vec<TimeWindow> = windows.assign(9_000)?.collect();
/// assert_eq!(of_9_s, [
///     TimeWindow::new(0, 10_000)?,
///     TimeWindow::new(4_000, 14_000)?,
///     TimeWindow::new(8_000, 18_000)?,
/// ]);
/// assert_eq!(windows.assign(10_000)?.count(), 2);
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "what they share is the unit")]
pub struct SlidingWindows {
    size_ms: i64,
    slide_ms: i64,
    /// From 0 up to the slide.
    offset_ms: i64,
}

impl SlidingWindows {
    /// Describes windows of `size`, begun every `slide`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) unless both are whole milliseconds, from 1 to `i64::MAX`.
    pub fn new(size: Duration, slide: Duration) -> Result<Self> {
        Ok(Self {
            size_ms: whole_ms("the size of windows", size)?,
            slide_ms: whole_ms("the slide of windows", slide)?,
            offset_ms: 0,
        })
    }

    /// Lets a window begin at `offset_ms`. Any number will do, a negative one too: only its remainder by the slide counts.
    #[must_use]
    pub fn offset_ms(self, offset_ms: i64) -> Self {
        Self { offset_ms: offset_ms.rem_euclid(self.slide_ms), ..self }
    }

    /// Returns the windows of a timestamp, in their order.
    ///
    /// They are made as the iterator is asked for them, so that their number costs no memory.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for `i64::MAX`.
    pub fn assign(
        self,
        timestamp_ms: i64,
    ) -> Result<impl DoubleEndedIterator<Item = TimeWindow> + Clone + Send> {
        check_timestamp(timestamp_ms)?;
        let Self { size_ms, slide_ms, offset_ms } = self;
        let since_last_ms = since_start(timestamp_ms, slide_ms, offset_ms);
        // Those that begin no later than the timestamp, and less than the size before it.
        let count =
            if since_last_ms < size_ms { (size_ms - 1 - since_last_ms) / slide_ms + 1 } else { 0 };
        Ok((0..count).rev().map(move |back| {
            // Below the size, as `back < count`, so nothing overflows.
            let since_ms = since_last_ms + back * slide_ms;
            TimeWindow::around(timestamp_ms, since_ms, size_ms - since_ms)
        }))
    }
}
