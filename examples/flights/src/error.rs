use std::io;

use crate::input::InputError;

/// Why a run ended early. The sources say more; `main` prints all of them.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{name}: cannot write")]
    Output { name: String, source: io::Error },
    #[error("{path}: is the input; the rows would overwrite it")]
    OutputIsInput { path: String },
    #[error("cannot make a temporary directory for the state")]
    TemporaryDirectory(#[source] io::Error),
    #[error(
        "the temporary directory {path:?} of the state is not valid UTF-8; set TMPDIR to another"
    )]
    TemporaryName { path: std::path::PathBuf },
    #[error("cannot remove the temporary directory of the state")]
    Cleanup(#[source] io::Error),
    #[error(
        "this backend is not built in; try `cargo run --release -p flights --features rocksdb`"
    )]
    NotBuiltIn(#[source] keyed_state::Error),
    #[error(transparent)]
    State(#[from] keyed_state::Error),
    #[error(
        "{url}: holds the state of an earlier run, on which this one would count on; \
         give another directory, or delete this one"
    )]
    Leftovers { url: String },
}

impl RunError {
    /// Whether the reader of standard output went away, as `head` does: nothing to complain about.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
