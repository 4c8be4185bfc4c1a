use super::{Strategies, distinct, entries, grouped, header, rows};
use crate::{
    bench::{
        clear::{Cost, NO_CLEAR},
        stats::float,
    },
    report::{Better, Block, Chart, Lines, Scale, Series, Style, Table, compare, short},
};

/// Call, wall clock and processor, for each cleared map.
pub(super) fn blocks(cost: &[Cost], strategies: &Strategies<'_>) -> Vec<Block> {
    let call = |cost: &Cost| cost.call_us;
    let wall = |cost: &Cost| Some(cost.wall_us);
    let cpu = |cost: &Cost| cost.cpu_us;
    vec![
        block(cost, strategies, ("The call", "The call of clear alone"), false, call),
        block(
            cost,
            strategies,
            ("All included", "A clear with its share of compaction and close, by the clock"),
            true,
            wall,
        ),
        block(
            cost,
            strategies,
            ("Processor", "The same in processor time, of all threads"),
            true,
            cpu,
        ),
    ]
}

fn block(
    cost: &[Cost],
    strategies: &Strategies<'_>,
    (short_topic, topic): (&str, &str),
    // Where the cost follows the entries for all, lines differ visibly only by the entry.
    by_entry: bool,
    figure: impl Fn(&Cost) -> Option<f64>,
) -> Block {
    let sizes = distinct(cost.iter().map(|cost| cost.entries));
    let find = |entries: u64, name: &str| {
        figure(cost.iter().find(|cost| cost.entries == entries && cost.strategy == name)?)
    };
    let scaled = |size: u64, us: f64| if by_entry { us / float(size) } else { us };
    let is_there = |name: &str| sizes.iter().any(|entries| find(*entries, name).is_some());
    let all = strategies.iter().copied().chain([(NO_CLEAR, Style::Faint)]);
    let shown: Vec<_> = all.filter(|(name, _)| is_there(name)).collect();
    let series = shown.iter().map(|(name, style)| Series {
        name: (*name).to_owned(),
        style: *style,
        points: sizes
            .iter()
            .filter_map(|n| Some((float(*n), scaled(*n, find(*n, name)?))))
            .collect(),
    });
    let finding = |size: u64| {
        let figures: Vec<_> =
            strategies.iter().filter_map(|(name, _)| Some((*name, find(size, name)?))).collect();
        format!("{short_topic}, {}: {}", entries(size), compare(Better::Lower, "µs", &figures))
    };
    let names: Vec<_> = shown.iter().map(|(name, _)| *name).collect();
    Block {
        topic: format!(
            "{topic}: µs for each cleared map{}",
            if by_entry { "; drawn for each of its entries" } else { "" }
        ),
        finding: if shown.is_empty() {
            "this system does not tell".to_owned()
        } else {
            sizes.last().copied().map(finding).unwrap_or_default()
        },
        chart: Some(Chart::Lines(Lines {
            x_label: "entries of a map".to_owned(),
            x_scale: Scale::Log,
            x_ticks: None,
            y_label: if by_entry { "µs an entry" } else { "µs a map" }.to_owned(),
            y_scale: Scale::Log,
            series: series.collect(),
        })),
        table: Table {
            header: header("entries", &names),
            rows: rows(&sizes, &names, grouped, |n, name| find(n, name).map(short)),
        },
        in_terminal: true,
    }
}
