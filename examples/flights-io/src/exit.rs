use std::{
    error::Error,
    io::{self, Write},
    process::ExitCode,
};

use crate::RunError;

/// Ends a job: prints its error, if any, with all its sources on one line of standard error.
#[must_use]
pub fn exit_code(outcome: Result<(), RunError>) -> ExitCode {
    match outcome {
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
