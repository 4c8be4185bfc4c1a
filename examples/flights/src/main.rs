//! A keyed stream job over a year of real flights: counts where each aircraft flew, month by month, on any
//! backend of `keyed-state`. See the README beside it.
#![forbid(unsafe_code)]

mod args;
mod error;
mod input;
mod job;
mod report;
mod row;
mod run;
mod store;

use std::{
    error::Error,
    io::{self, Write},
    process::ExitCode,
};

fn main() -> ExitCode {
    match run::run(&args::Args::from_command_line()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            let mut message = format!("error: {error}");
            let mut source = error.source();
            while let Some(error) = source {
                message.push_str(": ");
                message.push_str(&error.to_string());
                source = error.source();
            }
            // Where standard error is gone too, the exit code is all that is left to tell.
            let _ = writeln!(io::stderr(), "{message}");
            ExitCode::FAILURE
        }
    }
}
