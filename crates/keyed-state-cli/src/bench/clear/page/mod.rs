//! What the figures say: the same blocks for the terminal and the page.

use super::{EngineFigures, Figures, NO_CLEAR};
use crate::report::{Block, Page, Section, Style};

mod cost;
mod guard;
mod machine;
mod reads;
mod summary;
mod window;

/// Strategies in their order, with the look of each.
type Strategies<'a> = [(&'a str, Style)];

/// Makes the page of a run.
#[must_use]
pub fn page(figures: &Figures) -> Page {
    let strategies: Vec<_> = figures
        .strategies
        .iter()
        .enumerate()
        .map(|(n, name)| (&**name, Style::Strong(n)))
        .collect();
    let glance = figures.engines.iter().map(|engine| summary::block(engine, &strategies));
    let mut sections = vec![Section {
        title: "At a glance".to_owned(),
        lead: "★ marks the best of a row, and what comes within a quarter of it. Everything below has the same figures in \
               full."
            .to_owned(),
        blocks: glance.collect(),
    }];
    sections.extend(figures.engines.iter().map(|engine| section(figures, engine, &strategies)));
    sections.push(Section {
        title: "The run".to_owned(),
        lead: String::new(),
        blocks: vec![machine::block(figures)],
    });
    let engines: Vec<_> = figures.engines.iter().map(|engine| &*engine.engine).collect();
    Page {
        title: format!("What clearing a map costs, on {}", engines.join(" and ")),
        lead: "Medians over blocks in which the strategies take turns, so that a machine that slows down does so for \
               all of them. Compare within a chart; another run, or another machine, has other figures. Engines have \
               their default settings."
            .to_owned(),
        sections,
    }
}

fn section(figures: &Figures, engine: &EngineFigures, strategies: &Strategies<'_>) -> Section {
    let mut blocks: Vec<Block> = cost::blocks(&engine.cost, strategies);
    blocks.extend(window::blocks(&engine.window, strategies));
    blocks.extend(guard::blocks(&engine.guard, strategies));
    blocks.extend(reads::blocks(&engine.reads, strategies));
    let rounds = figures.effort.cost_rounds;
    Section {
        title: engine.engine.clone(),
        lead: format!(
            "A clear's cost: every second map of a flushed state is cleared, then the database is compacted and \
             closed, which is where some strategies pay; medians of {rounds} blocks, each with a database of its \
             own. “{NO_CLEAR}” does the same and clears nothing. A window loop puts its entries, gets 10 elsewhere, \
             iterates and clears; the strategies take turns, and what one leaves to background threads may fall \
             into the next one's turn."
        ),
        blocks,
    }
}

/// Returns a row for each of `keys`, with a cell for each strategy.
fn rows<K: Copy>(
    keys: &[K],
    names: &[&str],
    label: impl Fn(K) -> String,
    cell: impl Fn(K, &str) -> Option<String>,
) -> Vec<Vec<String>> {
    let row = |key: &K| {
        let cells = names.iter().map(|name| cell(*key, name).unwrap_or_else(|| "–".to_owned()));
        std::iter::once(label(*key)).chain(cells).collect()
    };
    keys.iter().map(row).collect()
}

/// Returns the header of a table with a column for each strategy.
fn header(first: &str, names: &[&str]) -> Vec<String> {
    std::iter::once(first).chain(names.iter().copied()).map(ToOwned::to_owned).collect()
}

fn names<'a>(strategies: &Strategies<'a>) -> Vec<&'a str> {
    strategies.iter().map(|(name, _)| *name).collect()
}

/// Returns each of `values` once, in the order in which they first occur.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// Returns `count` with commas between thousands.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn bytes(count: usize) -> String {
    match count {
        0 => "0".to_owned(),
        1..1_024 => format!("{count} B"),
        1_024..1_048_576 => format!("{} KiB", crate::report::short(float(count) / 1024.0)),
        _ => format!("{} MiB", crate::report::short(float(count) / 1_048_576.0)),
    }
}

fn float(count: usize) -> f64 {
    crate::bench::stats::float(count as u64)
}

fn entries(count: u64) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{} entries", grouped(count)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_sizes_are_readable() {
        assert_eq!([1, 1_000, 200_000].map(grouped), ["1", "1,000", "200,000"]);
        assert_eq!([0, 100, 2_048, 7_498_240].map(bytes), ["0", "100 B", "2 KiB", "7.15 MiB"]);
    }
}
