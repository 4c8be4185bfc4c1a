use std::{fs, io, path::Path};

use keyed_state_core::{Error, ErrorKind, Result};

use crate::{differences::ENGINE, error};

/// What lies where a database is to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing yet, or what an interrupted creation leaves behind.
    Nothing,
    /// A database, as far as one can see from outside.
    Database,
}

/// Looks at `path` without changing anything there.
///
/// The file `LOCK` is never opened: closing it again would release the lock that another handle of
/// this process has on it.
pub(crate) fn inspect(path: &Path) -> Result<Found> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("{} is no directory; expected one, or nothing yet", path.display()),
            ));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(error::io("look at", path, error)),
    }
    let mut foreign = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| error::io("list", path, error))? {
        let entry = entry.map_err(|error| error::io("list", path, error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == "CURRENT" {
            return Ok(Found::Database);
        }
        if !may_precede_current(&name) {
            foreign.push(name);
        }
    }
    if foreign.is_empty() {
        return Ok(Found::Nothing);
    }
    foreign.sort();
    let more = if foreign.len() > 3 { " and more" } else { "" };
    foreign.truncate(3);
    Err(Error::new(
        ErrorKind::Incompatible,
        format!(
            "{} holds {}{more}, but no file CURRENT; expected a {ENGINE} database or an \
             empty directory",
            path.display(),
            foreign.join(", ")
        ),
    ))
}

/// Creates the directory `path` and those above it.
pub(crate) fn create(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|error| error::io("create", path, error))
}

/// Whether `name` is written before `CURRENT` while a database is created, perhaps by another
/// process at this moment. `lost+found` is what a volume of its own has at the top.
fn may_precede_current(name: &str) -> bool {
    ["LOCK", "LOG", "IDENTITY", "MANIFEST-000001", "lost+found"].contains(&name)
        || name.starts_with("LOG.old.")
        || Path::new(name).extension().is_some_and(|extension| extension == "dbtmp")
}
