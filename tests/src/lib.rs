//! Fixtures for the backends of this repository, on which its tests run the conformance suite.
//!
//! A package of its own, so that no published crate depends on every engine to be tested.

#![forbid(unsafe_code)]

mod boxed;
mod fjall;
mod memory;
#[cfg(feature = "rocksdb")]
mod rocksdb;

pub use boxed::Boxed;
pub use fjall::Fjall;
pub use memory::Memory;
#[cfg(feature = "rocksdb")]
pub use rocksdb::Rocks;
