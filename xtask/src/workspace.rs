use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command::output;

/// Variables that a command runs with.
pub(crate) type Env = Vec<(&'static str, OsString)>;

/// What Cargo says about this workspace.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    target: PathBuf,
    members: Vec<Member>,
}

#[derive(Debug, PartialEq, Eq)]
struct Member {
    name: String,
    features: Vec<String>,
}

impl Workspace {
    pub(crate) fn load() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("the folder xtask is not inside the workspace")?;
        let mut command = cargo(root);
        command.args(["metadata", "--no-deps", "--format-version", "1"]);
        Self::from_metadata(root, &output(&mut command)?)
    }

    fn from_metadata(root: &Path, metadata: &str) -> Result<Self> {
        let metadata: Value = serde_json::from_str(metadata).context("cargo metadata")?;
        let target = metadata["target_directory"]
            .as_str()
            .context("cargo metadata has no target_directory")?
            .into();
        let members = metadata["packages"]
            .as_array()
            .context("cargo metadata has no packages")?
            .iter()
            .map(|package| {
                let name = package["name"].as_str().context("a package without name")?.to_owned();
                let features = package["features"].as_object();
                let features = features.into_iter().flat_map(|map| map.keys().cloned()).collect();
                Ok(Member { name, features })
            })
            .collect::<Result<_>>()?;
        Ok(Self { root: root.to_path_buf(), target, members })
    }

    /// Returns the folder that Cargo builds in.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Returns a Cargo command that runs at the workspace's root.
    pub(crate) fn cargo(&self) -> Command {
        cargo(&self.root)
    }

    /// Returns the names of the members that have `feature`.
    pub(crate) fn members_with(&self, feature: &str) -> Vec<&str> {
        self.members
            .iter()
            .filter(|member| member.features.iter().any(|known| known == feature))
            .map(|member| member.name.as_str())
            .collect()
    }

    /// Returns the features of the member `name`, apart from `default`.
    pub(crate) fn features_of(&self, name: &str) -> Vec<&str> {
        self.members
            .iter()
            .filter(|member| member.name == name)
            .flat_map(|member| member.features.iter().map(String::as_str))
            .filter(|feature| *feature != "default")
            .collect()
    }
}

fn cargo(root: &Path) -> Command {
    // Set by `cargo run`; the very Cargo that built this.
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_features_are_read_from_metadata() {
        let metadata = r#"{
            "target_directory": "/t",
            "packages": [
                { "name": "a", "features": { "default": ["x"], "x": [], "rocksdb": ["b/rocksdb"] } },
                { "name": "b", "features": { "rocksdb": [] } },
                { "name": "c", "features": {} }
            ]
        }"#;
        let workspace = Workspace::from_metadata(Path::new("/w"), metadata).unwrap();
        assert_eq!(workspace.target(), Path::new("/t"));
        assert_eq!(workspace.members_with("rocksdb"), ["a", "b"]);
        let mut features = workspace.features_of("a");
        features.sort_unstable();
        assert_eq!(features, ["rocksdb", "x"]);
        assert!(workspace.features_of("unknown").is_empty());
    }

    #[test]
    fn other_json_is_an_error() {
        for other in ["", "[]", "{}", r#"{"target_directory": "/t", "packages": [{}]}"#] {
            assert!(Workspace::from_metadata(Path::new("/w"), other).is_err(), "{other}");
        }
    }
}
