#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod config;
mod cursor;
mod directory;
mod engine;
mod error;
mod filters;
mod keys;
mod limits;
mod manifest;
mod ranges;
mod stamp;
mod text;
mod write_buffers;

pub use config::{Compression, FjallConfig};
pub use engine::FjallEngine;
