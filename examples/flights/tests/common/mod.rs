//! Running the binary.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

/// The header line of the input.
#[allow(dead_code, reason = "not every test file that shares this module needs it")]
pub(crate) const HEADER: &str =
    "sched_dep,dep_delay_min,arr_delay_min,carrier,flight,tailnum,origin,dest,distance_mi\n";

/// Returns the command without arguments.
pub(crate) fn flights() -> Command {
    Command::new(env!("CARGO_BIN_EXE_flights"))
}

/// Runs `command` with `input` on its standard input.
pub(crate) fn run_with(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The command may end before it has read everything.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Runs `command`, which must succeed, and returns its standard output.
pub(crate) fn stdout_of(command: &mut Command) -> Vec<u8> {
    let output = run_with(command, b"");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {stderr}");
    output.stdout
}
