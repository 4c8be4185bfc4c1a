//! A database has one user at a time.
#![allow(clippy::unwrap_used, reason = "an error here is a failed test")]

mod support;

use std::{
    env,
    io::{self, BufRead, BufReader, Read, Write},
    process::{Command, Stdio},
};

use keyed_state_core::ErrorKind;
use keyed_state_fjall::FjallEngine;
use support::{close, config, open};

const HOLD: &str = "KEYED_STATE_FJALL_TEST_HOLD";

#[test]
fn another_handle_in_this_process_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    let error = FjallEngine::open(folder.path(), &config()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Locked);
    assert!(error.to_string().contains(&folder.path().display().to_string()), "{error}");
    close(engine);
    close(open(folder.path()));
}

#[test]
fn another_process_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut holder = Command::new(env::current_exe().unwrap())
        .args(["--exact", "holds_a_database_until_its_input_ends", "--nocapture"])
        .env(HOLD, folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(holder.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("holding")));
    let error = FjallEngine::open(folder.path(), &config()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Locked);
    drop(holder.stdin.take());
    assert_eq!(lines.map_while(Result::ok).filter(|line| line.contains("closed")).count(), 1);
    assert!(holder.wait().unwrap().success());
    close(open(folder.path()));
}

/// The other process of the test above; does nothing otherwise.
#[test]
fn holds_a_database_until_its_input_ends() {
    let Some(path) = env::var_os(HOLD) else { return };
    let engine = open(path.as_ref());
    println!("\nholding");
    io::stdout().flush().unwrap();
    io::stdin().read_to_end(&mut Vec::new()).unwrap();
    close(engine);
    println!("\nclosed");
}
