//! State kinds and operations that are made of the primitive ones, once for every backend.

mod aggregating;
mod list;
mod merge;
mod reducing;

pub use aggregating::AggregatingState;
pub use list::ListState;
pub(crate) use merge::{merge_aggregating, merge_lists, merge_maps, merge_reducing};
pub use reducing::ReducingState;
