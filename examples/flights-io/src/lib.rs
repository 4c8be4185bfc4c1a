//! What the example jobs over flights share: a year of flights and its reader, a backend by name or by URL, and
//! rows as CSV. Nothing here keeps state; for that, see the jobs, `flights` and `sessions`.
#![forbid(unsafe_code)]

mod args;
mod error;
mod exit;
mod feed;
mod figures;
mod input;
mod output;
mod report;
mod store;

pub use args::JobArgs;
pub use error::RunError;
pub use exit::exit_code;
pub use feed::{Fed, feed};
pub use figures::{bar, grouped, grouped_rate, rate};
pub use input::{BadField, EventTime, Flight, FlightReader, InputError, Month, open};
pub use output::Rows;
pub use report::print_report;
pub use store::{Place, Store};
