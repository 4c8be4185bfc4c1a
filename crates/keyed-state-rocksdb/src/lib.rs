#![doc = include_str!("../README.md")]

mod config;
mod cursor;
mod differences;
mod directory;
mod engine;
mod error;
mod filters;
mod limits;
mod options;
mod preset;
mod table;
mod text;

pub use config::{Compression, RocksConfig};
pub use engine::RocksEngine;
pub use preset::Preset;
