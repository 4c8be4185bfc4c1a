//! The cases for backends: one function a rule, named after it.
//!
//! Each opens a backend of its own and panics where the rule is broken. A number in a case's documentation is
//! that of a bug or trap in another state store, listed under [Coverage](crate#coverage).

#![expect(
    clippy::missing_panics_doc,
    reason = "a case panics where its rule is broken, as said above"
)]

pub mod aggregating;
pub mod batches;
pub mod changes;
pub mod clearing;
pub mod durability;
pub mod each_key;
pub mod failures;
pub mod flink_aggregating;
pub mod flink_backend;
pub mod flink_kinds;
pub mod flink_maps;
pub mod flink_ttl;
pub mod flink_values;
pub mod iteration;
pub mod keys;
pub mod list_changes;
pub mod listing;
pub mod lists;
pub mod maps;
pub mod merging;
pub mod merging_contents;
pub mod model;
pub mod order;
pub mod reducing;
pub mod timers;
pub mod ttl_definitions;
pub mod ttl_late_touches;
pub mod ttl_maps;
pub mod ttl_merging;
pub mod ttl_reads;
pub mod ttl_removal;
pub mod ttl_time;
pub mod ttl_touches;
pub mod values;
pub mod windows;
