use std::{collections::BTreeMap, io};

use comfy_table::{CellAlignment, ContentArrangement, Table, TableComponent, presets};
use flights_io::{Month, bar, grouped, grouped_rate};
use serde::Serialize;

use crate::job::Counts;

/// From this number of flights on, rotations are one line of the summary.
const MANY_FLIGHTS: u64 = 8;

/// The figures of a run; these fields are the JSON object.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) backend: String,
    /// Well-formed rows of the input.
    pub(crate) events: u64,
    /// Malformed rows, where they are passed over instead of being errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bad: Option<u64>,
    #[serde(flatten)]
    pub(crate) counts: Counts,
    /// Rows of the output, one for each rotation.
    pub(crate) rows: u64,
    /// From opening the input to the last row being written.
    pub(crate) seconds: f64,
    pub(crate) events_per_s: f64,
}

/// What only the summary shows.
#[derive(Debug)]
pub(crate) struct Story {
    pub(crate) first_month: Option<Month>,
    pub(crate) last_month: Option<Month>,
    /// Where the rows went, if anywhere.
    pub(crate) rows_file: Option<String>,
    /// How many rotations had so many flights.
    pub(crate) rotations_by_flights: BTreeMap<u64, u64>,
}

impl Report {
    pub(crate) fn write_summary(&self, story: &Story, out: &mut dyn io::Write) -> io::Result<()> {
        write!(out, "\n{} flights", grouped(self.events))?;
        if let (Some(first), Some(last)) = (story.first_month, story.last_month) {
            write!(out, ", {first} to {last}")?;
        }
        writeln!(
            out,
            ", on {} in {:.2} s: {} events/s",
            self.backend,
            self.seconds,
            grouped_rate(self.events_per_s)
        )?;
        let mut line = |count, text: &str| writeln!(out, "{:>9}  {text}", grouped(count));
        let kept = match &story.rows_file {
            Some(file) => format!("now in {file}"),
            None => "to be kept with --rows FILE".to_owned(),
        };
        line(self.rows, &format!("rotations, a row for each, {kept}"))?;
        line(self.counts.merged, "windows merged into another on the way")?;
        line(self.counts.late, "flights that came too late for their rotation, left out")?;
        line(self.counts.cancelled, "flights cancelled, skipped")?;
        line(self.counts.skipped, "flights without a tail number, skipped")?;
        if let Some(bad) = self.bad {
            line(bad, "malformed rows, passed over")?;
        }
        if !story.rotations_by_flights.is_empty() {
            writeln!(out, "\n{}", by_flights(&story.rotations_by_flights))?;
        }
        Ok(())
    }
}

fn by_flights(rotations: &BTreeMap<u64, u64>) -> String {
    let mut lines: BTreeMap<u64, u64> = BTreeMap::new();
    for (flights, count) in rotations {
        *lines.entry((*flights).min(MANY_FLIGHTS)).or_default() += count;
    }
    let most = lines.values().copied().max().unwrap_or(0);
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_style(TableComponent::HeaderLines, '─')
        .set_style(TableComponent::MiddleHeaderIntersections, '─')
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(["flights", "rotations", ""]);
    for (flights, count) in lines {
        let more = if flights == MANY_FLIGHTS { " or more" } else { "" };
        table.add_row([format!("{flights}{more}"), grouped(count), bar(count, most)]);
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rotations_are_one_line() {
        let table = by_flights(&BTreeMap::from([(1, 5), (8, 2), (9, 1), (20, 1)]));
        assert_eq!(table.lines().count(), 4, "{table}");
        assert!(table.contains("8 or more"), "{table}");
    }
}
