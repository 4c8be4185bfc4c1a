//! The cases for engines: the laws of [`Engine`](keyed_state_core::Engine), and what a keyed backend makes of an
//! engine that fails.
//!
//! What an engine must do as part of a backend is in [`cases`](crate::cases), by way of
//! [`OnEngine`](crate::OnEngine). As there, a case panics where its rule is broken.

#![expect(
    clippy::missing_panics_doc,
    reason = "a case panics where its rule is broken, as said above"
)]

pub mod calls;
pub mod compaction_filter;
pub mod deletes;
pub mod durability;
pub mod failures;
pub mod flink;
pub mod generations;
pub mod kind_failures;
pub mod kinds;
pub mod model;
pub mod reads;
pub mod scans;
mod support;
pub mod writes;
