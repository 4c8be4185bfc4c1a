use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use crate::{TimeDomain, clock::SharedClock};

/// What a time is before it is known.
const NONE: i64 = i64::MIN;

/// The two times of a backend, in milliseconds: processing time and event time. Neither goes back
/// (contract T4), over closing and restoring included.
///
/// Clones share the times: compaction filters hold one.
#[derive(Clone, Debug)]
pub struct Times(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    clock: SharedClock,
    /// The latest time that the clock has told.
    processing: AtomicI64,
    watermark: AtomicI64,
    first_watermark: AtomicI64,
}

/// What of the [`Times`] survives closing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SavedTimes {
    pub(crate) processing: i64,
    pub(crate) watermark: i64,
    pub(crate) first_watermark: i64,
}

impl Times {
    pub(crate) fn new(clock: SharedClock) -> Self {
        Self(Arc::new(Shared {
            clock,
            processing: AtomicI64::new(NONE),
            watermark: AtomicI64::new(NONE),
            first_watermark: AtomicI64::new(NONE),
        }))
    }

    /// Returns the processing time: the clock's, or the latest that it has told if it went back.
    #[inline]
    #[must_use]
    pub fn processing(&self) -> i64 {
        let told = self.0.clock.0.now_ms();
        let latest = self.0.processing.load(Ordering::Acquire);
        if told <= latest {
            return latest;
        }
        self.0.processing.fetch_max(told, Ordering::AcqRel).max(told)
    }

    /// Returns the watermark, or `None` before the first one.
    #[must_use]
    pub fn watermark(&self) -> Option<i64> {
        Some(self.0.watermark.load(Ordering::Acquire)).filter(|watermark| *watermark != NONE)
    }

    /// Moves the watermark to `to`, unless it is there or further already.
    pub fn advance_watermark(&self, to: i64) {
        if to == NONE {
            return;
        }
        // The first one before the other, so that nobody sees a watermark without a first one.
        let first = &self.0.first_watermark;
        let _ = first.compare_exchange(NONE, to, Ordering::AcqRel, Ordering::Acquire);
        self.0.watermark.fetch_max(to, Ordering::AcqRel);
    }

    /// Returns the time in `domain`; `i64::MIN` where that is the event time and no watermark came yet.
    #[inline]
    #[must_use]
    pub fn now(&self, domain: TimeDomain) -> i64 {
        match domain {
            TimeDomain::Processing => self.processing(),
            TimeDomain::Event => self.0.watermark.load(Ordering::Acquire),
        }
    }

    /// Returns the time that touches from before any time in `domain` count as.
    #[inline]
    pub(crate) fn first(&self, domain: TimeDomain) -> i64 {
        match domain {
            TimeDomain::Processing => NONE,
            TimeDomain::Event => self.0.first_watermark.load(Ordering::Acquire),
        }
    }

    pub(crate) fn save(&self) -> SavedTimes {
        SavedTimes {
            processing: self.processing(),
            watermark: self.0.watermark.load(Ordering::Acquire),
            first_watermark: self.0.first_watermark.load(Ordering::Acquire),
        }
    }

    pub(crate) fn restore(&self, saved: SavedTimes) {
        self.0.processing.fetch_max(saved.processing, Ordering::AcqRel);
        self.0.watermark.store(saved.watermark, Ordering::Release);
        self.0.first_watermark.store(saved.first_watermark, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clock as _, ManualClock};

    fn times(clock: &ManualClock) -> Times {
        Times::new(SharedClock(Arc::new(clock.clone())))
    }

    #[test]
    fn t4_no_time_goes_back() {
        let clock = ManualClock::new(1_000);
        let times = times(&clock);
        assert_eq!(times.processing(), 1_000);
        clock.set(500);
        assert_eq!(times.processing(), 1_000);
        clock.set(1_001);
        assert_eq!(times.processing(), clock.now_ms());

        assert_eq!(times.watermark(), None);
        times.advance_watermark(7);
        times.advance_watermark(-7);
        assert_eq!(times.watermark(), Some(7));
    }

    #[test]
    fn t4_no_time_goes_back_over_a_restore() {
        let clock = ManualClock::new(1_000);
        let before = times(&clock);
        before.advance_watermark(3);
        before.advance_watermark(70);
        let saved = before.save();
        clock.set(10);
        let after = times(&clock);
        after.restore(saved);
        assert_eq!((after.processing(), after.watermark()), (1_000, Some(70)));
        assert_eq!(after.first(TimeDomain::Event), 3);
    }
}
