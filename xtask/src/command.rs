use std::{
    ffi::OsStr,
    fmt::Write,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

/// Shows `command` so that it can be pasted into a shell, with the variables that it sets.
pub(crate) fn shown(command: &Command) -> String {
    let mut line = String::new();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            let _ = write!(line, "{}={} ", name.display(), quoted(value));
        }
    }
    // Cargo is called by its full path; what a person types is its name.
    let program = std::path::Path::new(command.get_program());
    line.push_str(&quoted(program.file_name().unwrap_or(program.as_os_str())));
    for argument in command.get_args() {
        let _ = write!(line, " {}", quoted(argument));
    }
    line
}

/// Quotes `text` for a shell, where it must be.
pub(crate) fn quoted(text: &OsStr) -> String {
    let text = text.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:@+%{}".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Runs `command` and returns its standard output; its standard error goes where ours goes.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = shown(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{line}`"))?;
    if !output.status.success() {
        bail!("`{line}` failed: {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` wrote no UTF-8"))
}

/// Runs `command` quietly; `None` if it is not there or fails, for tools that a machine may lack.
pub(crate) fn output_if_any(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_as_a_shell_takes_them() {
        let mut command = Command::new("/usr/bin/cargo");
        command.args(["test", "--features", "a/b,c/d", "it's", ""]).env("X", "-I a b");
        assert_eq!(shown(&command), r"X='-I a b' cargo test --features a/b,c/d 'it'\''s' ''");
    }

    #[test]
    fn a_missing_program_is_an_error_or_nothing() {
        let missing = || Command::new("/no/such/program");
        assert_eq!(output(&mut missing()).unwrap_err().to_string(), "cannot start `program`");
        assert_eq!(output_if_any(&mut missing()), None);
    }
}
