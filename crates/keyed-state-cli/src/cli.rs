use clap::{Parser, Subcommand};

use crate::bench::clear::ClearArgs;

/// Measures state backends.
#[derive(Debug, Parser)]
#[command(name = "keyed-state", version)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the command does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measure, on this machine.
    Bench {
        /// What to measure.
        #[command(subcommand)]
        bench: BenchCommand,
    },
}

/// What can be measured.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Measure what clearing maps costs by each strategy, then and later
    Clear(ClearArgs),
}
