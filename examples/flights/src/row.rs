use std::{fs::File, io, path::Path};

use keyed_state::Result as StateResult;

use crate::{error::RunError, input::Month};

/// One row of output: where an aircraft flew in a month.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    pub(crate) month: Month,
    pub(crate) tailnum: &'a str,
    pub(crate) flights: u64,
    pub(crate) destinations: u64,
    pub(crate) top_dest: String,
    pub(crate) top_visits: u64,
}

impl<'a> Row<'a> {
    /// Sums up `visits`, destinations with their counts in ascending order.
    pub(crate) fn of(
        month: Month,
        tailnum: &'a str,
        visits: impl Iterator<Item = StateResult<(String, u64)>>,
    ) -> StateResult<Self> {
        let (top_dest, top_visits) = (String::new(), 0);
        let mut row = Self { month, tailnum, flights: 0, destinations: 0, top_dest, top_visits };
        for visit in visits {
            let (dest, count) = visit?;
            row.flights += count;
            row.destinations += 1;
            // In ascending order, so that the first of equals is the one to keep.
            if count > row.top_visits {
                (row.top_dest, row.top_visits) = (dest, count);
            }
        }
        Ok(row)
    }
}

/// Writes rows as CSV, or only counts them.
pub(crate) struct RowWriter {
    csv: Option<csv::Writer<Box<dyn io::Write>>>,
    name: String,
    written: u64,
}

impl RowWriter {
    /// Creates the file `path`, or takes standard output for `-`, and writes the header; `None` only counts.
    pub(crate) fn create(path: Option<&Path>) -> Result<Self, RunError> {
        let (name, output): (String, Option<Box<dyn io::Write>>) = match path {
            None => (String::new(), None),
            Some(path) if path.as_os_str() == "-" => {
                ("standard output".to_owned(), Some(Box::new(io::stdout())))
            }
            Some(path) => {
                let name = path.display().to_string();
                match File::create(path) {
                    Ok(file) => (name, Some(Box::new(file))),
                    Err(source) => return Err(RunError::Output { name, source }),
                }
            }
        };
        let csv = output.map(csv::Writer::from_writer);
        let mut writer = Self { csv, name, written: 0 };
        writer.record(&[
            "month",
            "tailnum",
            "flights",
            "destinations",
            "top_dest",
            "top_visits",
        ])?;
        Ok(writer)
    }

    pub(crate) fn write(&mut self, row: &Row<'_>) -> Result<(), RunError> {
        self.written += 1;
        if self.csv.is_none() {
            return Ok(());
        }
        self.record(&[
            &row.month.to_string(),
            row.tailnum,
            &row.flights.to_string(),
            &row.destinations.to_string(),
            &row.top_dest,
            &row.top_visits.to_string(),
        ])
    }

    fn record(&mut self, fields: &[&str; 6]) -> Result<(), RunError> {
        match &mut self.csv {
            Some(csv) => csv.write_record(fields).map_err(|error| {
                // Unwrapped by hand: `into` would hide that a pipe is broken.
                self.error(match error.into_kind() {
                    csv::ErrorKind::Io(error) => error,
                    other => io::Error::other(format!("{other:?}")),
                })
            }),
            None => Ok(()),
        }
    }

    /// Writes out what is buffered, and returns the number of rows. Without it, late errors would be lost.
    pub(crate) fn finish(mut self) -> Result<u64, RunError> {
        if let Some(csv) = &mut self.csv {
            csv.flush().map_err(|source| self.error(source))?;
        }
        Ok(self.written)
    }

    fn error(&self, source: io::Error) -> RunError {
        RunError::Output { name: self.name.clone(), source }
    }
}
