//! The cases for backends: one function a rule, named after it.
//!
//! Each opens a backend of its own and panics where the rule is broken. A number in a case's documentation is
//! that of a bug or trap in another state store, listed under [Coverage](crate#coverage).

#![expect(
    clippy::missing_panics_doc,
    reason = "a case panics where its rule is broken, as said above"
)]

pub mod batches;
pub mod clearing;
pub mod durability;
pub mod failures;
pub mod flink_backend;
pub mod flink_maps;
pub mod flink_values;
pub mod iteration;
pub mod keys;
pub mod listing;
pub mod maps;
pub mod model;
pub mod order;
pub mod values;
