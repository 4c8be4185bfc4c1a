use anyhow::Result;

use crate::{
    engine::Engine,
    rocksdb,
    session::Session,
    workspace::{Env, Workspace},
};

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

/// Runs the tests of one engine: its crate's, the suite's, and the examples' rows.
fn one(session: &mut Session, workspace: &Workspace, engine: Engine) -> Result<()> {
    let name = engine.name();
    let package = engine.package();
    let env =
        if engine == Engine::Rocksdb { rocksdb::prepare(session, workspace)? } else { Vec::new() };
    let suite = "keyed-state-tests";
    for (title, member, only) in [
        (format!("unit and doc tests of {package}"), package.as_str(), &[][..]),
        (format!("suite on {name}"), suite, &["--test", name]),
        (format!("flights on {name}"), "flights", &["--test", "rows", &format!("on_{name}")]),
        (format!("sessions on {name}"), "sessions", &["--test", "rows", &format!("on_{name}")]),
    ] {
        let mut command = workspace.cargo();
        command.args(["test", "--package", member]).envs(env.iter().cloned());
        if workspace.features_of(member).contains(&name) {
            command.args(["--features", name]);
        }
        session.run(&title, command.args(only))?;
    }
    Ok(())
}
