//! The names of all metrics.
//!
//! | name | type | labels | what |
//! | --- | --- | --- | --- |
//! | [`OPERATIONS`] | counter | `backend`, `state`, `kind`, `operation` | operations on a state, failed ones included |
//! | [`OPERATION_SECONDS`] | histogram | the same | how long one took, of one operation in [so many](crate::Instrumented::sampling) |
//! | [`WRITTEN_BYTES`] | histogram | `backend`, `state`, `kind` | encoded size of a value that was put or set, of the same sample |
//! | [`READ_BYTES`] | histogram | the same | encoded size of a value that was got, of the same sample |
//! | [`CLEARS`] | counter | the same | maps, lists and values that were cleared |
//! | [`OPEN_ITERATORS`] | gauge | the same | iterators that were not dropped yet |
//! | [`EXPIRED_ENTRIES`] | gauge | the same | expired and still stored, as of [`publish_expired`](crate::Instrumented::publish_expired) |
//! | [`ERRORS`] | counter | `backend`, `error` | errors by [kind](keyed_state_core::ErrorKind), of states and of the backend |
//! | [`MAINTENANCE_SECONDS`] | histogram | `backend`, `operation` | how long a `flush` or `compact` took, each one |
//! | [`TIMERS`] | gauge | `backend` | timers of all services, as of [`publish`](crate::Instrumented::publish) or the last flush |
//! | [`TIMER_MEMORY_BYTES`] | gauge | `backend` | memory that they take, likewise |
//!
//! `kind` is `map`, `list`, `value`, `reducing` or `aggregating`. `operation` is the name of the method of
//! [`MapState`](keyed_state_core::MapState) or [`ValueState`](keyed_state_core::ValueState), or `change` for merges.

/// Operations on a state. Counter.
pub const OPERATIONS: &str = "keyed_state_operations_total";
/// Duration of sampled operations in seconds. Histogram.
pub const OPERATION_SECONDS: &str = "keyed_state_operation_seconds";
/// Encoded size of values written, sampled. Histogram.
pub const WRITTEN_BYTES: &str = "keyed_state_written_bytes";
/// Encoded size of values read, sampled. Histogram.
pub const READ_BYTES: &str = "keyed_state_read_bytes";
/// Maps, lists and values cleared. Counter.
pub const CLEARS: &str = "keyed_state_clears_total";
/// Iterators that were not dropped yet. Gauge.
pub const OPEN_ITERATORS: &str = "keyed_state_open_iterators";
/// Entries that have expired and are still stored. Gauge.
pub const EXPIRED_ENTRIES: &str = "keyed_state_expired_entries";
/// Errors by kind. Counter.
pub const ERRORS: &str = "keyed_state_errors_total";
/// Duration of flushes and compactions in seconds. Histogram.
pub const MAINTENANCE_SECONDS: &str = "keyed_state_maintenance_seconds";
/// Timers of all services. Gauge.
pub const TIMERS: &str = "keyed_state_timers";
/// Memory that timers take, in bytes. Gauge.
pub const TIMER_MEMORY_BYTES: &str = "keyed_state_timer_memory_bytes";

/// All of them.
pub const ALL: [&str; 11] = [
    OPERATIONS,
    OPERATION_SECONDS,
    WRITTEN_BYTES,
    READ_BYTES,
    CLEARS,
    OPEN_ITERATORS,
    EXPIRED_ENTRIES,
    ERRORS,
    MAINTENANCE_SECONDS,
    TIMERS,
    TIMER_MEMORY_BYTES,
];
