use super::{Strategies, distinct, header, names, rows};
use crate::{
    bench::{
        clear::{ReadState, Reads},
        stats::float,
    },
    report::{Better, Block, Chart, Lines, Scale, Series, Table, compare, short},
};

/// Gets and iterations, in each state.
pub(super) fn blocks(reads: &[Reads], strategies: &Strategies<'_>) -> Vec<Block> {
    let get = |one: &Reads| one.get_ns;
    let iterate = |one: &Reads| one.iterate_ns;
    let mut blocks = Vec::new();
    for state in ReadState::ALL {
        blocks.push(block(reads, strategies, state, "a get", get));
    }
    for state in ReadState::ALL {
        blocks.push(block(reads, strategies, state, "an iteration over 10 entries", iterate));
    }
    blocks
}

fn block(
    reads: &[Reads],
    strategies: &Strategies<'_>,
    state: ReadState,
    what: &str,
    figure: impl Fn(&Reads) -> f64,
) -> Block {
    let shares = distinct(reads.iter().map(|one| one.cleared_percent));
    let find = |share: u64, name: &str| {
        let is_it = |one: &&Reads| {
            (one.state, one.cleared_percent) == (state, share) && one.strategy == name
        };
        reads.iter().find(is_it).map(&figure)
    };
    let names = names(strategies);
    let most = shares.last().copied().unwrap_or_default();
    let figures: Vec<_> =
        names.iter().filter_map(|name| Some((*name, find(most, name)?))).collect();
    let series = strategies.iter().map(|(name, style)| Series {
        name: (*name).to_owned(),
        style: *style,
        points: shares
            .iter()
            .filter_map(|share| Some((float(*share), find(*share, name)?)))
            .collect(),
    });
    let place = match state {
        ReadState::Memtable => "clears in the memtable",
        ReadState::Flushed => "clears flushed",
        ReadState::Compacted => "compacted",
    };
    Block {
        topic: format!("Reads of maps that live, {place}: ns for {what}"),
        finding: format!(
            "{most} % cleared, {place}: {what} takes {}",
            compare(Better::Lower, "ns", &figures)
        ),
        chart: Some(Chart::Lines(Lines {
            x_label: "% of the maps cleared".to_owned(),
            x_scale: Scale::Linear,
            x_ticks: Some(
                shares.iter().filter(|share| **share != 1).map(|share| float(*share)).collect(),
            ),
            y_label: format!("ns for {what}"),
            y_scale: Scale::Linear,
            series: series.collect(),
        })),
        table: Table {
            header: header("cleared", &names),
            rows: rows(
                &shares,
                &names,
                |share| format!("{share} %"),
                |share, name| find(share, name).map(short),
            ),
        },
        in_terminal: true,
    }
}
