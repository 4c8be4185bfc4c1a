use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

use super::search::library_in;
use crate::command::shown;

/// On the Python package index: the shared library by itself, for every common platform.
const REQUIREMENT: &str = "libclang==18.1.1";
/// Where the wheel has its library.
const INSIDE: &str = "clang/native";

const ADVICE: &str = "install libclang (Debian and Ubuntu: libclang-dev, Fedora: clang-libs, macOS: Xcode's \
                      command line tools) or pip for python3, or set LIBCLANG_PATH to libclang's folder";

/// Returns the library of the wheel in the folder `target`, after installing it there if it is missing.
pub(crate) fn find_or_install(target: &Path) -> Result<PathBuf> {
    let installed = target.join("libclang");
    if let Some(library) = library_in(&installed.join(INSIDE)) {
        return Ok(library);
    }
    // Renamed once complete, so that an interrupted installation is never taken for a whole one.
    let partial = target.join(format!("libclang.{}.partial", std::process::id()));
    eprintln!("    no libclang on this machine; installing PyPI's into {}", installed.display());
    let result = install(&partial).and_then(|()| {
        if library_in(&partial.join(INSIDE)).is_none() {
            bail!("the package {REQUIREMENT} has no library in {INSIDE}; {ADVICE}");
        }
        remove(&installed)?;
        fs::rename(&partial, &installed)
            .with_context(|| format!("cannot rename {}", partial.display()))
    });
    if let Err(error) = result {
        remove(&partial)?;
        return Err(error);
    }
    library_in(&installed.join(INSIDE)).context("the installed libclang is gone again")
}

fn install(directory: &Path) -> Result<()> {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"])
        .args(["--disable-pip-version-check", "--target"])
        .arg(directory)
        .arg(REQUIREMENT)
        .stdin(Stdio::null());
    let line = shown(&pip);
    eprintln!("    {line}");
    let status = pip.status().with_context(|| format!("cannot start python3; {ADVICE}"))?;
    if !status.success() {
        bail!("`{line}` failed: {status}; {ADVICE}");
    }
    Ok(())
}

fn remove(directory: &Path) -> Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", directory.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_wheel_is_used_without_installing_again() {
        let target = tempfile::tempdir().unwrap();
        let inside = target.path().join("libclang").join(INSIDE);
        fs::create_dir_all(&inside).unwrap();
        let library = inside.join("libclang.so");
        fs::write(&library, "").unwrap();
        assert_eq!(find_or_install(target.path()).unwrap(), library);
    }

    #[test]
    fn removing_what_is_not_there_is_fine() {
        let target = tempfile::tempdir().unwrap();
        remove(&target.path().join("no")).unwrap();
        remove(target.path()).unwrap();
        assert!(!target.path().exists());
    }
}
