use std::{
    fs,
    io::{self, IsTerminal},
    time::Instant,
};

use indicatif::{ProgressBar, ProgressStyle};
use keyed_state::KeyedStateBackend;
use tempfile::TempDir;

use crate::{
    args::Args,
    error::RunError,
    input::{self, InputError, Month},
    job::Job,
    report::{Report, Story, rate},
    row::RowWriter,
    store::Store,
};

/// Runs the whole job and reports on it.
pub(crate) fn run(args: &Args) -> Result<(), RunError> {
    let Store { backend, directory } = Store::open(&args.backend)?;
    let mut job = Job::new(backend)?;
    if !job.is_empty()? {
        return Err(RunError::Leftovers { url: args.backend.to_string() });
    }
    let progress = progress_bar(args);
    let counted = count(&mut job, args, &progress);
    progress.finish_and_clear();
    let (report, first_month) = counted?;
    let rows_file = match &args.rows {
        Some(_) if args.rows_to_stdout() => Some("standard output".to_owned()),
        rows => rows.as_ref().map(|path| path.display().to_string()),
    };
    let (last_month, logbooks) = (job.month(), job.logbooks()?);
    let story = Story { first_month, last_month, rows_file, logbooks };
    // Before anything is printed: whether it can be printed must not decide whether state is kept.
    job.close()?;
    directory.map_or(Ok(()), TempDir::close).map_err(RunError::Cleanup)?;

    let (name, printed) = if args.json {
        ("standard output", report.write_json(io::stdout().lock()))
    } else if args.rows_to_stdout() {
        ("standard error", report.write_summary(&story, io::stderr().lock()))
    } else {
        ("standard output", report.write_summary(&story, io::stdout().lock()))
    };
    printed.map_err(|source| RunError::Output { name: name.to_owned(), source })
}

/// Feeds all flights to the job; returns the figures and the first month seen.
fn count<B: KeyedStateBackend<Key = String>>(
    job: &mut Job<B>,
    args: &Args,
    progress: &ProgressBar,
) -> Result<(Report, Option<Month>), RunError> {
    let start = Instant::now();
    let mut flights = input::open(args.input.as_deref(), progress)?;
    refuse_to_overwrite_input(args)?;
    let mut rows = RowWriter::create(args.rows.as_deref())?;
    let (mut events, mut skipped, mut bad) = (0, 0, 0);
    let (mut first_month, mut shown_month) = (None, None);
    loop {
        match flights.next() {
            Ok(Some(flight)) => {
                events += 1;
                if !job.on_flight(&flight, &mut rows)? {
                    skipped += 1;
                }
                if shown_month != job.month() {
                    shown_month = job.month();
                    first_month = first_month.or(shown_month);
                    progress.set_message(flight.sched_dep.month().to_string());
                }
            }
            Ok(None) => break,
            Err(InputError::Row { .. }) if args.skip_bad => bad += 1,
            Err(error) => return Err(error.into()),
        }
    }
    job.end_month(&mut rows)?;
    let rows = rows.finish()?;
    let (seconds, events_per_s) = rate(events, start.elapsed());
    let report = Report {
        backend: args.backend.to_string(),
        events,
        skipped,
        bad: args.skip_bad.then_some(bad),
        rows,
        clears: job.clears(),
        seconds,
        events_per_s,
    };
    Ok((report, first_month))
}

/// Returns an error if creating the file of rows would empty the file of flights.
fn refuse_to_overwrite_input(args: &Args) -> Result<(), RunError> {
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

fn progress_bar(args: &Args) -> ProgressBar {
    const TEMPLATE: &str = "{msg:7} {wide_bar} {percent:>3} %  {elapsed_precise}";
    // `indicatif` itself draws nothing where standard error is not a terminal.
    if args.json || (args.rows_to_stdout() && io::stdout().is_terminal()) {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(TEMPLATE).expect("the template is a valid one");
    ProgressBar::no_length().with_style(style)
}
