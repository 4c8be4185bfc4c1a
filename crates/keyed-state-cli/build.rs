//! Passes on what was built with what, for the report.

use std::{env, error::Error, fs, path::PathBuf, process::Command};

/// Variables of the crate, and the packages whose versions they hold.
const PACKAGES: [(&str, &str); 2] =
    [("FJALL_VERSION", "fjall"), ("ROCKSDB_VERSION", "librocksdb-sys")];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var_os("RUSTC").ok_or("cargo sets no RUSTC")?;
    let version = String::from_utf8(Command::new(rustc).arg("--version").output()?.stdout)?;
    println!("cargo::rustc-env=RUSTC_VERSION={}", version.trim());

    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("no CARGO_MANIFEST_DIR")?);
    // Installed from a registry there is no lock file above, and the versions remain unknown.
    let Some(lock) =
        folder.ancestors().map(|dir| dir.join("Cargo.lock")).find(|file| file.exists())
    else {
        return Ok(());
    };
    println!("cargo::rerun-if-changed={}", lock.display());
    let lock = fs::read_to_string(lock)?;
    for (variable, package) in PACKAGES {
        let name = format!("name = \"{package}\"");
        let mut lines = lock.lines().skip_while(|line| *line != name);
        let version = lines.nth(1).and_then(|line| line.split('"').nth(1));
        if let Some(version) = version {
            println!("cargo::rustc-env={variable}={version}");
        }
    }
    Ok(())
}
