//! Measuring backends.

pub mod clear;
mod cpu;
mod machine;
mod stats;

pub use machine::Machine;
