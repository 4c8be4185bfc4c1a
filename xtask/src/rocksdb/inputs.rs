use std::{env, fmt, process::Command};

use anyhow::{Context, Result};
use xxhash_rust::xxh3::xxh3_64;

use super::PACKAGE;
use crate::{
    command::{output, output_if_any},
    libclang::set_variable,
    workspace::Workspace,
};

/// Raise it to make every cached library a stranger.
const FORMAT: u32 = 1;

/// The variables that change what the C++ compiler makes.
const VARIABLES: [&str; 8] = [
    "CFLAGS",
    "CXX",
    "CXXFLAGS",
    "CXXSTDLIB",
    "CARGO_ENCODED_RUSTFLAGS",
    "ROCKSDB_CXX_STD",
    "ROCKSDB_INCLUDE_DIR",
    "RUSTFLAGS",
];

/// Everything that a built library depends on. Another input, another library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inputs {
    /// Version and features of `librocksdb-sys`.
    package: String,
    target: String,
    /// The first line of the compiler's `--version`: a library may not link with another one's C++ library.
    compiler: String,
    variables: Vec<(&'static str, String)>,
}

impl Inputs {
    pub(crate) fn of(workspace: &Workspace) -> Result<Self> {
        let mut tree = workspace.cargo();
        tree.args(["tree", "--package", PACKAGE, "--edges", "normal", "--prefix", "none"]);
        let package = resolved_package(&output(tree.args(["--format", "{p} {f}"]))?)?;
        let target = match set_variable("CARGO_BUILD_TARGET") {
            Some(target) => target.to_string_lossy().into_owned(),
            None => host(&output(Command::new("rustc").arg("-vV"))?)?,
        };
        let compiler = set_variable("CXX").unwrap_or_else(|| "c++".into());
        let compiler = output_if_any(Command::new(&compiler).arg("--version"))
            .and_then(|version| version.lines().next().map(str::to_owned))
            .with_context(|| {
                format!(
                    "RocksDB needs a C++ compiler, and `{0} --version` does not run; install g++ or \
                     clang++, or set CXX",
                    compiler.display()
                )
            })?;
        let set = |name| Some((name, env::var_os(name)?.to_string_lossy().into_owned()));
        let variables = VARIABLES.into_iter().filter_map(set).collect();
        Ok(Self { package, target, compiler, variables })
    }

    /// Returns a name for a folder that no other inputs have.
    pub(crate) fn name(&self) -> String {
        let version = self.package.split_whitespace().nth(1).unwrap_or_default();
        let hash = xxh3_64(self.to_string().as_bytes());
        format!("rocksdb-{}-{}-{hash:016x}", version.trim_start_matches('v'), self.target)
    }
}

/// One line for each input, as the stamp of a cached library has them.
impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { package, target, compiler, variables } = self;
        writeln!(f, "format {FORMAT}\npackage {package}\ntarget {target}\ncompiler {compiler}")?;
        variables.iter().try_for_each(|(name, value)| writeln!(f, "{name} {value:?}"))
    }
}

/// Finds `librocksdb-sys v0.19.0+11.8.1 lz4,static,zstd` in the output of `cargo tree`.
fn resolved_package(tree: &str) -> Result<String> {
    let line = tree.lines().find(|line| line.starts_with("librocksdb-sys v"));
    let line = line.with_context(|| format!("{PACKAGE} does not depend on librocksdb-sys"))?;
    Ok(line.trim_end_matches("(*)").trim_end().to_owned())
}

/// Finds the host's target triple in the output of `rustc -vV`.
fn host(version: &str) -> Result<String> {
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("`rustc -vV` does not name its host")?.to_owned())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn inputs(features: &str) -> Inputs {
        Inputs {
            package: format!("librocksdb-sys v0.19.0+11.8.1 {features}"),
            target: "x86_64-unknown-linux-gnu".to_owned(),
            compiler: "c++ 12.2.0".to_owned(),
            variables: vec![("CXXFLAGS", "-g \n".to_owned())],
        }
    }

    #[test]
    fn the_package_is_found_in_cargos_tree() {
        let tree = "keyed-state-rocksdb v0.1.0 (/w) \nrocksdb v0.25.0 lz4,zstd\n\
            librocksdb-sys v0.19.0+11.8.1 lz4,static,zstd (*)\n";
        assert_eq!(
            resolved_package(tree).unwrap(),
            "librocksdb-sys v0.19.0+11.8.1 lz4,static,zstd"
        );
        assert!(resolved_package("fjall v3.1.13\n").is_err());
    }

    #[test]
    fn the_host_is_found_in_rustcs_version() {
        assert_eq!(host("rustc 1.95.0\nhost: riscv64gc-x\nrelease: 1\n").unwrap(), "riscv64gc-x");
        assert!(host("rustc 1.95.0").is_err());
    }

    #[test]
    fn every_input_changes_the_name() {
        let one = inputs("lz4,zstd");
        assert!(one.name().starts_with("rocksdb-0.19.0+11.8.1-x86_64-unknown-linux-gnu-"));
        assert_eq!(one.name(), inputs("lz4,zstd").name());
        let others = [
            inputs("lz4"),
            Inputs { target: "aarch64-apple-darwin".to_owned(), ..one.clone() },
            Inputs { compiler: "c++ 14.1.0".to_owned(), ..one.clone() },
            Inputs { variables: Vec::new(), ..one.clone() },
        ];
        assert!(others.iter().all(|other| other.name() != one.name()));
        assert_eq!(one.to_string().lines().count(), 5, "values cannot forge lines");
    }
}
