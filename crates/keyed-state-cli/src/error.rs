use std::{
    error::Error,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

/// Why the command ended early. The sources say more; [`exit_code`] prints all of them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CliError {
    /// The arguments do not fit each other or this build.
    #[error("{0}")]
    Usage(String),
    /// A file of results cannot be written.
    #[error("{path}: cannot write {what}")]
    Write {
        /// What was to be written.
        what: &'static str,
        /// Where to.
        path: String,
        /// Why not.
        source: io::Error,
    },
    /// There is no place for the databases.
    #[error(
        "{}: cannot make a directory for the databases in it; expected a writable directory",
        path.display()
    )]
    Scratch {
        /// Where they were to be.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Databases stay behind.
    #[error("cannot remove the databases that were measured")]
    Cleanup(#[source] io::Error),
    /// A backend failed.
    #[error("{during}")]
    State {
        /// What was being done.
        during: String,
        /// What the backend says.
        source: keyed_state::Error,
    },
    /// A read found what it must not find: a fault of the backend.
    #[error("{during}: expected {expected}, found {found}")]
    WrongRead {
        /// What was being done.
        during: String,
        /// What must be there.
        expected: String,
        /// What is there.
        found: String,
    },
}

impl CliError {
    /// Whether the reader of standard output went away, as `head` does: nothing to complain about.
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Ends the command: prints its error, if any, with all its sources on one line of standard error.
///
/// The code is 2 for a bad command line, as `clap`'s is, and 1 for all else.
#[must_use]
pub fn exit_code(outcome: &Result<(), CliError>) -> ExitCode {
    let error = match outcome {
        Err(error) if !error.is_broken_pipe() => error,
        _ => return ExitCode::SUCCESS,
    };
    let mut message = format!("error: {error}");
    let mut source = error.source();
    while let Some(error) = source {
        message.push_str(": ");
        message.push_str(&error.to_string());
        source = error.source();
    }
    // Where standard error is gone too, the exit code is all that is left to tell.
    let _ = writeln!(io::stderr(), "{message}");
    if matches!(error, CliError::Usage(_)) { ExitCode::from(2) } else { ExitCode::FAILURE }
}
