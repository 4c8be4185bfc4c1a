use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Result, bail};

use crate::command::output_if_any;

/// Finds the library in what `LIBCLANG_PATH` names: its folder or itself.
pub(crate) fn in_given_place(path: &Path) -> Result<PathBuf> {
    if path.is_file() {
        return Ok(path.to_path_buf());
    }
    match library_in(path) {
        Some(library) => Ok(library),
        None => bail!(
            "LIBCLANG_PATH is {}, which is neither a libclang nor a folder with one; \
             unset it to have one found or installed",
            path.display()
        ),
    }
}

/// Returns the library of the first of `directories` that has one.
pub(crate) fn first_in(directories: &[PathBuf]) -> Option<PathBuf> {
    directories.iter().find_map(|directory| library_in(directory))
}

/// Returns the folders in which systems keep libclang, the most deliberate choice first.
pub(crate) fn system_directories() -> Vec<PathBuf> {
    let mut directories = Vec::new();
    directories.extend(output_if_any(Command::new("llvm-config").arg("--libdir")).map(Into::into));
    if cfg!(target_os = "macos") {
        if let Some(tools) = output_if_any(Command::new("xcode-select").arg("--print-path")) {
            let tools = Path::new(&tools);
            directories.push(tools.join("usr/lib"));
            directories.push(tools.join("Toolchains/XcodeDefault.xctoolchain/usr/lib"));
        }
        directories.extend(["/opt/homebrew/opt/llvm/lib".into(), "/usr/local/opt/llvm/lib".into()]);
        return directories;
    }
    for parent in ["/usr/lib", "/usr/lib64", "/usr/local"] {
        directories.extend(llvm_directories(Path::new(parent)));
    }
    directories.extend(["/usr/lib64", "/usr/local/lib", "/usr/lib"].map(PathBuf::from));
    // Not on everybody's path, but always there.
    let listed = ["ldconfig", "/sbin/ldconfig"]
        .into_iter()
        .find_map(|program| output_if_any(Command::new(program).arg("-p")));
    directories.extend(loader_directories(&listed.unwrap_or_default()));
    directories
}

/// Returns the library folders of the LLVM versions under `parent`, the newest first.
fn llvm_directories(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().filter_map(Result::ok);
    let mut versions: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let version = name.to_str()?.strip_prefix("llvm")?.trim_start_matches('-');
            let major = version.split('.').next()?.parse().unwrap_or(0);
            Some((major, entry.path()))
        })
        .collect();
    versions.sort_unstable_by(|one, other| other.cmp(one));
    versions.iter().flat_map(|(_, path)| ["lib", "lib64"].map(|lib| path.join(lib))).collect()
}

/// Returns the folders of the libclangs that `ldconfig -p` lists.
fn loader_directories(listed: &str) -> Vec<PathBuf> {
    listed
        .lines()
        .filter_map(|line| line.split_once(" => "))
        .map(|(_, path)| Path::new(path.trim()))
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_libclang))
        .filter_map(|path| path.parent().map(Path::to_path_buf))
        .collect()
}

/// Returns the libclang in `directory`, the plainest name first.
pub(crate) fn library_in(directory: &Path) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(directory)
        .ok()?
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_str().is_some_and(is_libclang))
        .map(|entry| entry.path())
        // A link may lead nowhere, as where only half of a package is installed.
        .filter(|path| path.is_file())
        .collect();
    found.sort_unstable_by_key(|path| (path.as_os_str().len(), path.clone()));
    found.into_iter().next()
}

/// Whether `name` is the C library, not `libclang-cpp.so.14`, which lacks the functions that bindgen calls.
fn is_libclang(name: &str) -> bool {
    name == "libclang.dylib"
        || name == "libclang.so"
        || name.starts_with("libclang.so.")
        || name.strip_prefix("libclang-").is_some_and(|version| {
            version.starts_with(|c: char| c.is_ascii_digit()) && version.contains(".so")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    #[test]
    fn names_of_the_c_library_are_told_from_others() {
        let is = ["libclang.so", "libclang.so.1", "libclang-14.so.1", "libclang.dylib"];
        let is_not =
            ["libclang-cpp.so.14", "libclang.a", "libclangAST.so", "libclang-14.a", "clang"];
        assert!(is.into_iter().all(is_libclang));
        assert!(!is_not.into_iter().any(is_libclang));
    }

    #[test]
    fn the_first_folder_with_a_library_wins() {
        let root = tempfile::tempdir().unwrap();
        let [none, cpp, one, two] =
            ["none", "cpp", "one", "two"].map(|name| root.path().join(name));
        touch(&cpp.join("libclang-cpp.so.14"));
        touch(&one.join("libclang-15.so.1"));
        touch(&one.join("libclang.so"));
        touch(&two.join("libclang.so.1"));
        let found = |directories: &[&PathBuf]| {
            first_in(&directories.iter().map(|path| (*path).clone()).collect::<Vec<_>>())
        };
        assert_eq!(found(&[&none, &cpp]), None);
        assert_eq!(found(&[&none, &cpp, &one, &two]), Some(one.join("libclang.so")));
        assert_eq!(found(&[&two, &one]), Some(two.join("libclang.so.1")));
    }

    #[test]
    fn newer_versions_of_llvm_come_first() {
        let root = tempfile::tempdir().unwrap();
        for name in ["llvm-9", "llvm-14", "llvm", "llvm17", "clang"] {
            fs::create_dir(root.path().join(name)).unwrap();
        }
        let found = llvm_directories(root.path());
        let names: Vec<_> =
            found.iter().map(|path| path.strip_prefix(root.path()).unwrap()).collect();
        let expected = ["llvm17", "llvm-14", "llvm-9", "llvm"]
            .iter()
            .flat_map(|name| ["lib", "lib64"].map(|lib| Path::new(name).join(lib)))
            .collect::<Vec<_>>();
        assert_eq!(names, expected);
    }

    #[test]
    fn folders_are_read_from_the_loaders_list() {
        let listed = "123 libs found in cache `/etc/ld.so.cache'\n\
            \tlibclang-cpp.so.14 (libc6,x86-64) => /lib/x/libclang-cpp.so.14\n\
            \tlibclang-14.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libclang-14.so.1\n\
            \tlibc.so.6 (libc6) => /lib/libc.so.6\n";
        assert_eq!(loader_directories(listed), [Path::new("/lib/x86_64-linux-gnu")]);
        assert!(loader_directories("").is_empty());
    }

    #[test]
    fn a_given_place_is_a_library_or_its_folder_or_an_error() {
        let root = tempfile::tempdir().unwrap();
        let library = root.path().join("libclang.so");
        assert!(in_given_place(root.path()).unwrap_err().to_string().contains("LIBCLANG_PATH is"));
        touch(&library);
        assert_eq!(in_given_place(root.path()).unwrap(), library);
        assert_eq!(in_given_place(&library).unwrap(), library);
    }
}
