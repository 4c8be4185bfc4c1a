use std::io;

use comfy_table::{CellAlignment, ContentArrangement, Table, TableComponent, presets};
use flights_io::{Month, bar, grouped, grouped_rate};
use serde::Serialize;

use crate::job::Logbook;

const BUSIEST: usize = 10;
const EQUATOR_MI: u64 = 24_901;

/// The figures of a run; these fields are the JSON object.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) backend: String,
    /// Well-formed rows of the input.
    pub(crate) events: u64,
    /// Those of them without a tail number.
    pub(crate) skipped: u64,
    /// Malformed rows, where they are passed over instead of being errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bad: Option<u64>,
    /// Rows of the output.
    pub(crate) rows: u64,
    pub(crate) clears: u64,
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
    /// Every aircraft, the busiest first.
    pub(crate) logbooks: Vec<(String, Logbook)>,
}

impl Report {
    pub(crate) fn write_summary(&self, story: &Story, out: &mut dyn io::Write) -> io::Result<()> {
        let aircraft = story.logbooks.len();
        write!(out, "\n{} flights of {} aircraft", grouped(self.events), grouped(aircraft as u64))?;
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
        line(self.rows, &format!("rows, one for each aircraft and month, {kept}"))?;
        line(self.clears, "maps cleared, one for each row")?;
        line(self.skipped, "flights without a tail number, skipped")?;
        if let Some(bad) = self.bad {
            line(bad, "malformed rows, passed over")?;
        }
        if !story.logbooks.is_empty() {
            let ten = if story.logbooks.len() >= BUSIEST { "ten " } else { "" };
            writeln!(out, "\nThe {ten}busiest aircraft\n{}", busiest(&story.logbooks))?;
        }
        Ok(())
    }
}

fn busiest(logbooks: &[(String, Logbook)]) -> Table {
    const HEADER: [&str; 6] =
        ["aircraft", "flights", "", "miles", "round the Earth", "mean delay at arrival"];
    let most = logbooks.first().map_or(0, |(_, logbook)| logbook.flights);
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_style(TableComponent::HeaderLines, '─')
        .set_style(TableComponent::MiddleHeaderIntersections, '─')
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(HEADER);
    for (tailnum, logbook) in logbooks.iter().take(BUSIEST) {
        table.add_row([
            tailnum.clone(),
            grouped(logbook.flights),
            bar(logbook.flights, most),
            grouped(logbook.miles),
            round_the_earth(logbook.miles),
            mean_delay(logbook),
        ]);
    }
    for column in [1, 3, 4, 5] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn round_the_earth(miles: u64) -> String {
    let tenths = miles * 10 / EQUATOR_MI;
    format!("{}.{} ×", tenths / 10, tenths % 10)
}

fn mean_delay(logbook: &Logbook) -> String {
    match i64::try_from(logbook.arrivals) {
        Ok(arrivals) if arrivals > 0 => format!("{:+} min", logbook.delay_min / arrivals),
        _ => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_logbook_are_exact() {
        let logbook = Logbook { flights: 5, miles: 62_253, arrivals: 4, delay_min: -30 };
        assert_eq!(mean_delay(&logbook), "-7 min");
        assert_eq!(round_the_earth(logbook.miles), "2.5 ×");
        assert_eq!(mean_delay(&Logbook::default()), "unknown");
    }
}
