#![doc = include_str!("../README.md")]
#![doc = ""]
#![doc = include_str!("../COVERAGE.md")]
#![forbid(unsafe_code)]

pub mod cases;
pub mod engine_cases;
mod failing;
mod fixture;
mod kinds;
mod list;
pub mod model;
mod outcome;
mod readers;
pub mod reference;
mod stage;
mod suite;
mod support;

pub use failing::{Call, FailingEngine, Failures};
pub use fixture::{EngineFixture, Fixture, OnEngine};
pub use outcome::Outcome;
#[doc(hidden)]
pub use suite::run_as_test;
pub use suite::{Case, backend_cases, engine_cases};
