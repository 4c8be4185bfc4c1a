use std::{fmt, io, path::Path};

use fjall::LsmError;
use keyed_state_core::{Error, ErrorKind};

/// Makes an engine's error of fjall's: `what` was attempted on the database at `path`.
#[cold]
pub(crate) fn engine_error(error: fjall::Error, what: impl fmt::Display, path: &Path) -> Error {
    let place = path.display();
    let (kind, message) = match &error {
        fjall::Error::Locked => return locked(path).with_source(error),
        fjall::Error::InvalidVersion(Some(version)) => (
            ErrorKind::Incompatible,
            format!("cannot {what}: {place} is a fjall database of format {version}, not 3"),
        ),
        fjall::Error::InvalidVersion(None) => (
            ErrorKind::Incompatible,
            format!(
                "cannot {what}: the file \"version\" in {place} is none of a fjall database of \
                 format 3"
            ),
        ),
        fjall::Error::Storage(LsmError::InvalidVersion(version)) => (
            ErrorKind::Incompatible,
            format!(
                "cannot {what}: the fjall database {place} has files of the unknown format \
                 {version}"
            ),
        ),
        fjall::Error::Poisoned => (
            ErrorKind::Storage,
            format!(
                "cannot {what}: the fjall database {place} takes no writes since an earlier write \
                 or a background task failed"
            ),
        ),
        _ => (ErrorKind::Storage, format!("cannot {what} in the fjall database {place}")),
    };
    Error::new(kind, message).with_source(error)
}

pub(crate) fn locked(path: &Path) -> Error {
    Error::new(
        ErrorKind::Locked,
        format!(
            "another process, or another handle in this one, has the fjall database {} open",
            path.display()
        ),
    )
}

pub(crate) fn damaged(path: &Path, how: &str) -> Error {
    Error::new(
        ErrorKind::Storage,
        format!("the fjall database {} is damaged: {how}", path.display()),
    )
}

pub(crate) fn unreadable(path: &Path, error: io::Error) -> Error {
    Error::new(ErrorKind::Storage, format!("cannot read {}", path.display())).with_source(error)
}
