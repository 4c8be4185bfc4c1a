//! A changed or shortened file is an error, or makes no difference; it is never a panic, an abort or
//! other data. fjall 3.1 reads the lists of files without their checksums: one flipped bit there made it
//! ask for 43 GB, and the process was aborted.
#![allow(clippy::unwrap_used, reason = "an error here is a failed test")]

mod support;

use std::{fs, path::Path};

use keyed_state_core::{Direction, Engine, KeyRange, Result};
use keyed_state_fjall::FjallEngine;
use support::{Entry, all, close, config, copy_database, files, open};

const POSITIONS: usize = 12;

fn read(path: &Path) -> Result<Vec<Entry>> {
    let mut engine = FjallEngine::open(path, &config())?;
    let table = engine.open_table("t")?;
    let mut entries = Vec::new();
    let mut cursor = engine.scan(table, KeyRange::ALL, Direction::Forward)?;
    while let Some((key, value)) = cursor.next()? {
        entries.push((key.to_vec(), value.to_vec()));
    }
    Ok(entries)
}

#[test]
fn damage_is_an_error_or_makes_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    for index in 0..300_u32 {
        if index == 250 {
            engine.compact().unwrap();
        }
        engine.put(table, &index.to_be_bytes(), &index.to_le_bytes().repeat(20)).unwrap();
    }
    let whole = all(&engine, table);
    close(engine);
    let original = tempfile::tempdir().unwrap();
    copy_database(folder.path(), original.path());
    let mut refused = 0;
    for file in files(original.path()) {
        let relative = file.strip_prefix(original.path()).unwrap();
        let is_journal = relative.extension().is_some_and(|extension| extension == "jnl");
        let bytes = fs::read(&file).unwrap();
        for position in (0..bytes.len()).step_by(bytes.len() / POSITIONS + 1) {
            let mut flipped = bytes.clone();
            flipped[position] ^= 0x41;
            for damaged in [&flipped[..], &bytes[..position]] {
                let copy = tempfile::tempdir().unwrap();
                copy_database(original.path(), copy.path());
                fs::write(copy.path().join(relative), damaged).unwrap();
                match read(copy.path()) {
                    Err(_) => refused += 1,
                    // A journal may end anywhere after a crash: what was written up to there is left.
                    // `EngineBackend` sees that its mark of a clean close, which came last, is gone.
                    Ok(entries) if is_journal => assert!(whole.starts_with(&entries)),
                    Ok(entries) => assert_eq!(entries, whole, "{} at {position}", file.display()),
                }
            }
        }
    }
    assert!(refused > POSITIONS, "only {refused} were refused");
}
