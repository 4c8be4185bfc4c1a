//! Running the binary.

use std::process::Command;

/// Returns the command without arguments.
pub(crate) fn sessions() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sessions"))
}

/// Runs `command`, which must succeed, and returns its standard output.
pub(crate) fn stdout_of(command: &mut Command) -> Vec<u8> {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {stderr}");
    output.stdout
}
