use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::Stdio,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use super::{LIBRARY, PACKAGE, messages::Message};
use crate::{
    command::shown,
    session::clock,
    workspace::{Env, Workspace},
};

/// How often a long build says that it is alive.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// Compiles RocksDB in the folder `building`; returns the static library there.
pub(crate) fn build(workspace: &Workspace, env: &Env, building: &Path) -> Result<PathBuf> {
    let mut command = workspace.cargo();
    command
        .args(["build", "--release", "--package", PACKAGE, "--message-format", "json"])
        .arg("--target-dir")
        .arg(building)
        .envs(env.iter().cloned())
        .env_remove("ROCKSDB_LIB_DIR")
        // Its moving bar and the reports below would write over each other.
        .env("CARGO_TERM_PROGRESS_WHEN", "never")
        .stdout(Stdio::piped());
    let line = shown(&command);
    eprintln!("    compiling RocksDB: about ten minutes on two cores, once on this machine");
    eprintln!("    {line}");
    let mut child = command.spawn().with_context(|| format!("cannot start `{line}`"))?;
    let output = child.stdout.take().context("Cargo's output is piped")?;
    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            // Nobody listens once the other side has failed; the pipe is drained all the same.
            let _ = sender.send(line);
        }
    });

    let start = Instant::now();
    let (mut out_dir, mut total) = (None, None);
    loop {
        match receiver.recv_timeout(REPORT_EVERY) {
            Ok(line) => match Message::parse(&line) {
                Some(Message::ScriptBuilt { sources }) => total = source_files(&sources),
                Some(Message::ScriptRan { out_dir: found }) => out_dir = Some(found),
                None => {}
            },
            Err(RecvTimeoutError::Timeout) => {
                eprintln!("    {}", progress(start.elapsed(), object_files(building), total));
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait().with_context(|| format!("cannot wait for `{line}`"))?;
    if reader.join().is_err() {
        bail!("the thread that reads Cargo's output panicked");
    }
    if !status.success() {
        bail!("compiling RocksDB failed: {status}; to repeat it alone:\n\n    {line}");
    }
    let library = out_dir.context("Cargo did not report where RocksDB was built")?.join(LIBRARY);
    if !library.is_file() {
        bail!("RocksDB was built, but {} is missing", library.display());
    }
    Ok(library)
}

fn progress(elapsed: Duration, done: usize, total: Option<usize>) -> String {
    let elapsed = clock(elapsed);
    match total {
        Some(total) if done > 0 => format!("{elapsed}: {done} of {total} C++ files compiled"),
        None if done > 0 => format!("{elapsed}: {done} C++ files compiled"),
        _ => format!("{elapsed}: compiling what RocksDB needs"),
    }
}

/// Counts the files that the package's build script compiles, by its own list of them.
fn source_files(package: &Path) -> Option<usize> {
    let list = fs::read_to_string(package.join("rocksdb_lib_sources.txt")).ok()?;
    Some(list.lines().filter(|line| !line.trim().is_empty()).count())
}

/// Counts the object files that the package's build script has written so far.
fn object_files(building: &Path) -> usize {
    let scripts = entries(&building.join("release/build"));
    let of_package = scripts.filter(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("librocksdb-sys-"))
    });
    of_package.map(|path| count_objects(&path.join("out"))).sum()
}

fn count_objects(directory: &Path) -> usize {
    entries(directory)
        .map(|path| {
            if path.is_dir() {
                count_objects(&path)
            } else {
                usize::from(path.extension().is_some_and(|extension| extension == "o"))
            }
        })
        .sum()
}

/// Lists `directory`, for counting: what cannot be read, or is not there yet, has nothing to count.
fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_files_of_the_package_are_counted() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(object_files(root.path()), 0);
        for file in [
            "release/build/librocksdb-sys-1f/out/rocksdb/db/a.o",
            "release/build/librocksdb-sys-1f/out/b.o",
            "release/build/librocksdb-sys-1f/out/bindings.rs",
            "release/build/librocksdb-sys-2e/build_script.o",
            "release/build/zstd-sys-3d/out/c.o",
        ] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        assert_eq!(object_files(root.path()), 2);
    }

    #[test]
    fn source_files_are_the_lines_of_the_list() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(source_files(root.path()), None);
        fs::write(root.path().join("rocksdb_lib_sources.txt"), "a.cc\nb.cc\n\n").unwrap();
        assert_eq!(source_files(root.path()), Some(2));
    }

    #[test]
    fn progress_says_how_far_it_is() {
        let at = |done, total| progress(Duration::from_secs(90), done, total);
        assert_eq!(at(0, Some(366)), "1m 30s: compiling what RocksDB needs");
        assert_eq!(at(12, Some(366)), "1m 30s: 12 of 366 C++ files compiled");
        assert_eq!(at(12, None), "1m 30s: 12 C++ files compiled");
    }
}
