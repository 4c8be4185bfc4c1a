use std::{
    fs,
    io::{self, IsTerminal},
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::{Flight, InputError, JobArgs, Month, Rows, RunError, input};

/// What [`feed`] read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fed {
    /// The month of the first flight, if there is one.
    pub first_month: Option<Month>,
    /// The month of the last flight.
    pub last_month: Option<Month>,
    /// Well-formed rows of the input.
    pub events: u64,
    /// Malformed rows, where they are passed over instead of being errors.
    pub bad: u64,
}

/// Opens input and output as `args` say, and gives every flight to `take`, which may write rows under `header`.
///
/// Shows its progress. Returns the rows, still to be finished, and what was read.
///
/// # Errors
///
/// The first of the input, of the output or of `take`.
pub fn feed(
    args: &JobArgs,
    header: &[&str],
    take: impl FnMut(&Flight<'_>, &mut Rows) -> Result<(), RunError>,
) -> Result<(Rows, Fed), RunError> {
    let progress = progress_bar(args);
    let outcome = feed_all(args, header, &progress, take);
    progress.finish_and_clear();
    outcome
}

fn feed_all(
    args: &JobArgs,
    header: &[&str],
    progress: &ProgressBar,
    mut take: impl FnMut(&Flight<'_>, &mut Rows) -> Result<(), RunError>,
) -> Result<(Rows, Fed), RunError> {
    let mut flights = input::open(args.input.as_deref(), progress)?;
    refuse_to_overwrite_input(args)?;
    let mut rows = Rows::create(args.rows.as_deref(), header)?;
    let mut fed = Fed::default();
    loop {
        match flights.next() {
            Ok(Some(flight)) => {
                fed.events += 1;
                take(&flight, &mut rows)?;
                let month = Some(flight.sched_dep.month());
                if fed.last_month != month {
                    fed.last_month = month;
                    fed.first_month = fed.first_month.or(month);
                    progress.set_message(flight.sched_dep.month().to_string());
                }
            }
            Ok(None) => return Ok((rows, fed)),
            Err(InputError::Row { .. }) if args.skip_bad => fed.bad += 1,
            Err(error) => return Err(error.into()),
        }
    }
}

/// Returns an error if creating the file of rows would empty the file of flights.
fn refuse_to_overwrite_input(args: &JobArgs) -> Result<(), RunError> {
    let (Some(input), Some(rows)) = (&args.input, &args.rows) else { return Ok(()) };
    if input.as_os_str() == "-" || args.rows_to_stdout() {
        return Ok(());
    }
    match (fs::canonicalize(input), fs::canonicalize(rows)) {
        (Ok(input), Ok(other)) if input == other => {
            Err(RunError::OutputIsInput { path: rows.display().to_string() })
        }
        // A file of rows that cannot be found is a new one.
        _ => Ok(()),
    }
}

/// Returns a bar on standard error, or one that does not show where it would disturb.
fn progress_bar(args: &JobArgs) -> ProgressBar {
    const TEMPLATE: &str = "{msg:7} {wide_bar} {percent:>3} %  {elapsed_precise}";
    // `indicatif` itself draws nothing where standard error is not a terminal.
    if args.json || (args.rows_to_stdout() && io::stdout().is_terminal()) {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(TEMPLATE).expect("the template is a valid one");
    ProgressBar::no_length().with_style(style)
}
