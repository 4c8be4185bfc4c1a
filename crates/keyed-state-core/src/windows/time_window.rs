use std::fmt;

use crate::{Decode, Encode, Error, ErrorKind, Result, StateKey};

/// The times from `start_ms` on and before `end_ms`: a namespace for the state of one window.
///
/// Never empty. Ordered by start, then by end, and so are its bytes: a map with windows for keys iterates over them in
/// time.
///
/// ```
/// use keyed_state_core::windows::TimeWindow;
///
/// let hour = TimeWindow::new(0, 3_600_000)?;
/// assert!(hour.contains(0) && !hour.contains(3_600_000));
/// assert_eq!(hour.max_timestamp_ms(), 3_599_999);
/// assert!(TimeWindow::new(5, 5).is_err());
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeWindow {
    start_ms: i64,
    end_ms: i64,
}

impl TimeWindow {
    /// Checks a window.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) unless `start_ms < end_ms`.
    pub fn new(start_ms: i64, end_ms: i64) -> Result<Self> {
        Self::checked(start_ms, end_ms, ErrorKind::InvalidArgument)
    }

    /// Returns the window that begins `before_ms` before a timestamp and ends `after_ms` after it, cut off at the ends of
    /// `i64`.
    pub(super) fn around(timestamp_ms: i64, before_ms: i64, after_ms: i64) -> Self {
        debug_assert!(timestamp_ms < i64::MAX && before_ms >= 0 && after_ms > 0);
        Self {
            start_ms: timestamp_ms.saturating_sub(before_ms),
            end_ms: timestamp_ms.saturating_add(after_ms),
        }
    }

    fn checked(start_ms: i64, end_ms: i64, otherwise: ErrorKind) -> Result<Self> {
        if start_ms < end_ms {
            Ok(Self { start_ms, end_ms })
        } else {
            let message =
                format!("a window must end after its start at {start_ms} ms, not at {end_ms} ms");
            Err(Error::new(otherwise, message))
        }
    }

    /// Returns the first millisecond in the window.
    #[must_use]
    pub fn start_ms(self) -> i64 {
        self.start_ms
    }

    /// Returns the first millisecond after the window.
    #[must_use]
    pub fn end_ms(self) -> i64 {
        self.end_ms
    }

    /// Returns the last millisecond in the window: once the watermark is there, the window is complete. The time for its timer.
    #[must_use]
    pub fn max_timestamp_ms(self) -> i64 {
        // Never overflows, since the end is after a start.
        self.end_ms - 1
    }

    /// Returns whether a timestamp lies in the window.
    #[must_use]
    pub fn contains(self, timestamp_ms: i64) -> bool {
        (self.start_ms..self.end_ms).contains(&timestamp_ms)
    }

    /// Returns whether some millisecond is in both windows. Windows that only touch, one's end the other's start, have none.
    #[must_use]
    pub fn intersects(self, other: Self) -> bool {
        self.start_ms < other.end_ms && other.start_ms < self.end_ms
    }

    /// Returns the smallest window that holds both, and with them whatever lies between.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self { start_ms: self.start_ms.min(other.start_ms), end_ms: self.end_ms.max(other.end_ms) }
    }
}

/// Shows `[start, end)`, in milliseconds.
impl fmt::Display for TimeWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {})", self.start_ms, self.end_ms)
    }
}

impl Encode for TimeWindow {
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        self.start_ms.encode(out)?;
        self.end_ms.encode(out)
    }

    // 16 bytes always, so that no escaping is needed.
    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        self.encode(out)
    }
}

impl Decode for TimeWindow {
    fn decode(bytes: &[u8]) -> Result<Self> {
        let (start_ms, end_ms) = <(i64, i64)>::decode(bytes)?;
        Self::checked(start_ms, end_ms, ErrorKind::Codec)
    }

    fn decode_part(input: &mut &[u8]) -> Result<Self> {
        let (start_ms, end_ms) = <(i64, i64)>::decode_part(input)?;
        Self::checked(start_ms, end_ms, ErrorKind::Codec)
    }

    fn schema() -> String {
        "time_window".to_owned()
    }
}

impl StateKey for TimeWindow {}
