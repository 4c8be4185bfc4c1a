//! A clock that makes a backend follow another clock back.

use std::sync::Mutex;

use keyed_state_core::{BackendContext, BackendOptions, Clock};

/// Goes on from where it stands when the clock in some options goes back.
pub(super) struct GoesOn {
    options: BackendOptions,
    /// What the clock showed last, and by how much this one is ahead.
    seen: Mutex<(i64, i64)>,
}

impl GoesOn {
    pub(super) fn new(options: BackendOptions) -> Self {
        Self { options, seen: Mutex::new((i64::MIN, 0)) }
    }
}

impl Clock for GoesOn {
    fn now_ms(&self) -> i64 {
        // The times of a new context have seen nothing later than what the clock shows now.
        let context = BackendContext::new(self.options.clone()).expect("the options were checked");
        let shown = context.times().processing();
        let mut seen = self.seen.lock().expect("no holder panics");
        let (last, ahead) = &mut *seen;
        if shown < *last {
            *ahead = ahead.saturating_add(last.saturating_sub(shown));
        }
        *last = shown;
        shown.saturating_add(*ahead)
    }
}
