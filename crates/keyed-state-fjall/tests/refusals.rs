//! Directories that are no fjall database, or a damaged one, are refused and left as they are.
#![allow(clippy::unwrap_used, reason = "an error here is a failed test")]

mod support;

use std::{error::Error as _, fs, path::Path};

use keyed_state_core::{Engine, Error, ErrorKind};
use keyed_state_fjall::{FjallConfig, FjallEngine};
use support::{close, config, open};

fn refusal(path: &Path) -> Error {
    FjallEngine::open(path, &config()).unwrap_err()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A closed database with an entry in it.
fn database() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    engine.put(table, b"k", b"v").unwrap();
    close(engine);
    folder
}

#[test]
fn a_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "text").unwrap();
    assert_eq!(refusal(&path).kind(), ErrorKind::InvalidArgument);
    assert_eq!(fs::read(&path).unwrap(), b"text");
}

#[test]
fn no_path_is_refused() {
    assert_eq!(refusal(Path::new("")).kind(), ErrorKind::InvalidArgument);
}

#[test]
fn another_directory_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["CURRENT", "IDENTITY", "LOG", "OPTIONS-1"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let before = names(folder.path());
    let error = refusal(folder.path());
    assert_eq!(error.kind(), ErrorKind::Incompatible);
    assert!(
        error.to_string().contains("CURRENT, IDENTITY, LOG and more, but no file version"),
        "{error}"
    );
    assert_eq!(names(folder.path()), before);
}

#[test]
fn a_database_whose_creation_was_interrupted_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lock"), "").unwrap();
    fs::write(folder.path().join("0.jnl"), "").unwrap();
    let error = refusal(folder.path());
    assert_eq!(error.kind(), ErrorKind::Incompatible);
    assert!(error.to_string().contains("creation was interrupted"), "{error}");
    assert_eq!(names(folder.path()), ["0.jnl", "lock"]);
}

#[test]
fn another_format_version_is_refused() {
    for (version, expected) in
        [(&b"FJL\x02"[..], "format 2"), (b"FJL\x09", "none"), (b"1.0", "none")]
    {
        let folder = database();
        fs::write(folder.path().join("version"), version).unwrap();
        let error = refusal(folder.path());
        assert_eq!(error.kind(), ErrorKind::Incompatible);
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.source().is_some_and(<dyn std::error::Error>::is::<fjall::Error>));
    }
}

/// fjall opens each of these: it starts a new journal or a new list of keyspaces, and deletes the
/// keyspaces that are not on the list; or it panics.
#[test]
fn a_damaged_database_is_refused_and_left_as_it_is() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 7] = [
        ("no journal", |path| fs::remove_file(path.join("0.jnl")).unwrap()),
        ("list of keyspaces", |path| fs::remove_file(path.join("keyspaces/0/current")).unwrap()),
        ("list of keyspaces", |path| fs::remove_dir_all(path.join("keyspaces")).unwrap()),
        ("no keyspace", |path| fs::create_dir(path.join("keyspaces/lost+found")).unwrap()),
        ("no file", |path| fs::create_dir(path.join("1.jnl")).unwrap()),
        ("\"lock\" is missing", |path| fs::remove_file(path.join("lock")).unwrap()),
        ("malformed", |path| fs::write(path.join("keyspaces/1/current"), [0; 24]).unwrap()),
    ];
    for (expected, damage) in damages {
        let folder = database();
        damage(folder.path());
        let before = names(folder.path());
        let error = refusal(folder.path());
        assert_eq!(error.kind(), ErrorKind::Storage);
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(names(folder.path()), before);
    }
}

#[test]
fn the_top_of_a_volume_counts_as_empty() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("lost+found")).unwrap();
    close(open(folder.path()));
    close(open(folder.path()));
}

#[test]
fn an_option_outside_its_limits_is_refused_before_anything_is_created() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let new = FjallConfig::new;
    let configs = [
        (new().write_buffer_bytes(0), "write_buffer_bytes"),
        (new().journal_bytes(1 << 20), "journal_bytes"),
        (new().block_bytes(512), "block_bytes"),
        (new().block_bytes(2 << 20), "block_bytes"),
        (new().bloom_bits_per_key(101), "bloom_bits_per_key"),
        (new().worker_threads(0), "worker_threads"),
        (new().worker_threads(257), "worker_threads"),
        (new().max_open_files(9), "max_open_files"),
    ];
    for (config, option) in configs {
        let error = FjallEngine::open(&path, &config).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains(option), "{error}");
        assert!(!path.exists());
    }
}

#[test]
fn options_at_their_limits_work() {
    let configs = [
        FjallConfig::new()
            .cache_bytes(0)
            .write_buffer_bytes(1 << 20)
            .journal_bytes(64 << 20)
            .bloom_bits_per_key(0)
            .block_bytes(1 << 10)
            .worker_threads(1)
            .max_open_files(10),
        FjallConfig::new().bloom_bits_per_key(100).block_bytes(1 << 20).worker_threads(5),
    ];
    for config in configs {
        let folder = tempfile::tempdir().unwrap();
        let mut engine = FjallEngine::open(folder.path(), &config).unwrap();
        let table = engine.open_table("t").unwrap();
        for index in 0..1000_u32 {
            engine.put(table, &index.to_be_bytes(), &[7; 100]).unwrap();
        }
        engine.compact().unwrap();
        assert_eq!(support::get(&engine, table, &[0, 0, 1, 0]).unwrap(), [7; 100]);
        assert_eq!(support::get(&engine, table, &[1, 0, 1, 0]), None);
        assert_eq!(support::all(&engine, table).len(), 1000);
        close(engine);
    }
}
