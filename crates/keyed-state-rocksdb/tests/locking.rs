//! One handle at a time holds a directory, in this process and in all others.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails the test")]

mod support;

use std::{
    io::{BufRead, BufReader, Read},
    process::{Command, Stdio},
};

use keyed_state_core::{Engine, ErrorKind};
use keyed_state_rocksdb::RocksEngine;
use support::{close, config, get, open, refused};

const HOLD: &str = "KEYED_STATE_TEST_HOLD";

#[test]
fn another_handle_in_this_process() {
    let directory = tempfile::tempdir().unwrap();
    let mut first = open(directory.path());
    let table = first.open_table("t").unwrap();
    let error = refused(RocksEngine::open(directory.path(), &config()), ErrorKind::Locked);
    assert!(error.to_string().contains(&*directory.path().to_string_lossy()), "{error}");
    assert!(std::error::Error::source(&error).is_some());

    // The refusal took nothing from the first handle: a third one is refused as well, and it still
    // works.
    refused(RocksEngine::open(directory.path(), &config()), ErrorKind::Locked);
    first.put(table, b"k", b"v").unwrap();
    close(first);
    let mut second = open(directory.path());
    let table = second.open_table("t").unwrap();
    assert_eq!(get(&second, table, b"k").unwrap(), b"v");
}

#[test]
fn another_process() {
    if let Some(path) = std::env::var_os(HOLD) {
        return hold(path.as_ref());
    }
    let directory = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "another_process", "--nocapture"])
        .env(HOLD, directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("holding")), "the child did not open it");

    refused(RocksEngine::open(directory.path(), &config()), ErrorKind::Locked);

    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    let mut engine = open(directory.path());
    let table = engine.open_table("t").unwrap();
    assert_eq!(get(&engine, table, b"held").unwrap(), b"by a child");
}

/// What the child does: hold the directory until its standard input ends.
fn hold(path: &std::path::Path) {
    let mut engine = open(path);
    let table = engine.open_table("t").unwrap();
    engine.put(table, b"held", b"by a child").unwrap();
    println!("holding");
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    close(engine);
}
