//! What cannot be opened is refused, and left as it was.

mod support;

use std::fs;

use keyed_state_core::{Engine, ErrorKind};
use keyed_state_rocksdb::{RocksConfig, RocksEngine};
use support::{close, config, open, refused};

#[test]
fn a_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "text").unwrap();
    let error = refused(RocksEngine::open(&file, &config()), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("is no directory"), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "text");
}

#[test]
fn a_directory_of_something_else() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["photo.jpg", "LOG", "notes.txt"] {
        fs::write(directory.path().join(name), "mine").unwrap();
    }
    let error = refused(RocksEngine::open(directory.path(), &config()), ErrorKind::Incompatible);
    let message = error.to_string();
    assert!(message.contains("notes.txt, photo.jpg"), "{message}");
    assert!(message.contains("expected a RocksDB database or an empty directory"), "{message}");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 3, "nothing was created");
}

/// `RocksDB` takes a directory without `CURRENT` for a new database, and deletes the tables in it
/// as left over.
#[test]
fn a_database_that_lost_its_current_file() {
    let directory = tempfile::tempdir().unwrap();
    let mut engine = open(directory.path());
    let table = engine.open_table("t").unwrap();
    engine.put(table, b"k", b"v").unwrap();
    close(engine);
    fs::remove_file(directory.path().join("CURRENT")).unwrap();
    refused(RocksEngine::open(directory.path(), &config()), ErrorKind::Incompatible);
    assert_eq!(support::files(directory.path(), ".sst").len(), 1);
}

#[test]
fn a_creation_that_was_interrupted_is_taken_up() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["LOCK", "LOG", "IDENTITY", "000001.dbtmp"] {
        fs::write(directory.path().join(name), "").unwrap();
    }
    fs::create_dir(directory.path().join("lost+found")).unwrap();
    let mut engine = open(directory.path());
    engine.open_table("t").unwrap();
    close(engine);
}

#[test]
fn a_database_of_another_program() {
    let directory = tempfile::tempdir().unwrap();
    let other = rocksdb::DB::open_default(directory.path()).unwrap();
    other.put(b"k", b"v").unwrap();
    drop(other);
    let error = refused(RocksEngine::open(directory.path(), &config()), ErrorKind::Incompatible);
    assert!(error.to_string().contains("another program"), "{error}");
    let other = rocksdb::DB::open_default(directory.path()).unwrap();
    assert_eq!(other.get(b"k").unwrap().unwrap(), b"v");
}

#[test]
fn a_database_in_another_order() {
    let directory = tempfile::tempdir().unwrap();
    let mut options = rocksdb::Options::default();
    options.create_if_missing(true);
    options.set_comparator("backwards", Box::new(|a, b| b.cmp(a)));
    drop(rocksdb::DB::open(&options, directory.path()).unwrap());
    let error = refused(RocksEngine::open(directory.path(), &config()), ErrorKind::Incompatible);
    assert!(error.to_string().contains("another order"), "{error}");
}

#[test]
fn settings_out_of_range() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("new");
    let config = RocksConfig::new().memory_budget_bytes(1000);
    let error = refused(RocksEngine::open(&path, &config), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("memory_budget_bytes expects at least 1048576"), "{error}");
    assert!(!path.exists());
}

#[test]
fn settings_that_contradict_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let config = config().rocksdb_options("enable_pipelined_write=true").unwrap();
    let error = refused(RocksEngine::open(directory.path(), &config), ErrorKind::InvalidArgument);
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(source.contains("atomic_flush is incompatible"), "{source}");
}

#[cfg(unix)]
#[test]
fn a_path_that_cannot_be_created() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let error = refused(RocksEngine::open(file.join("below"), &config()), ErrorKind::Storage);
    assert!(std::error::Error::source(&error).is_some());
}
