//! A backend in time, for the cases on TTL.

use std::time::Duration;

use keyed_state_core::{
    BackendOptions, Clock as _, ErrorKind, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor,
    ManualClock, MapDescriptor, TimeDomain, Touch, Ttl, ValueDescriptor,
};

use crate::{
    Fixture, Outcome,
    support::{Home, Must, NO_TTL},
};

/// Both times that a TTL can go by.
pub(crate) const TIMES: [TimeDomain; 2] = [TimeDomain::Processing, TimeDomain::Event];

/// A life of so many milliseconds after each write.
pub(crate) fn ttl(ms: u64) -> Ttl {
    Ttl::new(Duration::from_millis(ms))
}

/// A life of so many milliseconds after each write or read.
pub(crate) fn ttl_by_reads(ms: u64) -> Ttl {
    ttl(ms).touch(Touch::OnReadAndWrite)
}

/// A backend under the key 1, and the clock that it goes by.
pub(crate) struct Stage<F: Fixture> {
    home: Home,
    pub(crate) clock: ManualClock,
    pub(crate) backend: F::Backend<u64>,
}

/// Runs `case` on a new backend, whose clock shows 0. Where states cannot expire, sees that a TTL is refused instead.
#[track_caller]
pub(crate) fn with_ttl<F: Fixture>(fixture: &F, case: impl FnOnce(Stage<F>) -> Outcome) -> Outcome {
    with_ttl_from(fixture, 0, case)
}

/// As [`with_ttl`], with a clock that shows `ms` at first.
#[track_caller]
pub(crate) fn with_ttl_from<F: Fixture>(
    fixture: &F,
    ms: i64,
    case: impl FnOnce(Stage<F>) -> Outcome,
) -> Outcome {
    let (home, clock) = (Home::new(), ManualClock::new(ms));
    let options = BackendOptions::new().clock(clock.clone());
    let mut backend = home.open_with::<F, u64>(fixture, options);
    if backend.capabilities().ttl {
        backend.set_current_key(&1).must();
        return case(Stage { home, clock, backend });
    }
    let map = MapDescriptor::<u64, u64>::new("map").ttl(ttl(1));
    backend.register_map(&map).must_fail(ErrorKind::Unsupported);
    let value = ValueDescriptor::<u64>::new("value").ttl(ttl(1));
    backend.register_value(&value).must_fail(ErrorKind::Unsupported);
    let list = ListDescriptor::<u64>::new("list").ttl(ttl(1));
    backend.register_list(&list).must_fail(ErrorKind::Unsupported);
    // The names are still free.
    backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    Outcome::Skipped(NO_TTL)
}

impl<F: Fixture> Stage<F> {
    /// Sets the clock, back as well as forth, and lends the backend.
    pub(crate) fn at(&mut self, ms: i64) -> &mut F::Backend<u64> {
        self.clock.set(ms);
        &mut self.backend
    }

    /// Moves one of the two times, and lends the backend.
    pub(crate) fn at_time(&mut self, time: TimeDomain, ms: i64) -> &mut F::Backend<u64> {
        match time {
            TimeDomain::Processing => self.clock.set(ms),
            TimeDomain::Event => self.backend.advance_watermark(ms),
        }
        &mut self.backend
    }

    /// Returns one of the two times; 0 where it is not known.
    pub(crate) fn time(&self, time: TimeDomain) -> i64 {
        match time {
            TimeDomain::Processing => self.clock.now_ms(),
            TimeDomain::Event => self.backend.watermark().unwrap_or(0),
        }
    }

    pub(crate) fn is_durable(&self) -> bool {
        self.backend.capabilities().durable
    }

    /// Closes the backend, sets the clock and opens what is left, under the key 1 again.
    #[track_caller]
    pub(crate) fn reopen_at(self, fixture: &F, ms: i64) -> Self {
        let Self { home, clock, backend } = self;
        let options = backend.options().clone();
        backend.close().must();
        clock.set(ms);
        let mut backend = home.open_with::<F, u64>(fixture, options);
        backend.set_current_key(&1).must();
        Self { home, clock, backend }
    }

    /// Does what makes expired entries go away physically: a compaction where compactions remove them, otherwise so many
    /// accesses. Returns whether there is a way to have it done now.
    #[track_caller]
    pub(crate) fn remove_expired(
        &mut self,
        accesses: usize,
        mut access: impl FnMut(&mut F::Backend<u64>),
    ) -> bool {
        let capabilities = self.backend.capabilities();
        match (capabilities.compaction_filter, capabilities.compact) {
            (true, true) => self.backend.compact().must(),
            (true, false) => return false,
            (false, _) => (0..accesses).for_each(|_| access(&mut self.backend)),
        }
        true
    }
}
