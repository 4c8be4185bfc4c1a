use super::{Strategies, bytes, distinct, float, header, names, rows};
use crate::{
    bench::clear::{Window, WindowKeys},
    report::{Bars, Better, Block, Chart, Lines, Scale, Series, Table, compare, short},
};

type Variant = (WindowKeys, u64);

/// The loop by the second, its longest pauses, and both as one table.
pub(super) fn blocks(window: &[Window], strategies: &Strategies<'_>) -> Vec<Block> {
    let variants = distinct(window.iter().map(|window| (window.keys, window.entries)));
    let mut blocks: Vec<_> =
        variants.iter().map(|variant| by_second(window, strategies, *variant)).collect();
    blocks.push(pauses(window, strategies, &variants));
    blocks.push(overview(window, strategies, &variants));
    blocks
}

fn find<'a>(window: &'a [Window], variant: Variant, name: &str) -> Option<&'a Window> {
    window.iter().find(|one| (one.keys, one.entries) == variant && one.strategy == name)
}

fn title((keys, entries): Variant) -> String {
    let keys = match keys {
        WindowKeys::Fresh => "Fresh",
        WindowKeys::Reused => "Reused",
    };
    format!("{keys} keys, {entries} entries")
}

fn by_second(window: &[Window], strategies: &Strategies<'_>, variant: Variant) -> Block {
    let points = |one: &Window| {
        let rates = one.loops_per_s.iter().enumerate();
        let point = |(n, rate): (usize, &f64)| (float(n + 1) * one.slice_s, rate / 1e3);
        rates.map(point).collect::<Vec<_>>()
    };
    let series = strategies.iter().filter_map(|(name, style)| {
        let points = points(find(window, variant, name)?);
        Some(Series { name: (*name).to_owned(), style: *style, points })
    });
    let medians: Vec<_> = strategies
        .iter()
        .filter_map(|(name, _)| Some((*name, find(window, variant, name)?.median_loops_per_s)))
        .collect();
    let slices = window.iter().map(|one| one.loops_per_s.len()).max().unwrap_or_default();
    let each_s = window.first().map_or(1.0, |one| one.slice_s);
    let rate = |n: usize, name: &str| {
        find(window, variant, name)?.loops_per_s.get(n).map(|rate| short(*rate))
    };
    let numbers: Vec<_> = (0..slices).collect();
    let label = |n| format!("{} s", short(float(n + 1) * each_s));
    let names = names(strategies);
    Block {
        topic: format!("{} in each window: loops a second, over time", title(variant)),
        finding: format!("{}: {}", title(variant), compare(Better::Higher, "loops/s", &medians)),
        chart: Some(Chart::Lines(Lines {
            x_label: "seconds of its own".to_owned(),
            x_scale: Scale::Linear,
            x_ticks: None,
            y_label: "thousand loops a second".to_owned(),
            y_scale: Scale::Linear,
            series: series.collect(),
        })),
        table: Table { header: header("until", &names), rows: rows(&numbers, &names, label, rate) },
        in_terminal: false,
    }
}

fn pauses(window: &[Window], strategies: &Strategies<'_>, variants: &[Variant]) -> Block {
    let pause = |variant, name: &str| find(window, variant, name).map(|one| one.max_pause_ms);
    let names = names(strategies);
    let groups = variants.iter().map(|variant| {
        let figures = names.iter().filter_map(|name| pause(*variant, name));
        (title(*variant), figures.collect())
    });
    let longest: Vec<_> = names
        .iter()
        .map(|name| {
            let pauses = variants.iter().filter_map(|variant| pause(*variant, name));
            (*name, pauses.fold(0.0, f64::max))
        })
        .collect();
    Block {
        topic: "The longest single window loop, in milliseconds".to_owned(),
        finding: format!("Longest pause: {}", compare(Better::Lower, "ms", &longest)),
        chart: Some(Chart::Bars(Bars {
            label: "milliseconds".to_owned(),
            series: strategies.iter().map(|(name, style)| ((*name).to_owned(), *style)).collect(),
            groups: groups.collect(),
        })),
        table: Table {
            header: header("window loop", &names),
            rows: rows(variants, &names, title, |variant, name| pause(variant, name).map(short)),
        },
        in_terminal: false,
    }
}

fn overview(window: &[Window], strategies: &Strategies<'_>, variants: &[Variant]) -> Block {
    let names = names(strategies);
    let mut all = Vec::new();
    for variant in variants {
        let figure = |what: &str, cell: &dyn Fn(&Window) -> String| {
            let label = |variant| format!("{}, {what}", title(variant));
            rows(&[*variant], &names, label, |variant, name| find(window, variant, name).map(cell))
        };
        all.extend(figure("loops/s", &|one| short(one.median_loops_per_s)));
        all.extend(figure("longest ms", &|one| short(one.max_pause_ms)));
        all.extend(figure("index peak", &|one| bytes(one.index_peak_bytes)));
        all.extend(figure("index at the end", &|one| bytes(one.index.bytes)));
        all.extend(figure("index when compacted", &|one| bytes(one.index_compacted.bytes)));
    }
    let peak = window.iter().map(|one| one.index_peak_bytes).max().unwrap_or_default();
    Block {
        topic:
            "Window loops: median rate, longest pause, and the memory that remembering clears takes"
                .to_owned(),
        finding: match peak {
            0 => "No memory was taken to remember clears".to_owned(),
            peak => format!("Remembering clears took {} at most", bytes(peak)),
        },
        chart: None,
        table: Table { header: header("window loop", &names), rows: all },
        in_terminal: true,
    }
}
