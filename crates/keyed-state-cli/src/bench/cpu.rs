use std::time::Duration;

/// Processor time that the threads of this process have taken so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuTime(Duration);

impl CpuTime {
    /// Returns `None` where the system does not tell: a figure that is absent, not zero.
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    pub(crate) fn of_process() -> Option<Self> {
        use rustix::time::{ClockId, clock_gettime};

        let time = clock_gettime(ClockId::ProcessCPUTime);
        let (secs, nanos) = (u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?);
        Some(Self(Duration::new(secs, nanos)))
    }

    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    pub(crate) fn of_process() -> Option<Self> {
        None
    }

    pub(crate) fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}
