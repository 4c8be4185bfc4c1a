#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

// Lets the derive macros name this crate from inside it.
extern crate self as keyed_state;

mod any;
mod open;
mod url;

pub use any::{AnyBackend, AnyMap, AnyValue};
pub use open::{open, schemes};

#[doc(inline)]
pub use keyed_state_core::*;
#[cfg(feature = "fjall")]
#[doc(inline)]
pub use keyed_state_fjall as fjall;
#[doc(inline)]
pub use keyed_state_memory as memory;
#[doc(inline)]
pub use keyed_state_memory::MemoryBackend;
#[cfg(feature = "metrics")]
#[doc(inline)]
pub use keyed_state_metrics as metrics;
#[cfg(feature = "rocksdb")]
#[doc(inline)]
pub use keyed_state_rocksdb as rocksdb;
