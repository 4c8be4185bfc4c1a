use std::path::{Path, PathBuf};

use clap::{CommandFactory, Parser, error::ErrorKind};

use crate::store::Place;

/// Counts where each aircraft flew, month by month, in keyed state.
///
/// Reads flights in the order of their departure. When a month is over, a row is written for every aircraft
/// that flew in it, and the aircraft's map of destinations is cleared.
#[derive(Debug, Parser)]
#[command(name = "flights", version)]
pub(crate) struct Args {
    /// Flights to read, as CSV or gzipped CSV; `-` for standard input [default: the 336,776 flights
    /// from New York City of 2013, built in]
    #[arg(long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,

    /// Where the state lives: `memory`; `fjall` or `rocksdb` in a temporary directory; or a URL, such as
    /// `fjall:///var/lib/flights?cache_bytes=64MiB`, whose state stays
    #[arg(long, value_name = "BACKEND", default_value = "fjall")]
    pub(crate) backend: Place,

    /// Write the rows to FILE as CSV; `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) rows: Option<PathBuf>,

    /// Print the figures of the run as one JSON object instead of the summary
    #[arg(long)]
    pub(crate) json: bool,

    /// Count and pass over malformed rows instead of stopping at the first
    #[arg(long)]
    pub(crate) skip_bad: bool,
}

impl Args {
    /// Reads the command line. Shows help and usage errors itself, and ends the process after them.
    pub(crate) fn from_command_line() -> Self {
        let args = Self::parse();
        if args.json && args.rows_to_stdout() {
            let message = "--json and --rows - would both write to standard output";
            Self::command().error(ErrorKind::ArgumentConflict, message).exit();
        }
        args
    }

    pub(crate) fn rows_to_stdout(&self) -> bool {
        self.rows.as_deref() == Some(Path::new("-"))
    }
}
