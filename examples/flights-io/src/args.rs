use std::path::{Path, PathBuf};

use clap::error::ErrorKind;

use crate::Place;

/// The options that every job has.
#[derive(Debug, clap::Args)]
pub struct JobArgs {
    /// Flights to read, as CSV or gzipped CSV; `-` for standard input [default: the 336,776 flights
    /// from New York City of 2013, built in]
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,

    /// Where the state lives: `memory`; `fjall` or `rocksdb` in a temporary directory; or a URL, such as
    /// `fjall:///var/lib/flights?cache_bytes=64MiB`, whose state stays
    #[arg(long, value_name = "BACKEND", default_value = "fjall")]
    pub backend: Place,

    /// Write the rows to FILE as CSV; `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub rows: Option<PathBuf>,

    /// Print the figures of the run as one JSON object instead of the summary
    #[arg(long)]
    pub json: bool,

    /// Count and pass over malformed rows instead of stopping at the first
    #[arg(long)]
    pub skip_bad: bool,
}

impl JobArgs {
    /// Checks what `clap` cannot. Shows a usage error of `command` and ends the process after it.
    pub fn check(&self, mut command: clap::Command) {
        if self.json && self.rows_to_stdout() {
            let message = "--json and --rows - would both write to standard output";
            command.error(ErrorKind::ArgumentConflict, message).exit();
        }
    }

    /// Returns whether the rows go to standard output.
    #[must_use]
    pub fn rows_to_stdout(&self) -> bool {
        self.rows.as_deref() == Some(Path::new("-"))
    }

    /// Says where the rows go, if anywhere.
    #[must_use]
    pub fn rows_name(&self) -> Option<String> {
        match &self.rows {
            Some(_) if self.rows_to_stdout() => Some("standard output".to_owned()),
            rows => rows.as_ref().map(|path| path.display().to_string()),
        }
    }
}
