//! A keyed stream job over a year of real flights: counts where each aircraft flew, month by month, on any
//! backend of `keyed-state`. See the README beside it.
#![forbid(unsafe_code)]

mod args;
mod job;
mod report;
mod row;
mod run;

use std::process::ExitCode;

fn main() -> ExitCode {
    flights_io::exit_code(run::run(&args::Args::from_command_line().job))
}
