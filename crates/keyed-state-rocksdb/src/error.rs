use std::{fmt, path::Path};

use keyed_state_core::{Error, ErrorKind};

use crate::differences::ENGINE;

/// The engine failed at `what`, a verb phrase that names the thing.
#[cold]
pub(crate) fn storage(what: impl fmt::Display, path: &Path, source: rocksdb::Error) -> Error {
    Error::new(ErrorKind::Storage, format!("{ENGINE} cannot {what} in {}", path.display()))
        .with_source(source)
}

/// The operating system failed to `verb` the directory.
#[cold]
pub(crate) fn io(verb: &str, path: &Path, source: std::io::Error) -> Error {
    Error::new(ErrorKind::Storage, format!("cannot {verb} the directory {}", path.display()))
        .with_source(source)
}

/// The engine did not open the database in `path`.
#[cold]
pub(crate) fn opening(path: &Path, source: rocksdb::Error) -> Error {
    let text = source.as_ref();
    let path = path.display();
    let (kind, message) = if is_lock_conflict(text) {
        (
            ErrorKind::Locked,
            format!("{path} is held by another process, or by another handle in this one"),
        )
    } else if text.contains("does not match existing comparator") {
        (
            ErrorKind::Incompatible,
            format!(
                "{path} is a {ENGINE} database of another program: its keys are in another \
                 order than that of unsigned bytes"
            ),
        )
    } else if matches!(
        source.kind(),
        rocksdb::ErrorKind::InvalidArgument | rocksdb::ErrorKind::NotSupported
    ) {
        (ErrorKind::InvalidArgument, format!("{ENGINE} does not take the options for {path}"))
    } else {
        (ErrorKind::Storage, format!("{ENGINE} cannot open {path}"))
    };
    Error::new(kind, message).with_source(source)
}

/// `While lock file: …/LOCK: Resource temporarily unavailable` is what another process makes of it,
/// and `lock hold by current process, acquire time …` another handle in this one. The engine gives
/// both the code of an ordinary input/output error, so that only the text tells.
fn is_lock_conflict(text: &str) -> bool {
    let Some(text) = text.strip_prefix("IO error: ") else { return false };
    text.starts_with("lock hold by current process") || text.starts_with("While lock file: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_looks_like_a_lock_conflict_is_none() {
        assert!(is_lock_conflict(
            "IO error: While lock file: /a/LOCK: Resource temporarily unavailable"
        ));
        assert!(!is_lock_conflict(
            "IO error: No such file or directory: While lock file: /LOCK/MANIFEST-000004"
        ));
    }
}
