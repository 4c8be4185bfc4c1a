use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use xxhash_rust::xxh3::xxh3_64;

use super::{LIBRARY, build, inputs::Inputs};
use crate::{
    libclang::set_variable,
    workspace::{Env, Workspace},
};

/// Written last into a library's folder; a folder without a true one counts for nothing.
const STAMP: &str = "stamp";

/// Returns the folder of the library for this workspace, building it if the cache has none.
pub(crate) fn find_or_build(workspace: &Workspace, env: &Env) -> Result<PathBuf> {
    let inputs = Inputs::of(workspace)?;
    let cache = directory(|name| set_variable(name).map(PathBuf::from), workspace.target());
    fs::create_dir_all(&cache)
        .with_context(|| format!("cannot create the cache folder {}", cache.display()))?;
    let folder = cache.join(inputs.name());
    let _lock = lock(&beside(&folder, "lock"))?;
    if is_valid(&folder, &inputs) {
        eprintln!("    built before: {}", folder.display());
        return Ok(folder);
    }
    let building = beside(&folder, "building");
    // Of a run that was interrupted: what it left is of unknown age.
    remove(&building)?;
    let library = build::build(workspace, env, &building)?;
    store(&library, &folder, &inputs)?;
    remove(&building)?;
    eprintln!("    kept for later runs: {}", folder.display());
    Ok(folder)
}

/// Returns the folder of cached libraries. `variable` reads the environment.
fn directory(variable: impl Fn(&str) -> Option<PathBuf>, target: &Path) -> PathBuf {
    if let Some(own) = variable("KEYED_STATE_CACHE") {
        return own;
    }
    // By its specification, a relative path there is to be ignored.
    let cache = variable("XDG_CACHE_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| variable("HOME").map(|home| home.join(".cache")));
    cache.map_or_else(|| target.join("keyed-state-cache"), |cache| cache.join("keyed-state"))
}

/// Appends `suffix` to the folder's name. (`with_extension` would cut off what follows the version's last dot.)
fn beside(folder: &Path, suffix: &str) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    name.into()
}

/// Holds the file `path` until dropped, so that two runs do not build the same library at once.
fn lock(path: &Path) -> Result<File> {
    let named = || format!("cannot lock {}", path.display());
    let file = File::create(path).with_context(named)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(fs::TryLockError::WouldBlock) => {
            eprintln!("    another run is at it; waiting for {}", path.display());
            file.lock().with_context(named)?;
        }
        Err(fs::TryLockError::Error(error)) => return Err(error).with_context(named),
    }
    Ok(file)
}

/// Whether `folder` holds the whole library that was built of `inputs`.
fn is_valid(folder: &Path, inputs: &Inputs) -> bool {
    let stamp = fs::read_to_string(folder.join(STAMP));
    let library = fs::read(folder.join(LIBRARY));
    matches!((stamp, library), (Ok(stamp), Ok(library)) if stamp == stamp_of(&library, inputs))
}

fn stamp_of(library: &[u8], inputs: &Inputs) -> String {
    format!("{inputs}bytes {}\nxxh3 {:016x}\n", library.len(), xxh3_64(library))
}

/// Puts `library` into `folder`: under another name first, and renamed once it is whole and on disk.
fn store(library: &Path, folder: &Path, inputs: &Inputs) -> Result<()> {
    let bytes = fs::read(library).with_context(|| format!("cannot read {}", library.display()))?;
    let partial = beside(folder, "partial");
    remove(&partial)?;
    let stored =
        write(&partial, &[(LIBRARY, &bytes), (STAMP, stamp_of(&bytes, inputs).as_bytes())])
            .and_then(|()| remove_io(folder))
            .and_then(|()| fs::rename(&partial, folder));
    stored.with_context(|| format!("cannot store the library in {}", folder.display()))
}

