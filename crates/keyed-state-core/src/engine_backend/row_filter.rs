use std::sync::Arc;

use super::{
    generations::{ClearedRows, Index},
    rows,
};
use crate::{CompactionFilter, CompactionRun, Expiry, ExpiryNow, Times, Verdict};

/// Drops the rows of one state that were cleared or have expired.
#[derive(Debug)]
pub(super) struct RowFilter {
    /// Of map states.
    pub(super) cleared: Option<Arc<Index>>,
    pub(super) expiry: Option<Expiry>,
    pub(super) times: Times,
}

impl CompactionFilter for RowFilter {
    fn start(&self) -> Box<dyn CompactionRun> {
        Box::new(RowRun {
            cleared: self.cleared.clone().map(ClearedRows::for_compaction),
            expiry: self.expiry.map(|expiry| expiry.now(&self.times)),
        })
    }
}

struct RowRun {
    cleared: Option<ClearedRows>,
    expiry: Option<ExpiryNow>,
}

impl CompactionRun for RowRun {
    fn verdict(&mut self, key: &[u8], value: &[u8]) -> Verdict {
        // Malformed rows stay, for a read to complain about.
        if let Some(cleared) = &mut self.cleared
            && cleared.contains(key).unwrap_or(false)
        {
            return Verdict::Drop;
        }
        match (self.expiry, rows::split(value)) {
            (Some(expiry), Ok((touched_ms, _))) if expiry.is_expired(touched_ms) => Verdict::Drop,
            _ => Verdict::Keep,
        }
    }
}
