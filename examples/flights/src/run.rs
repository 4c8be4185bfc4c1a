use std::time::Instant;

use flights_io::{JobArgs, RunError, Store, feed, print_report, rate};
use keyed_state::KeyedStateBackend;
use tempfile::TempDir;

use crate::{
    job::Job,
    report::{Report, Story},
    row::HEADER,
};

/// Runs the whole job and reports on it.
pub(crate) fn run(args: &JobArgs) -> Result<(), RunError> {
    let Store { backend, directory } = Store::open(&args.backend)?;
    let mut job = Job::new(backend)?;
    if !job.is_empty()? {
        return Err(RunError::Leftovers { url: args.backend.to_string() });
    }
    let (report, story) = count(&mut job, args)?;
    // Before anything is printed: whether it can be printed must not decide whether state is kept.
    job.close()?;
    directory.map_or(Ok(()), TempDir::close).map_err(RunError::Cleanup)?;
    print_report(args, &report, |out| report.write_summary(&story, out))
}

/// Feeds all flights to the job; returns the figures, and what only the summary shows.
fn count<B: KeyedStateBackend<Key = String>>(
    job: &mut Job<B>,
    args: &JobArgs,
) -> Result<(Report, Story), RunError> {
    let start = Instant::now();
    let mut skipped = 0;
    let (mut rows, fed) = feed(args, &HEADER, |flight, rows| {
        if !job.on_flight(flight, rows)? {
            skipped += 1;
        }
        Ok(())
    })?;
    job.end_month(&mut rows)?;
    let rows = rows.finish()?;
    let (seconds, events_per_s) = rate(fed.events, start.elapsed());
    let report = Report {
        backend: args.backend.to_string(),
        events: fed.events,
        skipped,
        bad: args.skip_bad.then_some(fed.bad),
        rows,
        clears: job.clears(),
        seconds,
        events_per_s,
    };
    let story = Story {
        first_month: fed.first_month,
        last_month: fed.last_month,
        rows_file: args.rows_name(),
        logbooks: job.logbooks()?,
    };
    Ok((report, story))
}
