use keyed_state::{ClearStrategy, Result};
use tempfile::TempDir;

use super::{Cost, IndexSize, NO_CLEAR, OpenEngine, Store, Workload, workload::turns};
use crate::{
    CliError,
    bench::stats::{Stopwatch, median, micros_each},
};

/// What one strategy took, block by block.
#[derive(Default)]
struct Blocks {
    call_us: Vec<f64>,
    wall_us: Vec<f64>,
    cpu_us: Vec<f64>,
    index: IndexSize,
    index_compacted: IndexSize,
}

/// Returns how many blocks [`run`] has.
pub(crate) fn steps(workload: &Workload<'_>) -> usize {
    let effort = workload.effort;
    effort.cost_entries.len() * effort.cost_rounds * (workload.strategies.len() + 1)
}

/// Clears full maps, each of which has a neighbour that lives; then compacts and closes, so that what a strategy
/// leaves to be done later is counted too. Each block has a database of its own.
///
/// One more contender clears nothing: what compaction and close take in any case.
pub(crate) fn run<E: OpenEngine>(workload: &Workload<'_>) -> Result<Vec<Cost>, CliError> {
    let named = workload.strategies.iter().map(|one| (&*one.name, Some(one.strategy)));
    let contenders: Vec<_> = named.chain([(NO_CLEAR, None)]).collect();
    let mut figures = Vec::new();
    for &entries in &workload.effort.cost_entries {
        let maps = (workload.effort.cost_rows / entries).max(2);
        let mut blocks: Vec<Blocks> = contenders.iter().map(|_| Blocks::default()).collect();
        for round in 0..workload.effort.cost_rounds {
            for turn in turns(contenders.len(), round) {
                let (name, strategy) = contenders[turn];
                let store = workload.store::<E>(strategy.unwrap_or(ClearStrategy::PointDeletes))?;
                let clears = if strategy.is_some() { maps } else { 0 };
                let outcome = block(store, maps, clears, entries, &mut blocks[turn]);
                workload.named(name, outcome)?.close().map_err(CliError::Cleanup)?;
                workload.progress.inc(1);
            }
        }
        figures.extend(contenders.iter().zip(blocks).map(|((name, _), mut blocks)| Cost {
            strategy: (*name).to_owned(),
            entries,
            maps,
            call_us: median(&mut blocks.call_us),
            wall_us: median(&mut blocks.wall_us).unwrap_or_default(),
            cpu_us: median(&mut blocks.cpu_us),
            index: blocks.index,
            index_compacted: blocks.index_compacted,
        }));
    }
    Ok(figures)
}

fn block<E: OpenEngine>(
    mut store: Store<E>,
    maps: u64,
    clears: u64,
    entries: u64,
    blocks: &mut Blocks,
) -> Result<TempDir> {
    store.fill(0..2 * maps, entries)?;
    store.flush()?;
    let watch = Stopwatch::start();
    for map in 0..clears {
        store.clear(2 * map)?;
    }
    if clears > 0 {
        blocks.call_us.push(micros_each(watch.wall(), clears));
    }
    blocks.index = store.remembered().into();
    store.compact()?;
    blocks.index_compacted = store.remembered().into();
    let dir = store.close()?;
    blocks.wall_us.push(micros_each(watch.wall(), maps));
    blocks.cpu_us.extend(watch.cpu().map(|cpu| micros_each(cpu, maps)));
    Ok(dir)
}
