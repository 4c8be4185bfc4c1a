use std::{
    fs::{self, DirEntry},
    io,
    path::Path,
};

use keyed_state_core::{Error, ErrorKind, Result};

/// fjall writes this file last when it creates a database.
const VERSION_FILE: &str = "version";
const LOCK_FILE: &str = "lock";
const KEYSPACES_FOLDER: &str = "keyspaces";
const JOURNAL_SUFFIX: &str = ".jnl";

/// Looks at `path` before fjall does, and changes nothing.
///
/// fjall creates a database in any directory without the version file, panics at entries it does not
/// expect, and where its list of keyspaces or its journals are missing it goes on without them: the data
/// would be gone without a word.
pub(crate) fn check(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unreadable(path, error)),
        Ok(metadata) if !metadata.is_dir() => {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("{} is a file; expected the directory of a fjall database", path.display()),
            ));
        }
        Ok(_) => {}
    }
    let entries = entries(path)?;
    if entries.iter().any(|entry| entry.file_name() == VERSION_FILE) {
        return check_database(path, &entries);
    }
    if entries.is_empty() { Ok(()) } else { Err(no_database(path, &entries)) }
}

fn check_database(path: &Path, entries: &[DirEntry]) -> Result<()> {
    let mut journals = 0;
    for entry in entries {
        if entry.file_name().to_str().is_some_and(|name| name.ends_with(JOURNAL_SUFFIX)) {
            if !entry.file_type().map_err(|error| unreadable(path, error))?.is_file() {
                return Err(damaged(path, &format!("{} is no file", entry.path().display())));
            }
            journals += 1;
        }
    }
    if journals == 0 {
        return Err(damaged(path, "it has no journal (*.jnl)"));
    }
    let keyspaces = path.join(KEYSPACES_FOLDER);
    let list = keyspaces.join("0").join("current");
    if !list.try_exists().map_err(|error| unreadable(&list, error))? {
        return Err(damaged(path, "the list of keyspaces (keyspaces/0/current) is missing"));
    }
    for entry in self::entries(&keyspaces)? {
        let is_file = entry.file_type().map_err(|error| unreadable(&keyspaces, error))?.is_file();
        let is_keyspace =
            entry.file_name().to_str().is_some_and(|name| name.parse::<u64>().is_ok());
        if !is_file && !is_keyspace {
            return Err(damaged(path, &format!("{} is no keyspace", entry.path().display())));
        }
    }
    Ok(())
}

fn entries(path: &Path) -> Result<Vec<DirEntry>> {
    fs::read_dir(path).and_then(Iterator::collect).map_err(|error| unreadable(path, error))
}

fn no_database(path: &Path, entries: &[DirEntry]) -> Error {
    let mut names: Vec<_> =
        entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    let unfinished = names.iter().all(|name| {
        [LOCK_FILE, KEYSPACES_FOLDER].contains(&name.as_str()) || name.ends_with(JOURNAL_SUFFIX)
    });
    let found = match (unfinished, names.len()) {
        (true, _) => "a fjall database whose creation has not finished".to_owned(),
        (_, count @ 0..=3) => format!("{count} entries ({})", names.join(", ")),
        (_, count) => format!("{count} entries ({}, …)", names[..3].join(", ")),
    };
    Error::new(
        ErrorKind::Incompatible,
        format!(
            "{} holds {found}; expected a fjall database, an empty directory or none",
            path.display()
        ),
    )
}

fn damaged(path: &Path, how: &str) -> Error {
    Error::new(
        ErrorKind::Storage,
        format!("the fjall database {} is damaged: {how}", path.display()),
    )
}

fn unreadable(path: &Path, error: io::Error) -> Error {
    Error::new(ErrorKind::Storage, format!("cannot read {}", path.display())).with_source(error)
}
