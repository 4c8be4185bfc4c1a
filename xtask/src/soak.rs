use anyhow::Result;

use crate::{
    engine::Engine,
    rocksdb,
    session::Session,
    workspace::{Env, Workspace},
};

/// Compares backends with the reference model, for so many seconds each.
pub(crate) fn run(
    session: &mut Session,
    workspace: &Workspace,
    engines: &[Engine],
    seconds: u64,
) -> Result<()> {
    let all = [Engine::Memory, Engine::Fjall, Engine::Rocksdb];
    let engines = if engines.is_empty() { &all[..] } else { engines };
    for engine in engines {
        let name = engine.name();
        let mut command = workspace.cargo();
        command.args(["test", "--package", "keyed-state-tests", "--test", name]);
        if *engine == Engine::Rocksdb {
            let env: Env = rocksdb::prepare(session, workspace)?;
            command.args(["--features", "rocksdb"]).envs(env);
        }
        command.args(["--", "behaves_like_the_model", "--nocapture"]);
        command.env("KEYED_STATE_SECONDS", seconds.to_string()).env("KEYED_STATE_SEED", "random");
        session.run(&format!("{name} against the model for {seconds} s"), &mut command)?;
    }
    Ok(())
}
