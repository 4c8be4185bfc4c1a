use std::time::Instant;

use keyed_state::Result;

use super::{Guard, OpenEngine, Store, Workload};
use crate::{
    CliError,
    bench::stats::{median, micros_each},
};

/// Maps that are read and never cleared.
const LIVE: u64 = 1_000;

/// Returns how many blocks [`run`] has.
pub(crate) fn steps(workload: &Workload<'_>) -> usize {
    // Filling takes as long as clearing does.
    (workload.effort.guard_outstanding.len() + 1) * workload.strategies.len()
}

/// Clears map after map and nothing else, and at each number of clears outstanding some with a read elsewhere after
/// each: what a strategy must not do to reads, however long an operator has run.
pub(crate) fn run<E: OpenEngine>(workload: &Workload<'_>) -> Result<Vec<Guard>, CliError> {
    let effort = workload.effort;
    let mut stores = workload.stores::<E>()?;
    let last = effort.guard_outstanding.last().copied().unwrap_or_default();
    for (store, contender) in stores.iter_mut().zip(workload.strategies) {
        workload.named(&contender.name, store.fill(0..last + LIVE, effort.guard_entries))?;
        workload.progress.inc(1);
    }
    let (mut figures, mut cleared) = (Vec::new(), 0);
    for (round, &outstanding) in effort.guard_outstanding.iter().enumerate() {
        for turn in workload.turns(round) {
            let strategy = &workload.strategies[turn].name;
            let pairs_from = outstanding.saturating_sub(effort.guard_pairs).max(cleared);
            let store = &mut stores[turn];
            for key in cleared..pairs_from {
                workload.named(strategy, store.clear(key))?;
            }
            let (mut clears, mut gets) = (Vec::new(), Vec::new());
            for key in pairs_from..outstanding {
                let live = last + key % LIVE;
                let (clear_us, get_us, found) = workload.named(strategy, pair(store, key, live))?;
                workload.check(strategy, &found, &Some(live))?;
                clears.push(clear_us);
                gets.push(get_us);
            }
            figures.push(Guard {
                strategy: strategy.clone(),
                outstanding,
                entries: effort.guard_entries,
                clear_us: median(&mut clears).unwrap_or_default(),
                get_us: median(&mut gets).unwrap_or_default(),
                index: store.remembered().into(),
            });
            workload.progress.inc(1);
        }
        cleared = outstanding;
    }
    stores.into_iter().try_for_each(Store::remove)?;
    Ok(figures)
}

/// Clears one map and reads another: microseconds of each, and what was read.
fn pair<E: OpenEngine>(
    store: &mut Store<E>,
    key: u64,
    live: u64,
) -> Result<(f64, f64, Option<u64>)> {
    let start = Instant::now();
    store.clear(key)?;
    let clear_us = micros_each(start.elapsed(), 1);
    let start = Instant::now();
    let found = store.get(live, 0)?;
    Ok((clear_us, micros_each(start.elapsed(), 1), found))
}
