use std::{
    fs::{self, DirEntry, File, OpenOptions, TryLockError},
    io,
    path::Path,
};

use keyed_state_core::{Error, ErrorKind, Result};

use crate::{
    error::{damaged, locked, unreadable},
    manifest,
};

/// fjall writes this file last when it creates a database.
const VERSION_FILE: &str = "version";
const LOCK_FILE: &str = "lock";
const KEYSPACES_FOLDER: &str = "keyspaces";
const JOURNAL_SUFFIX: &str = ".jnl";
/// What a volume of its own has at the top.
const VOLUME_FOLDER: &str = "lost+found";

/// Looks at `path` before fjall does, and changes nothing.
///
/// fjall creates a database in any directory without the version file, panics at entries that it does
/// not expect, and where its list of keyspaces or its journals are missing it goes on without them: the
/// data would be gone without a word.
pub(crate) fn check(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unreadable(path, error)),
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("{} is no directory; expected one, or nothing yet", path.display()),
            ));
        }
    }
    let mut names: Vec<_> = entries(path)?
        .iter()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name != VOLUME_FOLDER)
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    names.sort_unstable();
    let has = |expected: &str| names.iter().any(|name| name == expected);
    if !has(VERSION_FILE) && !has(LOCK_FILE) {
        return Err(no_database(path, &names));
    }
    if !has(LOCK_FILE) {
        return Err(damaged(path, "the file \"lock\" is missing"));
    }
    // Another process would change what is looked at, or be about to create it.
    let lock = lock(path)?;
    let outcome =
        if has(VERSION_FILE) { check_database(path) } else { Err(no_database(path, &names)) };
    lock.unlock().map_err(|error| unreadable(&path.join(LOCK_FILE), error))?;
    outcome
}

fn lock(path: &Path) -> Result<File> {
    let file = path.join(LOCK_FILE);
    let lock = OpenOptions::new().read(true).write(true).open(&file);
    let lock = lock.map_err(|error| unreadable(&file, error))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(locked(path)),
        Err(TryLockError::Error(error)) => Err(unreadable(&file, error)),
    }
}

fn check_database(path: &Path) -> Result<()> {
    let mut has_journal = false;
    for entry in entries(path)? {
        if entry.file_name().to_string_lossy().ends_with(JOURNAL_SUFFIX) {
            if !is_file(&entry)? {
                return Err(damaged(path, &format!("{} is no file", entry.path().display())));
            }
            has_journal = true;
        }
    }
    if !has_journal {
        return Err(damaged(path, "it has no journal (*.jnl)"));
    }
    let keyspaces = path.join(KEYSPACES_FOLDER);
    let list = keyspaces.join("0").join("current");
    if !list.try_exists().map_err(|error| unreadable(&list, error))? {
        return Err(damaged(path, "the list of keyspaces (keyspaces/0/current) is missing"));
    }
    for entry in entries(&keyspaces)? {
        if is_file(&entry)? {
            continue;
        }
        if entry.file_name().to_str().is_none_or(|name| name.parse::<u64>().is_err()) {
            return Err(damaged(path, &format!("{} is no keyspace", entry.path().display())));
        }
        manifest::check(path, &entry.path())?;
    }
    Ok(())
}

fn is_file(entry: &DirEntry) -> Result<bool> {
    let kind = entry.file_type().map_err(|error| unreadable(&entry.path(), error))?;
    Ok(kind.is_file())
}

fn entries(path: &Path) -> Result<Vec<DirEntry>> {
    let entries = fs::read_dir(path).and_then(Iterator::collect);
    entries.map_err(|error| unreadable(path, error))
}

fn no_database(path: &Path, names: &[String]) -> Error {
    let unfinished = names.iter().all(|name| {
        [LOCK_FILE, KEYSPACES_FOLDER].contains(&name.as_str()) || name.ends_with(JOURNAL_SUFFIX)
    });
    let found = if unfinished {
        "a fjall database whose creation was interrupted".to_owned()
    } else {
        let more = if names.len() > 3 { " and more" } else { "" };
        let first: Vec<_> = names.iter().take(3).map(String::as_str).collect();
        format!("{}{more}, but no file {VERSION_FILE}", first.join(", "))
    };
    Error::new(
        ErrorKind::Incompatible,
        format!(
            "{} holds {found}; expected a fjall database or an empty directory",
            path.display()
        ),
    )
}
