//! What the assigners check.

use std::time::Duration;

use crate::{Error, ErrorKind, Result};

/// Returns a length of time in milliseconds, at least one. `what` names it in the error.
pub(super) fn whole_ms(what: &str, length: Duration) -> Result<i64> {
    match i64::try_from(length.as_millis()) {
        Ok(ms) if ms > 0 && length.subsec_nanos().is_multiple_of(1_000_000) => Ok(ms),
        _ => Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("{what} must be whole milliseconds from 1 to {}, not {length:?}", i64::MAX),
        )),
    }
}

/// Refuses the one timestamp that lies in no window.
pub(super) fn check_timestamp(timestamp_ms: i64) -> Result<()> {
    if timestamp_ms == i64::MAX {
        return Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("the timestamp {timestamp_ms} ms, the end of time, lies in no window"),
        ));
    }
    Ok(())
}

/// Returns how long before `timestamp_ms` the last of the windows begins that begin every `every_ms`, one of them at
/// `offset_ms`: from 0 up to `every_ms`. Both arguments are positive or zero and `offset_ms < every_ms`.
pub(super) fn since_start(timestamp_ms: i64, every_ms: i64, offset_ms: i64) -> i64 {
    // The difference of two remainders cannot overflow; that of the timestamp and the offset could.
    let since_ms = timestamp_ms.rem_euclid(every_ms) - offset_ms;
    if since_ms < 0 { since_ms + every_ms } else { since_ms }
}
