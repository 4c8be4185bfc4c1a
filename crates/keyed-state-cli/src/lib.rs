#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod bench;
mod cli;
mod error;
mod output;
pub mod report;

pub use cli::{BenchCommand, Cli, Command};
pub use error::{CliError, exit_code};

/// Does what the command line says.
///
/// # Errors
///
/// [`CliError`] for bad arguments, before anything long begins, and for what fails later.
pub fn run(cli: &Cli) -> Result<(), CliError> {
    match &cli.command {
        Command::Bench { bench: BenchCommand::Clear(args) } => bench::clear::run(args),
    }
}
