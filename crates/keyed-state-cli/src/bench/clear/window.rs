use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use fastrand::Rng;
use keyed_state::Result;

use super::{OpenEngine, Store, Window, WindowKeys, Workload};
use crate::{
    CliError,
    bench::stats::{float, median},
};

const ENTRIES: [u64; 2] = [10, 100];
const LIVE_ENTRIES: u64 = 10;
const REUSED_KEYS: u64 = 1_000;
const GETS: u64 = 10;
/// How many loops pass between looks at what is remembered of clears.
const LOOK_EVERY: u64 = 64;

/// One strategy's loop, which is interrupted so that the others have their turns.
struct Loop<E> {
    store: Store<E>,
    rng: Rng,
    loops: u64,
    loops_per_s: Vec<f64>,
    longest: Duration,
}

/// Returns how many blocks [`run`] has.
pub(crate) fn steps(workload: &Workload<'_>) -> usize {
    2 * ENTRIES.len() * workload.effort.window_slices * workload.strategies.len()
}

/// A window operator's life: fill a map, read elsewhere, iterate, clear; loops a second, slice by slice.
pub(crate) fn run<E: OpenEngine>(workload: &Workload<'_>) -> Result<Vec<Window>, CliError> {
    let mut figures = Vec::new();
    for keys in [WindowKeys::Fresh, WindowKeys::Reused] {
        for entries in ENTRIES {
            figures.extend(variant::<E>(workload, keys, entries)?);
        }
    }
    Ok(figures)
}

fn variant<E: OpenEngine>(
    workload: &Workload<'_>,
    keys: WindowKeys,
    entries: u64,
) -> Result<Vec<Window>, CliError> {
    let effort = workload.effort;
    let mut loops = Vec::new();
    for (mut store, contender) in workload.stores::<E>()?.into_iter().zip(workload.strategies) {
        workload.named(&contender.name, store.fill(0..effort.window_live, LIVE_ENTRIES))?;
        let (rng, loops_per_s) = (Rng::with_seed(1), Vec::new());
        loops.push(Loop { store, rng, loops: 0, loops_per_s, longest: Duration::ZERO });
    }
    for slice in 0..effort.window_slices {
        for turn in workload.turns(slice) {
            let one = &mut loops[turn];
            let counted = one.run_slice(effort.window_slice(), effort.window_live, keys, entries);
            let strategy = &workload.strategies[turn].name;
            workload.check(strategy, &workload.named(strategy, counted)?, &entries)?;
            workload.progress.inc(1);
        }
    }
    let mut figures = Vec::new();
    for (one, contender) in loops.into_iter().zip(workload.strategies) {
        let Loop { mut store, loops_per_s, longest, .. } = one;
        let index = store.remembered().into();
        workload.named(&contender.name, store.compact())?;
        figures.push(Window {
            strategy: contender.name.clone(),
            keys,
            entries,
            slice_s: effort.window_slice_s,
            median_loops_per_s: median(&mut loops_per_s.clone()).unwrap_or_default(),
            loops_per_s,
            max_pause_ms: longest.as_secs_f64() * 1e3,
            index_peak_bytes: store.peak_bytes(),
            index,
            index_compacted: store.remembered().into(),
        });
        store.remove()?;
    }
    Ok(figures)
}

impl<E: OpenEngine> Loop<E> {
    /// Loops until `time` is over, once at least. Returns how many entries an iteration found that did not find
    /// `entries`, or `entries`.
    fn run_slice(
        &mut self,
        time: Duration,
        live: u64,
        keys: WindowKeys,
        entries: u64,
    ) -> Result<u64> {
        let (start, first) = (Instant::now(), self.loops);
        loop {
            let before = Instant::now();
            let key = live
                + match keys {
                    WindowKeys::Fresh => self.loops,
                    WindowKeys::Reused => self.loops % REUSED_KEYS,
                };
            self.store.fill([key], entries)?;
            for _ in 0..GETS {
                black_box(self.store.get(self.rng.u64(..live), 3)?);
            }
            let found = self.store.iterate(key)?;
            self.store.clear(key)?;
            self.longest = self.longest.max(before.elapsed());
            self.loops += 1;
            if self.loops.is_multiple_of(LOOK_EVERY) {
                self.store.remembered();
            }
            if found != entries {
                return Ok(found);
            }
            let elapsed = start.elapsed();
            if elapsed >= time {
                self.loops_per_s.push(float(self.loops - first) / elapsed.as_secs_f64());
                return Ok(entries);
            }
        }
    }
}
