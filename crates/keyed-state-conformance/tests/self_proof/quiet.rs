//! Panics that are expected, and not printed.

use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

thread_local! {
    /// Whether this thread's panics are expected.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `run`; returns the message of its panic, or `None` if it did not panic.
pub(crate) fn panics<T>(run: impl FnOnce() -> T) -> Option<String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info);
            }
        }));
    });
    QUIET.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(run));
    QUIET.set(false);
    let payload = outcome.err()?;
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| payload.downcast_ref().map(|text: &&str| (*text).to_owned()));
    Some(text.unwrap_or_default())
}
