//! The command `keyed-state`. See the README beside it.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;
use keyed_state_cli::Cli;

fn main() -> ExitCode {
    keyed_state_cli::exit_code(&keyed_state_cli::run(&Cli::parse()))
}
