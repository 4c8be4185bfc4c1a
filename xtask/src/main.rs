//! The repository's own commands, run as `cargo xtask …`.
//!
//! `cargo xtask test` tests everything on every engine, and finds or builds what that needs: libclang, and
//! RocksDB as one static library that all later builds link. `cargo xtask ci` is what must pass before a merge.
#![forbid(unsafe_code)]

mod ci;
mod command;
mod engine;
mod libclang;
mod rocksdb;
mod session;
mod soak;
mod test;
mod tree;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::{
    engine::Engine,
    session::Session,
    workspace::{Env, Workspace},
};

#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "The repository's own commands")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Run the unit, suite, example and doc tests on every engine.
    ///
    /// RocksDB needs a C++ compiler and, the first time, some ten minutes on two cores. Its library is kept in
    /// `$KEYED_STATE_CACHE`, by default `~/.cache/keyed-state`. A libclang is looked for on the system, and
    /// otherwise installed with pip into the target folder. `ROCKSDB_LIB_DIR` and `LIBCLANG_PATH` are
    /// respected where they are set.
    Test {
        /// Only test this engine; may be given several times
        #[arg(long = "engine", value_enum, value_name = "ENGINE")]
        engines: Vec<Engine>,
    },
    /// Compare backends with the reference model, by random operations over every kind of state, until the time is up.
    ///
    /// The seed is random; a failure names it and prints a test that shows the difference.
    Soak {
        /// Only this engine; may be given several times
        #[arg(long = "engine", value_enum, value_name = "ENGINE")]
        engines: Vec<Engine>,
        /// How long on each engine
        #[arg(long, default_value_t = 60)]
        seconds: u64,
    },
    /// Find or build what RocksDB needs, and print the variables for a shell.
    ///
    /// For other Cargo commands with RocksDB: `eval "$(cargo xtask env)"`.
    Env,
    /// Run everything that must pass before a merge: format, lints, docs, features, then `test`.
    Ci,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut session = Session::new();
    let result = Workspace::load().and_then(|workspace| match args.task {
        Task::Test { engines } => test::run(&mut session, &workspace, &engines),
        Task::Soak { engines, seconds } => soak::run(&mut session, &workspace, &engines, seconds),
        Task::Env => rocksdb::prepare(&mut session, &workspace).map(|env| print_for_shell(&env)),
        Task::Ci => ci::run(&mut session, &workspace),
    });
    session.print_summary();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn print_for_shell(env: &Env) {
    for (name, value) in env {
        println!("export {name}={}", command::quoted(value));
    }
}
