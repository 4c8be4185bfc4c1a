use std::time::{Duration, Instant};

use super::cpu::CpuTime;

/// Sorts `figures` and returns the middle one, or `None` if there are none.
pub(crate) fn median(figures: &mut [f64]) -> Option<f64> {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied()
}

/// Returns `count` for arithmetic.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}

/// Returns the microseconds of each of `count` operations.
pub(crate) fn micros_each(time: Duration, count: u64) -> f64 {
    time.as_secs_f64() * 1e6 / float(count.max(1))
}

/// Measures the wall clock, and the processor time of all of the process's threads where the system tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    wall: Instant,
    cpu: Option<CpuTime>,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { cpu: CpuTime::of_process(), wall: Instant::now() }
    }

    pub(crate) fn wall(&self) -> Duration {
        self.wall.elapsed()
    }

    pub(crate) fn cpu(&self) -> Option<Duration> {
        Some(CpuTime::of_process()?.since(self.cpu?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_figure() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut []), None);
    }

    #[test]
    fn work_takes_processor_time_where_it_is_known() {
        let watch = Stopwatch::start();
        let mut sum = 0_u64;
        // Until the clock has moved: how fine it is differs from system to system.
        while watch.cpu() == Some(Duration::ZERO) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert_eq!(watch.cpu().is_some(), cfg!(any(target_os = "linux", target_vendor = "apple")));
    }
}
