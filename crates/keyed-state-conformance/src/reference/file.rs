use std::{
    fs::{self, File, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use keyed_state_core::{Error, ErrorKind, Result};

use super::tree_engine::{Rows, Table};

const MAGIC: &[u8] = b"keyed-state tree 1\n";

/// The file of a tree engine: magic, then for each table its name, the number of its rows, and their keys
/// and values, every text behind its length. Numbers are u64, big endian.
#[derive(Debug)]
pub(super) struct TreeFile {
    path: PathBuf,
    /// Locked while the engine is open.
    _lock: File,
}

impl TreeFile {
    pub(super) fn open(dir: &Path) -> Result<Self> {
        fs::create_dir_all(dir).map_err(|error| storage("create", dir, error))?;
        let lock_path = dir.join("lock");
        let lock =
            File::create(&lock_path).map_err(|error| storage("create", &lock_path, error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: dir.join("tree"), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(Error::new(
                ErrorKind::Locked,
                format!("{} is open in another engine", dir.display()),
            )),
            Err(TryLockError::Error(error)) => Err(storage("lock", &lock_path, error)),
        }
    }

    pub(super) fn read(&self) -> Result<Vec<Table>> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(storage("read", &self.path, error)),
        };
        tables(&bytes).ok_or_else(|| {
            Error::new(
                ErrorKind::Incompatible,
                format!("{} is no file of a tree engine", self.path.display()),
            )
        })
    }

    /// Writes beside the old file, then puts the new one in its place: whole or not at all.
    pub(super) fn write(&self, tables: &[Table]) -> Result<()> {
        let mut bytes = MAGIC.to_vec();
        for (name, rows) in tables {
            push(name.as_bytes(), &mut bytes);
            bytes.extend_from_slice(&(rows.len() as u64).to_be_bytes());
            for (key, value) in rows {
                push(key, &mut bytes);
                push(value, &mut bytes);
            }
        }
        let next = self.path.with_extension("next");
        let mut file = File::create(&next).map_err(|error| storage("create", &next, error))?;
        file.write_all(&bytes).map_err(|error| storage("write", &next, error))?;
        fs::rename(&next, &self.path).map_err(|error| storage("replace", &self.path, error))
    }
}

fn push(text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&(text.len() as u64).to_be_bytes());
    out.extend_from_slice(text);
}

fn tables(bytes: &[u8]) -> Option<Vec<Table>> {
    let mut input = bytes.strip_prefix(MAGIC)?;
    let mut tables = Vec::new();
    while !input.is_empty() {
        let name = String::from_utf8(text(&mut input)?.to_vec()).ok()?;
        let mut rows = Rows::new();
        for _ in 0..number(&mut input)? {
            let key = text(&mut input)?.to_vec();
            rows.insert(key, text(&mut input)?.to_vec());
        }
        tables.push((name, rows));
    }
    Some(tables)
}

fn number(input: &mut &[u8]) -> Option<u64> {
    let (head, rest) = input.split_first_chunk()?;
    *input = rest;
    Some(u64::from_be_bytes(*head))
}

fn text<'a>(input: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(number(input)?).ok()?;
    let (text, rest) = input.split_at_checked(length)?;
    *input = rest;
    Some(text)
}

fn storage(what: &str, path: &Path, error: io::Error) -> Error {
    Error::new(ErrorKind::Storage, format!("cannot {what} {}", path.display())).with_source(error)
}
