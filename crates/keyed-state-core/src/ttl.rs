use std::{fmt, time::Duration};

use crate::{Error, ErrorKind, Result, Times};

/// How long a state's entries live after they were last touched.
///
/// Given to a descriptor by its `ttl` method. Applies entry by entry: each entry of a map and each element of a list has
/// its own time; a value, a reduced value and an accumulator have one. An entry is *expired* as soon as
///
/// ```text
/// now >= last touch + duration
/// ```
///
/// where the sum stops at the end of `i64`. To every read an expired entry is absent (contract T1), and after a while it is removed
/// physically (T3): by compaction filters on engines that have them, elsewhere by a bounded cleanup that
/// reading and writing the state drives. A view has one `now`, the time at which it was made.
///
/// ```
/// use std::time::Duration;
///
/// use keyed_state_core::{MapDescriptor, Touch, Ttl};
///
/// let ttl = Ttl::new(Duration::from_secs(3600)).touch(Touch::OnReadAndWrite);
/// let sessions = MapDescriptor::<String, u64>::new("sessions").ttl(ttl);
/// ```
///
/// # Event time
///
/// In [`TimeDomain::Event`], `now` is the backend's watermark, which
/// [`advance_watermark`](crate::KeyedStateBackendExt::advance_watermark) moves. What is touched before the first watermark
/// counts as touched at the first one, so that nothing is born expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ttl {
    /// How long. At least a millisecond; fractions of milliseconds are rounded up, and more than `i64::MAX` milliseconds is
    /// for ever.
    pub duration: Duration,
    /// What prolongs a life.
    pub touch: Touch,
    /// The time that counts.
    pub time: TimeDomain,
}

/// What touches an entry with a [`Ttl`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Touch {
    /// Creating and writing.
    #[default]
    OnWrite,
    /// Creating, writing, and reads of the entry itself: `get`, `contains` (of a key that is there), iterators for what they give,
    /// `first` and `last`. Counting, `is_empty`, `is_set`, `retain`, key listings and merges touch nothing.
    ///
    /// On storage engines a read then costs a write too, which is held back until the next access by another view or a write; iterating
    /// over a map holds all its touched entries in memory until then.
    OnReadAndWrite,
}

/// Which time a state's [`Ttl`] goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeDomain {
    /// The backend's [`Clock`](crate::Clock).
    #[default]
    Processing,
    /// The backend's watermark: expiry is then the same whenever a stream is replayed.
    Event,
}

impl Ttl {
    /// Describes a life of `duration` after each write, in processing time.
    #[must_use]
    pub const fn new(duration: Duration) -> Self {
        Self { duration, touch: Touch::OnWrite, time: TimeDomain::Processing }
    }

    /// Sets what prolongs a life.
    #[must_use]
    pub const fn touch(mut self, touch: Touch) -> Self {
        self.touch = touch;
        self
    }

    /// Sets the time that counts.
    #[must_use]
    pub const fn time(mut self, time: TimeDomain) -> Self {
        self.time = time;
        self
    }

    /// Checks the duration and prepares the rule for use.
    pub(crate) fn checked(self) -> Result<Expiry> {
        let Self { duration, touch, time } = self;
        if duration < Duration::from_millis(1) {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("a TTL must be at least a millisecond, not {duration:?}"),
            ));
        }
        let ms = duration.as_nanos().div_ceil(1_000_000);
        let duration_ms = i64::try_from(ms).unwrap_or(i64::MAX);
        Ok(Expiry { duration_ms, touch, time })
    }
}

/// The rule by which a state's entries expire: a [`Ttl`] that was checked. For backend authors, who find
/// it in [`StateDefinition::expiry`](crate::StateDefinition::expiry).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiry {
    duration_ms: i64,
    touch: Touch,
    time: TimeDomain,
}

impl Expiry {
    /// Returns the rule as of now.
    #[inline]
    #[must_use]
    pub fn now(&self, times: &Times) -> ExpiryNow {
        ExpiryNow {
            now_ms: times.now(self.time),
            first_ms: times.first(self.time),
            duration_ms: self.duration_ms,
            touch_on_read: self.touch == Touch::OnReadAndWrite,
        }
    }
}

impl fmt::Display for Expiry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let touch = match self.touch {
            Touch::OnWrite => "write",
            Touch::OnReadAndWrite => "read or write",
        };
        let time = match self.time {
            TimeDomain::Processing => "processing",
            TimeDomain::Event => "event",
        };
        write!(f, "ttl {} ms after {touch} in {time} time", self.duration_ms)
    }
}

/// An [`Expiry`] at one moment: what a view decides by. For backend authors.
#[derive(Clone, Copy, Debug)]
pub struct ExpiryNow {
    now_ms: i64,
    /// What earlier touches count as.
    first_ms: i64,
    duration_ms: i64,
    touch_on_read: bool,
}

impl ExpiryNow {
    /// Returns the moment, in milliseconds: what a touch is stored as.
    #[inline]
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.now_ms
    }

    /// Returns whether an entry that was last touched at `touched_ms` has expired.
    #[inline]
    #[must_use]
    pub fn is_expired(&self, touched_ms: i64) -> bool {
        self.now_ms >= touched_ms.max(self.first_ms).saturating_add(self.duration_ms)
    }

    /// Returns whether reading an entry that was last touched at `touched_ms` must store a new touch.
    #[inline]
    #[must_use]
    pub fn read_touches(&self, touched_ms: i64) -> bool {
        self.touch_on_read && touched_ms < self.now_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(now_ms: i64, first_ms: i64, duration_ms: i64) -> ExpiryNow {
        ExpiryNow { now_ms, first_ms, duration_ms, touch_on_read: false }
    }

    #[test]
    fn t1_an_entry_expires_exactly_at_its_deadline() {
        assert!(!at(1_099, i64::MIN, 100).is_expired(1_000));
        assert!(at(1_100, i64::MIN, 100).is_expired(1_000));
    }

    #[test]
    fn t1_deadlines_saturate_at_the_ends() {
        assert!(!at(i64::MAX - 1, i64::MIN, i64::MAX).is_expired(1));
        assert!(at(i64::MAX, i64::MIN, i64::MAX).is_expired(1));
        assert!(!at(i64::MIN, i64::MIN, 1).is_expired(i64::MIN));
        assert!(at(i64::MAX, i64::MIN, i64::MAX).is_expired(i64::MIN));
    }

    #[test]
    fn touches_before_the_first_watermark_count_from_it() {
        assert!(!at(1_000, 1_000, 100).is_expired(i64::MIN));
        assert!(at(1_100, 1_000, 100).is_expired(i64::MIN));
    }

    #[test]
    fn f2_durations_are_checked_and_rounded_up() {
        let ms = |duration| Ttl::new(duration).checked().map(|expiry| expiry.duration_ms);
        assert_eq!(ms(Duration::ZERO).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(ms(Duration::from_micros(999)).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(ms(Duration::from_micros(1_001)).unwrap(), 2);
        assert_eq!(ms(Duration::MAX).unwrap(), i64::MAX);
    }
}
