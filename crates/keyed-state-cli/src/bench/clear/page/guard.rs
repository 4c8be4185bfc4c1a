use super::{Strategies, bytes, distinct, float as size, grouped, header, names, rows};
use crate::{
    bench::{clear::Guard, stats::float},
    report::{Better, Block, Chart, Lines, Scale, Series, Table, compare, short},
};

/// The read after a clear, and what is remembered of the clears.
pub(super) fn blocks(guard: &[Guard], strategies: &Strategies<'_>) -> Vec<Block> {
    vec![gets(guard, strategies), index(guard, strategies)]
}

fn find<'a>(guard: &'a [Guard], outstanding: u64, name: &str) -> Option<&'a Guard> {
    guard.iter().find(|one| one.outstanding == outstanding && one.strategy == name)
}

fn lines(
    guard: &[Guard],
    strategies: &Strategies<'_>,
    y_label: &str,
    figure: impl Fn(&Guard) -> f64,
) -> Chart {
    let line = |name: &str| {
        let own = guard.iter().filter(|one| one.strategy == name);
        let points = own.map(|one| (float(one.outstanding), figure(one)));
        points.filter(|(_, y)| *y > 0.0).collect::<Vec<_>>()
    };
    let series = strategies.iter().filter_map(|(name, style)| {
        let points = line(name);
        let is_there = !points.is_empty();
        is_there.then(|| Series { name: (*name).to_owned(), style: *style, points })
    });
    Chart::Lines(Lines {
        x_label: "clears outstanding".to_owned(),
        x_scale: Scale::Log,
        x_ticks: None,
        y_label: y_label.to_owned(),
        y_scale: Scale::Log,
        series: series.collect(),
    })
}

fn gets(guard: &[Guard], strategies: &Strategies<'_>) -> Block {
    let counts = distinct(guard.iter().map(|one| one.outstanding));
    let names = names(strategies);
    let last = counts.last().copied().unwrap_or_default();
    let figures: Vec<_> =
        names.iter().filter_map(|name| Some((*name, find(guard, last, name)?.get_us))).collect();
    Block {
        topic: "One get of another map right after a clear, with that many clears outstanding: µs. A clear that \
                touches the engine leaves its caches warm for the get; what counts is how a line rises"
            .to_owned(),
        finding: format!(
            "A get after {} clears: {}",
            grouped(last),
            compare(Better::Lower, "µs", &figures)
        ),
        chart: Some(lines(guard, strategies, "µs a get", |one| one.get_us)),
        table: Table {
            header: header("clears", &names),
            rows: rows(&counts, &names, grouped, |outstanding, name| {
                find(guard, outstanding, name).map(|one| short(one.get_us))
            }),
        },
        in_terminal: true,
    }
}

fn index(guard: &[Guard], strategies: &Strategies<'_>) -> Block {
    let counts = distinct(guard.iter().map(|one| one.outstanding));
    let names = names(strategies);
    let most = guard.iter().max_by_key(|one| one.index.bytes).filter(|one| one.index.maps > 0);
    Block {
        topic: "Memory that remembering clears takes, by clears outstanding".to_owned(),
        finding: match most {
            Some(most) => format!(
                "{} remembers {} cleared maps in {}, {} bytes each",
                most.strategy,
                grouped(most.index.maps as u64),
                bytes(most.index.bytes),
                short(size(most.index.bytes) / size(most.index.maps))
            ),
            None => "No memory was taken to remember clears".to_owned(),
        },
        chart: most
            .is_some()
            .then(|| lines(guard, strategies, "bytes", |one| size(one.index.bytes))),
        table: Table {
            header: header("clears", &names),
            rows: rows(&counts, &names, grouped, |outstanding, name| {
                find(guard, outstanding, name).map(|one| bytes(one.index.bytes))
            }),
        },
        in_terminal: true,
    }
}
