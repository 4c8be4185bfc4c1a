use anyhow::Result;

use crate::{
    rocksdb,
    session::Session,
    test,
    tree::DependencyCheck,
    workspace::{Env, Workspace},
};

const FACADE: &str = "keyed-state";
const ENGINES: [&str; 3] = ["fjall", "lsm-tree", "librocksdb-sys"];

/// What a feature left out must leave out with it.
const DEPENDENCY_CHECKS: [DependencyCheck; 6] = [
    DependencyCheck {
        title: "core, with all its features, knows no engine",
        selection: &["--package", "keyed-state-core", "--all-features", "--edges", "normal,build"],
        present: &["keyed-state-core", "keyed-state-derive"],
        absent: &ENGINES,
    },
    DependencyCheck {
        title: "the facade without features has memory only",
        selection: &["--package", FACADE, "--no-default-features", "--edges", "normal,build"],
        present: &["keyed-state-memory"],
        absent: &ENGINES,
    },
    DependencyCheck {
        title: "the facade with fjall has no RocksDB",
        selection: &[
            "--package",
            FACADE,
            "--no-default-features",
            "--features",
            "fjall",
            "--edges",
            "normal,build",
        ],
        present: &["keyed-state-memory", "fjall"],
        absent: &["librocksdb-sys"],
    },
    DependencyCheck {
        title: "the facade with RocksDB has no fjall",
        selection: &[
            "--package",
            FACADE,
            "--no-default-features",
            "--features",
            "rocksdb",
            "--edges",
            "normal,build",
        ],
        present: &["keyed-state-memory", "librocksdb-sys"],
        absent: &["fjall", "lsm-tree"],
    },
    DependencyCheck {
        title: "the facade's defaults have no RocksDB",
        selection: &["--package", FACADE, "--edges", "normal,build"],
        present: &["fjall"],
        absent: &["librocksdb-sys"],
    },
    DependencyCheck {
        title: "the default members, tests included, need no C++",
        selection: &["--edges", "normal,build,dev"],
        present: &["fjall", "flights", "keyed-state-tests"],
        absent: &["librocksdb-sys", "bindgen"],
    },
];

/// Runs everything that must pass before a merge, the quick things first.
pub(crate) fn run(session: &mut Session, workspace: &Workspace) -> Result<()> {
    session.run("format", workspace.cargo().args(["fmt", "--all", "--check"]))?;
    session.step("dependencies of each feature", |_| {
        DEPENDENCY_CHECKS.iter().try_for_each(|check| check.run(workspace.cargo()))
    })?;
    features(session, workspace, &Vec::new(), |feature| feature != "rocksdb")?;
    lint(session, workspace, "the pure Rust members", &[], &Vec::new())?;
    document(session, workspace, "the pure Rust members", &[], &Vec::new())?;
    test::in_pure_rust(session, workspace)?;

    let env = rocksdb::prepare(session, workspace)?;
    features(session, workspace, &env, |feature| feature == "rocksdb")?;
    lint(session, workspace, "everything with RocksDB", &rocksdb::selection(workspace), &env)?;
    let own = ["--package".to_owned(), "keyed-state-rocksdb".to_owned()];
    document(session, workspace, "keyed-state-rocksdb", &own, &env)?;
    test::on_rocksdb(session, workspace, &env)
}

/// Lints the facade without features, and with each one alone that `chosen` lets through: what a feature
/// left out leaves unused shows as a warning.
fn features(
    session: &mut Session,
    workspace: &Workspace,
    env: &Env,
    chosen: impl Fn(&str) -> bool,
) -> Result<()> {
    let alone = workspace.features_of(FACADE);
    for feature in std::iter::once("").chain(alone).filter(|feature| chosen(feature)) {
        let title = match feature {
            "" => "the facade without features".to_owned(),
            name => format!("the facade with {name} alone"),
        };
        let mut command = workspace.cargo();
        command.args(["clippy", "--package", FACADE, "--no-default-features"]);
        command.args(["--features", feature, "--", "--deny", "warnings"]);
        session.run(&title, command.envs(env.iter().cloned()))?;
    }
    Ok(())
}

fn lint(
    session: &mut Session,
    workspace: &Workspace,
    of: &str,
    selection: &[String],
    env: &Env,
) -> Result<()> {
    let mut command = workspace.cargo();
    command.args(["clippy", "--all-targets"]).args(selection).envs(env.iter().cloned());
    session.run(&format!("lints of {of}"), command.args(["--", "--deny", "warnings"]))
}

fn document(
    session: &mut Session,
    workspace: &Workspace,
    of: &str,
    selection: &[String],
    env: &Env,
) -> Result<()> {
    let mut command = workspace.cargo();
    command.args(["doc", "--no-deps"]).args(selection).envs(env.iter().cloned());
    session.run(&format!("docs of {of}"), command.env("RUSTDOCFLAGS", "--deny warnings"))
}
