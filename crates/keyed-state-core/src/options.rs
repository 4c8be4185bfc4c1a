use std::sync::Arc;

use crate::{
    ClearStrategy, Clock, Error, ErrorKind, KeyGroupRange, MaxParallelism, Result,
    clock::SharedClock,
};

/// How much memory timers take before they are written to the engine, if nothing else is set.
const DEFAULT_TIMER_MEMORY_BYTES: usize = 64 << 20;

/// How much memory remembering clears may take, if nothing else is set: more than a million of them.
const DEFAULT_CLEAR_MEMORY_BYTES: usize = 64 << 20;

/// Settings that every backend takes, whatever is under it.
///
/// ```
/// use keyed_state_core::{BackendOptions, ClearStrategy, MaxParallelism};
///
/// let options = BackendOptions::new()
///     .max_parallelism(MaxParallelism::new(4096)?)
///     .clear_strategy(ClearStrategy::PointDeletes);
/// assert_eq!(options.owned_key_groups().last(), 4095);
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BackendOptions {
    max_parallelism: MaxParallelism,
    owned: Option<KeyGroupRange>,
    clear_strategy: Option<ClearStrategy>,
    clear_memory_bytes: usize,
    clock: SharedClock,
    timer_memory_bytes: usize,
}

impl Default for BackendOptions {
    fn default() -> Self {
        Self {
            max_parallelism: MaxParallelism::default(),
            owned: None,
            clear_strategy: None,
            clear_memory_bytes: DEFAULT_CLEAR_MEMORY_BYTES,
            clock: SharedClock::default(),
            timer_memory_bytes: DEFAULT_TIMER_MEMORY_BYTES,
        }
    }
}

impl BackendOptions {
    /// Returns the defaults: 128 key groups, all of them owned, the engine's way to clear, the system's clock, 64 MiB each for timers and for
    /// remembering clears.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of key groups. State is only readable under the number that it was written with.
    #[must_use]
    pub fn max_parallelism(mut self, groups: MaxParallelism) -> Self {
        self.max_parallelism = groups;
        self
    }

    /// Sets the key groups that this backend owns; keys of other groups are refused. Default: all.
    #[must_use]
    pub fn key_groups(mut self, owned: KeyGroupRange) -> Self {
        self.owned = Some(owned);
        self
    }

    /// Sets how maps are cleared whose descriptor does not say. Default:
    /// [what suits the engine](ClearStrategy::default_for).
    #[must_use]
    pub fn clear_strategy(mut self, strategy: ClearStrategy) -> Self {
        self.clear_strategy = Some(strategy);
        self
    }

    /// Sets how many bytes of memory may be taken for remembering clears by [`ClearStrategy::Generation`], of all states. 40
    /// to 64 bytes a map are needed, for keys and namespaces of 20 bytes together. Where there is no room left, maps are cleared by
    /// [`Adaptive`](ClearStrategy::Adaptive). Stored clears are loaded whatever room they need.
    #[must_use]
    pub fn clear_memory_bytes(mut self, bytes: usize) -> Self {
        self.clear_memory_bytes = bytes;
        self
    }

    /// Returns how many bytes of memory may be taken for remembering clears.
    #[must_use]
    pub fn max_clear_memory_bytes(&self) -> usize {
        self.clear_memory_bytes
    }

    /// Sets the clock that processing time is taken from. Default: [`SystemClock`](crate::SystemClock).
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = SharedClock(Arc::new(clock));
        self
    }

    /// Sets about how many bytes the timers of all services may take in memory; those that fire last are written to the engine
    /// beyond it. Backends without an engine keep all in memory.
    #[must_use]
    pub fn timer_memory_bytes(mut self, bytes: usize) -> Self {
        self.timer_memory_bytes = bytes;
        self
    }

    /// Returns about how many bytes timers may take in memory.
    #[must_use]
    pub fn max_timer_memory_bytes(&self) -> usize {
        self.timer_memory_bytes
    }

    pub(crate) fn shared_clock(&self) -> SharedClock {
        self.clock.clone()
    }

    /// Returns the number of key groups.
    #[must_use]
    pub fn groups(&self) -> MaxParallelism {
        self.max_parallelism
    }

    /// Returns the key groups that this backend owns.
    #[must_use]
    pub fn owned_key_groups(&self) -> KeyGroupRange {
        self.owned.unwrap_or_else(|| self.max_parallelism.all())
    }

    /// Returns how maps are cleared whose descriptor does not say, if that was set.
    #[must_use]
    pub fn default_clear_strategy(&self) -> Option<ClearStrategy> {
        self.clear_strategy
    }

    /// Checks the settings against each other. For backend authors: call it when opening.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) if a group is owned that does not exist.
    pub fn check(&self) -> Result<()> {
        let (owned, all) = (self.owned_key_groups(), self.max_parallelism.all());
        if owned.last() > all.last() {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                format!(
                    "key groups {owned} cannot be owned: max parallelism {} has only {all}",
                    self.max_parallelism
                ),
            ));
        }
        Ok(())
    }

    /// Returns an error if `group` is not owned. For backend authors.
    ///
    /// # Errors
    ///
    /// [`KeyGroupNotOwned`](ErrorKind::KeyGroupNotOwned).
    pub fn check_owned(&self, group: u16) -> Result<()> {
        let owned = self.owned_key_groups();
        if owned.contains(group) {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::KeyGroupNotOwned { group, owned },
            format!("the key is in key group {group}, but this backend owns {owned}"),
        ))
    }
}