fn write(folder: &Path, files: &[(&str, &[u8])]) -> io::Result<()> {
    fs::create_dir(folder)?;
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::write(&path, bytes)?;
        File::open(&path)?.sync_all()?;
    }
    Ok(())
}

fn remove(folder: &Path) -> Result<()> {
    remove_io(folder).with_context(|| format!("cannot remove {}", folder.display()))
}

fn remove_io(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::inputs::tests::inputs, *};

    #[test]
    fn the_cache_is_where_the_user_wants_it() {
        let with = |set: &[(&str, &str)]| {
            let found = |name: &str| set.iter().find(|(known, _)| *known == name);
            directory(|name| found(name).map(|(_, value)| value.into()), Path::new("/t"))
        };
        let home = ("HOME", "/home/me");
        assert_eq!(with(&[]), Path::new("/t/keyed-state-cache"));
        assert_eq!(with(&[home]), Path::new("/home/me/.cache/keyed-state"));
        assert_eq!(with(&[home, ("XDG_CACHE_HOME", "/c")]), Path::new("/c/keyed-state"));
        assert_eq!(
            with(&[home, ("XDG_CACHE_HOME", "relative")]),
            Path::new("/home/me/.cache/keyed-state")
        );
        assert_eq!(with(&[home, ("KEYED_STATE_CACHE", "own")]), Path::new("own"));
    }

    /// Names end in `-0.19.0+11.8.1-TARGET-HASH`: as extensions, suffixes once made all targets share a lock.
    #[test]
    fn what_stands_beside_a_folder_is_its_own() {
        let [one, other] = ["lz4", "zstd"].map(|features| inputs(features).name());
        let lock = beside(Path::new(&one), "lock");
        assert_eq!(lock, Path::new(&format!("{one}.lock")));
        assert_ne!(lock, beside(Path::new(&other), "lock"));
    }

    #[test]
    fn a_stored_library_is_valid_for_its_inputs_alone() {
        let root = tempfile::tempdir().unwrap();
        let (built, folder) = (root.path().join("built.a"), root.path().join("folder"));
        fs::write(&built, "!<arch> 1").unwrap();
        assert!(!is_valid(&folder, &inputs("lz4")));
        store(&built, &folder, &inputs("lz4")).unwrap();
        assert!(is_valid(&folder, &inputs("lz4")));
        assert!(!is_valid(&folder, &inputs("zstd")));
        fs::write(&built, "!<arch> 2").unwrap();
        store(&built, &folder, &inputs("lz4")).unwrap();
        assert_eq!(fs::read(folder.join(LIBRARY)).unwrap(), b"!<arch> 2");
    }

    /// What a crash, a full disk or a curious hand can leave behind.
    #[test]
    fn incomplete_and_changed_libraries_are_never_trusted() {
        let root = tempfile::tempdir().unwrap();
        let (built, folder) = (root.path().join("built.a"), root.path().join("folder"));
        fs::write(&built, "!<arch>").unwrap();
        let damages: [fn(&Path); 5] = [
            |folder| fs::write(folder.join(LIBRARY), "!<arc").unwrap(),
            |folder| fs::write(folder.join(LIBRARY), "!<arcH>").unwrap(),
            |folder| fs::remove_file(folder.join(LIBRARY)).unwrap(),
            |folder| fs::remove_file(folder.join(STAMP)).unwrap(),
            |folder| fs::write(folder.join(STAMP), "").unwrap(),
        ];
        for damage in damages {
            store(&built, &folder, &inputs("lz4")).unwrap();
            damage(&folder);
            assert!(!is_valid(&folder, &inputs("lz4")));
        }
    }

    #[test]
    fn a_lock_is_exclusive_until_dropped() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("lock");
        let held = lock(&path).unwrap();
        let other = File::create(&path).unwrap();
        assert!(matches!(other.try_lock(), Err(fs::TryLockError::WouldBlock)));
        drop(held);
        other.try_lock().unwrap();
    }
}
