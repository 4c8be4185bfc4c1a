//! RocksDB as one static library, built once and linked by every later build.
//!
//! Compiling its C++ takes ten minutes on two cores, and Cargo would do it again for each profile and set of
//! features. Its build script links a library instead where `ROCKSDB_LIB_DIR` names a folder that has one.

mod build;
mod cache;
mod inputs;
mod messages;

use std::path::Path;

use anyhow::Result;

use crate::{
    libclang::{self, set_variable},
    session::Session,
    workspace::{Env, Workspace},
};

const PACKAGE: &str = "keyed-state-rocksdb";
const LIBRARY: &str = "librocksdb.a";

/// Finds or builds what compiling with RocksDB needs; returns the variables that say where it is.
pub(crate) fn prepare(session: &mut Session, workspace: &Workspace) -> Result<Env> {
    let mut env =
        session.step("libclang, for RocksDB's bindings", |_| libclang::prepare(workspace))?;
    let library = session.step("RocksDB's library", |_| {
        if let Some(directory) = set_variable("ROCKSDB_LIB_DIR") {
            eprintln!("    ROCKSDB_LIB_DIR is set: {}", directory.display());
            return Ok(None);
        }
        cache::find_or_build(workspace, &env).map(Some)
    })?;
    if let Some(directory) = library {
        env.extend(linking(&directory));
    }
    Ok(env)
}

fn linking(directory: &Path) -> Env {
    vec![("ROCKSDB_LIB_DIR", directory.into()), ("ROCKSDB_STATIC", "1".into())]
}

/// Returns Cargo's arguments for every member that RocksDB can be switched on in, with it switched on.
pub(crate) fn selection(workspace: &Workspace) -> Vec<String> {
    let members = workspace.members_with("rocksdb");
    let mut arguments = vec!["--package".to_owned(), PACKAGE.to_owned()];
    for member in &members {
        arguments.extend(["--package".to_owned(), (*member).to_owned()]);
    }
    let features: Vec<String> = members.iter().map(|member| format!("{member}/rocksdb")).collect();
    arguments.extend(["--features".to_owned(), features.join(",")]);
    arguments
}
