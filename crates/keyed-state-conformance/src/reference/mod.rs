//! An engine to compare with: as simple as can be, and right.

mod file;
mod tree_engine;

pub use tree_engine::TreeEngine;
