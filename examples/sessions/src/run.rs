use std::time::Instant;

use flights_io::{RunError, Store, feed, print_report, rate};
use keyed_state::KeyedStateBackend;
use tempfile::TempDir;

use crate::{
    args::Args,
    job::Job,
    report::{Report, Story},
    rotation::HEADER,
};

/// Runs the whole job and reports on it.
pub(crate) fn run(args: &Args) -> Result<(), RunError> {
    let Store { backend, directory } = Store::open(&args.job.backend)?;
    let mut job = Job::new(backend, args.gap, args.early)?;
    if job.has_begun() {
        return Err(RunError::Leftovers { url: args.job.backend.to_string() });
    }
    let (report, story) = find_sessions(&mut job, args)?;
    // Before anything is printed: whether it can be printed must not decide whether state is kept.
    job.close()?;
    directory.map_or(Ok(()), TempDir::close).map_err(RunError::Cleanup)?;
    print_report(&args.job, &report, |out| report.write_summary(&story, out))
}

/// Feeds all flights to the job; returns the figures, and what only the summary shows.
fn find_sessions<B: KeyedStateBackend<Key = String>>(
    job: &mut Job<B>,
    args: &Args,
) -> Result<(Report, Story), RunError> {
    let start = Instant::now();
    let (mut rows, fed) = feed(&args.job, &HEADER, |flight, rows| job.on_flight(flight, rows))?;
    job.end(&mut rows)?;
    let rows = rows.finish()?;
    let (seconds, events_per_s) = rate(fed.events, start.elapsed());
    let report = Report {
        backend: args.job.backend.to_string(),
        events: fed.events,
        bad: args.job.skip_bad.then_some(fed.bad),
        counts: job.counts,
        rows,
        seconds,
        events_per_s,
    };
    let story = Story {
        first_month: fed.first_month,
        last_month: fed.last_month,
        rows_file: args.job.rows_name(),
        rotations_by_flights: job.rotations_by_flights.clone(),
    };
    Ok((report, story))
}
