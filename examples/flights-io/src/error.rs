use std::io;

use crate::InputError;

/// Why a run ended early. The sources say more; [`exit_code`](crate::exit_code) prints all of them.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The input is not as it must be.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The output cannot be written.
    #[error("{name}: cannot write")]
    Output {
        /// The file, or what else it is.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// Input and output are one file.
    #[error("{path}: is the input; the rows would overwrite it")]
    OutputIsInput {
        /// The file.
        path: String,
    },
    /// There is no place for temporary state.
    #[error("cannot make a temporary directory for the state")]
    TemporaryDirectory(#[source] io::Error),
    /// The place for temporary state cannot stand in a URL.
    #[error(
        "the temporary directory {path:?} of the state is not valid UTF-8; set TMPDIR to another"
    )]
    TemporaryName {
        /// The directory.
        path: std::path::PathBuf,
    },
    /// Temporary state stays behind.
    #[error("cannot remove the temporary directory of the state")]
    Cleanup(#[source] io::Error),
    /// The job was built without this backend.
    #[error("this backend is not built in; build with `--features rocksdb`")]
    NotBuiltIn(#[source] keyed_state::Error),
    /// The backend failed.
    #[error(transparent)]
    State(#[from] keyed_state::Error),
    /// The state of an earlier run is there.
    #[error(
        "{url}: holds the state of an earlier run, on which this one would count on; \
         give another directory, or delete this one"
    )]
    Leftovers {
        /// The backend.
        url: String,
    },
}

impl RunError {
    /// Whether the reader of standard output went away, as `head` does: nothing to complain about.
    #[must_use]
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
