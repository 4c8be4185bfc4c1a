#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod backend;
mod map;
mod slot;
mod table;
mod tree;
mod value;

pub use backend::MemoryBackend;
pub use map::MemoryMap;
pub use value::MemoryValue;
