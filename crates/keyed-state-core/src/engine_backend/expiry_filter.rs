use super::rows;
use crate::{CompactionFilter, CompactionRun, Expiry, ExpiryNow, Times, Verdict};

/// Drops the rows of one state that have expired.
#[derive(Debug)]
pub(super) struct ExpiryFilter {
    pub(super) expiry: Expiry,
    pub(super) times: Times,
}

impl CompactionFilter for ExpiryFilter {
    fn start(&self) -> Box<dyn CompactionRun> {
        Box::new(ExpiryRun(self.expiry.now(&self.times)))
    }
}

struct ExpiryRun(ExpiryNow);

impl CompactionRun for ExpiryRun {
    fn verdict(&mut self, _key: &[u8], value: &[u8]) -> Verdict {
        match rows::split(value) {
            Ok((touched_ms, _)) if self.0.is_expired(touched_ms) => Verdict::Drop,
            // A malformed row stays, for a read to complain about.
            _ => Verdict::Keep,
        }
    }
}
