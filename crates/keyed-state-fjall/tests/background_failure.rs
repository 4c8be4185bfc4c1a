//! Contract F1: what fails in the background reaches the caller.
#![allow(clippy::unwrap_used, reason = "an error here is a failed test")]

mod support;

use std::{error::Error as _, fs};

use keyed_state_core::{Engine, ErrorKind, Result};
use keyed_state_fjall::FjallEngine;
use support::{config, disk_bytes};

/// Takes the folder away that the table's files are written to; the first is that of the deleted ranges.
#[test]
fn a_failure_to_write_out_reaches_the_writer() {
    let folder = tempfile::tempdir().unwrap();
    let keyspaces = folder.path().join("keyspaces");
    let config = config().write_buffer_bytes(1 << 20);
    let mut engine = FjallEngine::open(folder.path(), &config).unwrap();
    let table = engine.open_table("t").unwrap();
    fs::remove_dir_all(keyspaces.join("2")).unwrap();
    let mut write =
        |index: u32| -> Result<()> { engine.put(table, &index.to_be_bytes(), &[7; 4096]) };
    // The buffers hold 256 of these; with nothing on disk, no thousand can have been taken.
    let error = (0..1000).find_map(|index| write(index).err()).expect("a write fails");
    assert_eq!(error.kind(), ErrorKind::Storage);
    assert!(error.source().is_some_and(<dyn std::error::Error>::is::<fjall::Error>), "{error:?}");
    assert!(disk_bytes(&keyspaces) < 1 << 20);
    // From here on, errors: at the latest when all must be durable.
    assert!(engine.compact().is_err());
}
