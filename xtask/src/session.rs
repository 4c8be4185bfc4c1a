use std::{
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use crate::command::shown;

/// Runs one step after another, says what it is doing, and stops at the first failure.
#[derive(Debug, Default)]
pub(crate) struct Session {
    done: Vec<Outcome>,
}

#[derive(Debug)]
struct Outcome {
    title: String,
    time: Duration,
    passed: bool,
}

impl Session {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Runs `command` as a step of its own; a failure names the command to repeat.
    pub(crate) fn run(&mut self, title: &str, command: &mut Command) -> Result<()> {
        self.step(title, |_| {
            let line = shown(command);
            eprintln!("    {line}");
            let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
            if !status.success() {
                bail!("{title}: {status}; to repeat it alone:\n\n    {line}");
            }
            Ok(())
        })
    }

    /// Does `work` as a step: shows its title, takes its time.
    pub(crate) fn step<T>(
        &mut self,
        title: &str,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        eprintln!("\n==> {title}");
        let start = Instant::now();
        let result = work(self);
        let (time, passed) = (start.elapsed(), result.is_ok());
        eprintln!("    {} after {}", if passed { "done" } else { "FAILED" }, clock(time));
        self.done.push(Outcome { title: title.to_owned(), time, passed });
        result
    }

    /// Shows every step with its outcome and time.
    pub(crate) fn print_summary(&self) {
        if self.done.is_empty() {
            return;
        }
        eprintln!();
        for Outcome { title, time, passed } in &self.done {
            eprintln!(
                "{}  {:>8}  {title}",
                if *passed { "ok    " } else { "FAILED" },
                clock(*time)
            );
        }
        let total = self.done.iter().map(|outcome| outcome.time).sum();
        eprintln!("        {:>8}  in all", clock(total));
    }
}

/// Shows a time in minutes and seconds.
pub(crate) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds == 0 {
        return format!("{:.1}s", time.as_secs_f64());
    }
    if seconds < 60 {
        format!("{seconds}s")
    } else {
        format!("{}m {:02}s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_in_minutes_and_seconds() {
        let shown = [0, 400, 1000, 59_999, 60_000, 3_725_000].map(Duration::from_millis).map(clock);
        assert_eq!(shown, ["0.0s", "0.4s", "1s", "59s", "1m 00s", "62m 05s"]);
    }

    #[test]
    fn a_failing_step_is_recorded_and_names_its_command() {
        let mut session = Session::new();
        let error = session.run("try", &mut Command::new("false")).unwrap_err();
        assert!(error.to_string().ends_with("\n    false"), "{error}");
        session.run("try again", &mut Command::new("true")).unwrap();
        let passed: Vec<bool> = session.done.iter().map(|outcome| outcome.passed).collect();
        assert_eq!(passed, [false, true]);
    }
}
