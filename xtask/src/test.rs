use anyhow::Result;

use crate::{
    engine::Engine,
    rocksdb,
    session::Session,
    workspace::{Env, Workspace},
};

/// The members whose tests concern several engines, each with the engine's name in the test's.
const SHARED: [&str; 2] = ["keyed-state-tests", "flights"];

/// Runs all tests, or those of `engines`.
pub(crate) fn run(session: &mut Session, workspace: &Workspace, engines: &[Engine]) -> Result<()> {
    if engines.is_empty() {
        in_pure_rust(session, workspace)?;
        let env = rocksdb::prepare(session, workspace)?;
        return on_rocksdb(session, workspace, &env);
    }
    for engine in engines {
        one(session, workspace, *engine)?;
    }
    Ok(())
}

/// Runs the tests of the default members.
pub(crate) fn in_pure_rust(session: &mut Session, workspace: &Workspace) -> Result<()> {
    let title = "unit, suite, example and doc tests on memory and fjall";
    session.run(title, workspace.cargo().arg("test"))
}

/// Runs the tests of every member that RocksDB can be switched on in.
pub(crate) fn on_rocksdb(session: &mut Session, workspace: &Workspace, env: &Env) -> Result<()> {
    let mut command = workspace.cargo();
    command.arg("test").args(rocksdb::selection(workspace)).envs(env.iter().cloned());
    session.run("unit, suite, example and doc tests on RocksDB", &mut command)
}

fn one(session: &mut Session, workspace: &Workspace, engine: Engine) -> Result<()> {
    let name = engine.name();
    let env =
        if engine == Engine::Rocksdb { rocksdb::prepare(session, workspace)? } else { Vec::new() };
    let mut own = workspace.cargo();
    own.args(["test", "--package", &engine.package()]).envs(env.iter().cloned());
    session.run(&format!("unit and doc tests of {}", engine.package()), &mut own)?;

    let mut shared = workspace.cargo();
    shared.arg("test").envs(env.iter().cloned());
    for package in SHARED {
        shared.args(["--package", package]);
    }
    if engine == Engine::Rocksdb {
        let features = SHARED.map(|package| format!("{package}/{name}"));
        shared.args(["--features", &features.join(",")]);
    }
    shared.args(["--tests", name]);
    session.run(&format!("suite and examples on {name}"), &mut shared)
}
