#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod backend;
mod map;
pub mod names;
mod observed;
mod value;

pub use backend::Instrumented;
pub use map::InstrumentedMap;
pub use value::InstrumentedValue;
