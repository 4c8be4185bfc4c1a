//! Checks what fjall would not: a keyspace's list of files. Its first bytes are lengths, and a damaged
//! one can make fjall ask for so much memory that the process is aborted.
//!
//! A keyspace's file `current` names the list and has its checksum:
//!
//! ```text
//! version (u64) ‖ xxh3 of the file "v<version>" (u128) ‖ kind of checksum (u8), 0 for xxh3; little endian
//! ```

use std::{fs, io, path::Path};

use keyed_state_core::Result;
use xxhash_rust::xxh3::xxh3_128;

use crate::error::{damaged, unreadable};

/// Checks the list of files of the keyspace in `folder`, of the database at `path`.
pub(crate) fn check(path: &Path, folder: &Path) -> Result<()> {
    let current = folder.join("current");
    let pointer = match fs::read(&current) {
        Ok(pointer) => pointer,
        // Its creation was interrupted; fjall removes it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unreadable(&current, error)),
    };
    let Some((version, checksum)) = parse(&pointer) else {
        return Err(damaged(path, &format!("{} is malformed", current.display())));
    };
    let list = folder.join(format!("v{version}"));
    let bytes = fs::read(&list).map_err(|error| unreadable(&list, error))?;
    if xxh3_128(&bytes) == checksum {
        return Ok(());
    }
    Err(damaged(path, &format!("{} does not have its checksum", list.display())))
}

fn parse(pointer: &[u8]) -> Option<(u64, u128)> {
    let (version, rest) = pointer.split_first_chunk()?;
    let (checksum, rest) = rest.split_first_chunk()?;
    (rest == [0]).then(|| (u64::from_le_bytes(*version), u128::from_le_bytes(*checksum)))
}
