//! The cases for backends: one function a rule, named after it.
//!
//! Each opens a backend of its own and panics where the rule is broken. A number in a case's documentation is
//! that of a bug or trap in another state store, listed under [Coverage](crate#coverage).

pub mod batches;
pub mod clearing;
pub mod durability;
pub mod failures;
pub mod flink;
pub mod keys;
pub mod listing;
pub mod maps;
pub mod model;
pub mod order;
pub mod values;
