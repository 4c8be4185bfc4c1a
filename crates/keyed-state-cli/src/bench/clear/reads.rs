use std::time::Instant;

use fastrand::Rng;
use keyed_state::Result;

use super::{OpenEngine, ReadState, Reads, Store, Workload};
use crate::{
    CliError,
    bench::stats::{median, micros_each},
};

/// Shares of the maps that are cleared.
const PERCENT: [u64; 4] = [0, 1, 10, 50];
const ENTRIES: u64 = 10;

/// Returns how many blocks [`run`] has.
pub(crate) fn steps(workload: &Workload<'_>) -> usize {
    // Filling counts as a block.
    let blocks = 1 + ReadState::ALL.len() * workload.effort.read_rounds;
    PERCENT.len() * blocks * workload.strategies.len()
}

/// Reads maps that live, after a share of all maps was cleared, in each state that the clears pass through.
pub(crate) fn run<E: OpenEngine>(workload: &Workload<'_>) -> Result<Vec<Reads>, CliError> {
    let effort = workload.effort;
    let mut figures = Vec::new();
    for percent in PERCENT {
        let mut stores = workload.stores::<E>()?;
        for (store, contender) in stores.iter_mut().zip(workload.strategies) {
            workload.named(&contender.name, prepare(store, effort.read_maps, percent))?;
            workload.progress.inc(1);
        }
        for state in ReadState::ALL {
            for (store, contender) in stores.iter_mut().zip(workload.strategies) {
                let outcome = match state {
                    ReadState::Memtable => Ok(()),
                    ReadState::Flushed => store.flush(),
                    ReadState::Compacted => store.compact(),
                };
                workload.named(&contender.name, outcome)?;
            }
            let mut blocks = vec![(Vec::new(), Vec::new()); stores.len()];
            for round in 0..effort.read_rounds {
                // All strategies read the same keys.
                let keys = live_keys(percent, round, effort.read_gets, effort.read_maps);
                for turn in workload.turns(round) {
                    let strategy = &workload.strategies[turn].name;
                    let outcome = block(&mut stores[turn], &keys);
                    let (get_ns, iterate_ns, found) = workload.named(strategy, outcome)?;
                    workload.check(strategy, &found, &expected(&keys))?;
                    blocks[turn].0.push(get_ns);
                    blocks[turn].1.push(iterate_ns);
                    workload.progress.inc(1);
                }
            }
            for ((mut get_ns, mut iterate_ns), contender) in
                blocks.into_iter().zip(workload.strategies)
            {
                figures.push(Reads {
                    strategy: contender.name.clone(),
                    state,
                    cleared_percent: percent,
                    get_ns: median(&mut get_ns).unwrap_or_default(),
                    iterate_ns: median(&mut iterate_ns).unwrap_or_default(),
                });
            }
        }
        stores.into_iter().try_for_each(Store::remove)?;
    }
    Ok(figures)
}

fn prepare<E: OpenEngine>(store: &mut Store<E>, maps: u64, percent: u64) -> Result<()> {
    store.fill(0..maps, ENTRIES)?;
    store.flush()?;
    (0..maps).filter(|key| is_cleared(percent, *key)).try_for_each(|key| store.clear(key))
}

/// Whether a map is among those that were cleared: spread over the key space, with others alive all around.
fn is_cleared(percent: u64, key: u64) -> bool {
    match percent {
        0 => false,
        percent => key % (100 / percent) == 100 / percent - 1,
    }
}

fn live_keys(percent: u64, round: usize, count: u64, maps: u64) -> Vec<u64> {
    let mut rng = Rng::with_seed(round as u64);
    let keys = std::iter::repeat_with(|| rng.u64(..maps));
    let live = keys.filter(|key| !is_cleared(percent, *key));
    live.zip(0..count).map(|(key, _)| key).collect()
}

/// Gets an entry of each map, then iterates over each fourth: nanoseconds of each, the sum of the values and the
/// number of entries.
fn block<E: OpenEngine>(store: &mut Store<E>, keys: &[u64]) -> Result<(f64, f64, (u64, u64))> {
    let (mut sum, mut entries) = (0, 0);
    let start = Instant::now();
    for key in keys {
        sum += store.get(*key, key % ENTRIES)?.unwrap_or_default();
    }
    let get_ns = micros_each(start.elapsed(), keys.len() as u64) * 1e3;
    let iterated = || keys.iter().step_by(4);
    let start = Instant::now();
    for key in iterated() {
        entries += store.iterate(*key)?;
    }
    let iterate_ns = micros_each(start.elapsed(), iterated().len() as u64) * 1e3;
    Ok((get_ns, iterate_ns, (sum, entries)))
}

/// Returns the sum of the values and the number of entries that [`block`] must find.
fn expected(keys: &[u64]) -> (u64, u64) {
    (keys.iter().sum(), keys.len().div_ceil(4) as u64 * ENTRIES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_that_is_cleared_is_exact() {
        for percent in PERCENT {
            let cleared = (0..1_000).filter(|key| is_cleared(percent, *key)).count() as u64;
            assert_eq!(cleared, percent * 10);
            let keys = live_keys(percent, 0, 100, 1_000);
            assert!(keys.len() == 100 && keys.iter().all(|key| !is_cleared(percent, *key)));
        }
    }
}
