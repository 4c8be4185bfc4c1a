use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

/// Tells the processing time, in milliseconds since the Unix epoch.
///
/// Given to a backend by [`BackendOptions::clock`](crate::BackendOptions::clock). It may go back, as the clocks of machines do: the backend
/// remembers the latest time that it was told, and never lets its own go back (contract T4).
///
/// It is asked once for each view of a state with [TTL](crate::Ttl), so it should be quick.
pub trait Clock: Send + Sync {
    /// Returns the time in milliseconds.
    fn now_ms(&self) -> i64;
}

/// The clock of the operating system.
///
/// On Linux the coarse one, which the kernel moves on at each tick, every 1 to 10 ms: it costs a few nanoseconds, where the exact
/// one would cost as much as a read of state on the heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> i64 {
        system_time_ms()
    }
}

#[cfg(target_os = "linux")]
fn system_time_ms() -> i64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::RealtimeCoarse);
    now.tv_sec.saturating_mul(1_000).saturating_add(now.tv_nsec / 1_000_000)
}

#[cfg(not(target_os = "linux"))]
fn system_time_ms() -> i64 {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    #[expect(clippy::disallowed_methods, reason = "this is the clock that is injected")]
    let now = SystemTime::now();
    let ms = |duration: Duration| i64::try_from(duration.as_millis());
    match now.duration_since(UNIX_EPOCH) {
        Ok(since) => ms(since).unwrap_or(i64::MAX),
        Err(before) => ms(before.duration()).map_or(i64::MIN, |ms| -ms),
    }
}

/// A clock that stands still until it is moved: for tests and for replaying a stream.
///
/// Clones share the time.
///
/// ```
/// use keyed_state_core::{BackendOptions, Clock, ManualClock};
///
/// let clock = ManualClock::new(1_000);
/// let options = BackendOptions::new().clock(clock.clone());
/// clock.advance(500);
/// assert_eq!(clock.now_ms(), 1_500);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// Makes a clock that shows `ms`.
    #[must_use]
    pub fn new(ms: i64) -> Self {
        Self(Arc::new(AtomicI64::new(ms)))
    }

    /// Sets the time, back as well as forth.
    pub fn set(&self, ms: i64) {
        self.0.store(ms, Ordering::SeqCst);
    }

    /// Moves the time by `ms`, stopping at the ends of `i64`.
    pub fn advance(&self, ms: i64) {
        self.set(self.now_ms().saturating_add(ms));
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// The clock in a backend's options.
#[derive(Clone)]
pub(crate) struct SharedClock(pub(crate) Arc<dyn Clock>);

impl Default for SharedClock {
    fn default() -> Self {
        Self(Arc::new(SystemClock))
    }
}

impl fmt::Debug for SharedClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {} ms", self.0.now_ms())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_clock_counts_milliseconds_since_the_epoch() {
        // 2020 and 2200: a unit that is a thousand times off lies outside.
        assert!((1_577_836_800_000..7_258_118_400_000).contains(&SystemClock.now_ms()));
    }

    #[test]
    fn a_manual_clock_stops_at_the_ends() {
        let clock = ManualClock::new(i64::MAX - 1);
        clock.advance(5);
        assert_eq!(clock.now_ms(), i64::MAX);
    }
}
