//! Timers: sets of (time, key, namespace) that fire in order.
//!
//! From the bottom up: [`key`] encodes a timer; [`packed`] and [`changes`] keep timers in memory; [`rows`],
//! [`store`] and [`catalogue`] in the engine; a [`bucket`] is some of the timers that follow each other, a
//! [`service`] all of one name, [`services`] all of a backend, and [`view`] is what a user sees.

use std::fmt;

use crate::{BackendContext, Engine};

mod bucket;
mod catalogue;
mod changes;
mod key;
mod packed;
mod rows;
mod service;
mod services;
mod store;
#[cfg(test)]
mod tests;
mod view;
mod write_back;

pub use services::TimerServices;
pub use view::{Timer, Timers};

/// What a backend lends to its timers, by
/// [`KeyedStateBackend::timer_access`](crate::KeyedStateBackend::timer_access).
pub struct TimerAccess<'a, K> {
    /// The backend's context.
    pub context: &'a mut BackendContext,
    /// The backend's current key.
    pub current: Option<&'a K>,
    /// Where timers beyond the memory budget are written; without an engine all are kept in memory.
    pub engine: Option<&'a mut dyn Engine>,
}

impl<K: fmt::Debug> fmt::Debug for TimerAccess<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TimerAccess")
            .field("context", &self.context)
            .field("current", &self.current)
            .finish_non_exhaustive()
    }
}
