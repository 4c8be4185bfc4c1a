use crate::model::state::{Scope, TTL_MS};

/// What the clock shows when a run begins, in milliseconds.
pub(in crate::model) const START_MS: i64 = 1_000;

/// What a time is before it is known.
const NONE: i64 = i64::MIN;

/// The clock and the two times of a backend, which never go back (contract T4).
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    clock_ms: i64,
    processing_ms: i64,
    watermark: Option<i64>,
    first_watermark: Option<i64>,
}

impl Times {
    pub(super) fn new() -> Self {
        Self { clock_ms: START_MS, processing_ms: START_MS, watermark: None, first_watermark: None }
    }

    /// Moves the clock; returns the processing time.
    pub(super) fn move_clock(&mut self, by: i64) -> i64 {
        self.clock_ms = self.clock_ms.saturating_add(by);
        self.processing_ms = self.processing_ms.max(self.clock_ms);
        self.processing_ms
    }

    /// Moves the watermark; returns where it is.
    pub(super) fn move_watermark(&mut self, by: i64) -> Option<i64> {
        let to = self.watermark.unwrap_or(0).saturating_add(by);
        if to > self.watermark.unwrap_or(NONE) {
            self.watermark = Some(to);
            self.first_watermark.get_or_insert(to);
        }
        self.watermark
    }

    /// A backend without memory of the last one knows only what its clock shows.
    pub(super) fn forget(&mut self) {
        *self = Self { clock_ms: self.clock_ms, processing_ms: self.clock_ms, ..Self::new() };
    }

    /// Returns what life and death in a state go by, as of now.
    pub(super) fn life(&self, scope: Scope) -> Life {
        let (now_ms, first_ms) = match scope {
            Scope::Plain | Scope::Namespace => return Life::Forever,
            Scope::Written | Scope::Touched => (self.processing_ms, NONE),
            Scope::Event => (self.watermark.unwrap_or(NONE), self.first_watermark.unwrap_or(NONE)),
        };
        Life::Limited { now_ms, first_ms, reads_touch: scope == Scope::Touched }
    }
}

/// How long the entries of a state live.
#[derive(Clone, Copy, Debug)]
pub(in crate::model) enum Life {
    Forever,
    Limited {
        now_ms: i64,
        /// What earlier touches count as.
        first_ms: i64,
        reads_touch: bool,
    },
}

impl Life {
    /// Returns the touch of what is written now.
    pub(super) fn touch(self) -> Option<i64> {
        match self {
            Self::Forever => None,
            Self::Limited { now_ms, .. } => Some(now_ms),
        }
    }

    /// Returns whether what was last touched at `touched_ms` has expired (contract T1).
    pub(super) fn is_over(self, touched_ms: Option<i64>) -> bool {
        match (self, touched_ms) {
            (Self::Limited { now_ms, first_ms, .. }, Some(touched_ms)) => {
                now_ms >= touched_ms.max(first_ms).saturating_add(TTL_MS)
            }
            _ => false,
        }
    }

    pub(super) fn reads_touch(self) -> bool {
        matches!(self, Self::Limited { reads_touch: true, .. })
    }
}
