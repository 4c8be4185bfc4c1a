use std::time::Duration;

use clap::{CommandFactory, Parser};
use flights_io::JobArgs;
use jiff::SignedDuration;
use keyed_state::windows::SessionWindows;

/// Finds the rotations of each aircraft: its flights less than a gap apart, as session windows in keyed state.
///
/// Reads flights in the order of their schedule, and goes by when they really departed. When no flight can
/// join a rotation any more, a row is written for it and its state is cleared.
#[derive(Debug, Parser)]
#[command(name = "sessions", version)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) job: JobArgs,

    /// From departure to departure of an aircraft: what is less apart is one rotation. Such as `6h` or `90m`
    #[arg(long, value_name = "TIME", default_value = "6h", value_parser = sessions)]
    pub(crate) gap: SessionWindows,

    /// How far ahead of its schedule a flight may depart and still be waited for
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = duration)]
    pub(crate) early: Duration,
}

impl Args {
    /// Reads the command line. Shows help and usage errors itself, and ends the process after them.
    pub(crate) fn from_command_line() -> Self {
        let args = Self::parse();
        args.job.check(Self::command());
        args
    }
}

fn sessions(text: &str) -> Result<SessionWindows, String> {
    SessionWindows::new(duration(text)?).map_err(|error| error.to_string())
}

fn duration(text: &str) -> Result<Duration, String> {
    let duration: SignedDuration = text.parse().map_err(|error: jiff::Error| error.to_string())?;
    Duration::try_from(duration).map_err(|_| "expected a time that is not negative".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(duration("6h"), Ok(Duration::from_hours(6)));
        assert_eq!(duration("1h 30m"), Ok(Duration::from_mins(90)));
        assert_eq!(duration("0s"), Ok(Duration::ZERO));
        for bad in ["", "6", "h", "-1h", "six hours"] {
            assert!(duration(bad).is_err(), "{bad:?}");
        }
        for bad in ["0s", "1ns", "1500us"] {
            assert!(sessions(bad).is_err(), "{bad:?}");
        }
    }
}
