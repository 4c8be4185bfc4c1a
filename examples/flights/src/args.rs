use clap::{CommandFactory, Parser};
use flights_io::JobArgs;

/// Counts where each aircraft flew, month by month, in keyed state.
///
/// Reads flights in the order of their departure. When a month is over, a row is written for every aircraft
/// that flew in it, and the aircraft's map of destinations is cleared.
#[derive(Debug, Parser)]
#[command(name = "flights", version)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) job: JobArgs,
}

impl Args {
    /// Reads the command line. Shows help and usage errors itself, and ends the process after them.
    pub(crate) fn from_command_line() -> Self {
        let args = Self::parse();
        args.job.check(Self::command());
        args
    }
}
