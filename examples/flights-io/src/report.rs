use std::io;

use serde::Serialize;

use crate::{JobArgs, RunError};

/// Prints what a job did, as `args` say: `figures` as one JSON object, or what `write_summary` writes, to standard error where
/// the rows are on standard output.
///
/// # Errors
///
/// [`RunError::Output`] if it cannot be printed.
pub fn print_report(
    args: &JobArgs,
    figures: &impl Serialize,
    write_summary: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<(), RunError> {
    let (name, mut out): (_, Box<dyn io::Write>) = if args.rows_to_stdout() {
        ("standard error", Box::new(io::stderr().lock()))
    } else {
        ("standard output", Box::new(io::stdout().lock()))
    };
    let printed = if args.json {
        serde_json::to_writer(&mut out, figures)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(out))
    } else {
        write_summary(&mut out)
    };
    printed
        .and_then(|()| out.flush())
        .map_err(|source| RunError::Output { name: name.to_owned(), source })
}
