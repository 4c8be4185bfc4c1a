//! Finding libclang, by which bindgen reads RocksDB's C header.

mod search;
mod wheel;

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Result;

use crate::{
    command::output_if_any,
    workspace::{Env, Workspace},
};

/// Set to `wheel`, passes over the libclang of the system.
const CHOICE: &str = "KEYED_STATE_LIBCLANG";

/// Finds or installs libclang; returns the variables by which bindgen finds it and its headers.
pub(crate) fn prepare(workspace: &Workspace) -> Result<Env> {
    let library = if let Some(path) = set_variable("LIBCLANG_PATH") {
        search::in_given_place(Path::new(&path))?
    } else if let Some(library) = on_system() {
        library
    } else {
        wheel::find_or_install(workspace.target())?
    };
    eprintln!("    libclang: {}", library.display());

    let mut env = Env::new();
    if set_variable("LIBCLANG_PATH").is_none()
        && let Some(directory) = library.parent()
    {
        env.push(("LIBCLANG_PATH", directory.into()));
    }
    if set_variable("BINDGEN_EXTRA_CLANG_ARGS").is_none()
        && !has_own_headers(&library)
        && let Some(headers) = compiler_headers()
    {
        eprintln!("    its headers: {}", headers.display());
        env.push(("BINDGEN_EXTRA_CLANG_ARGS", clang_argument(&headers)));
    }
    Ok(env)
}

fn on_system() -> Option<PathBuf> {
    if env::var_os(CHOICE).is_some_and(|choice| choice == "wheel") {
        eprintln!("    {CHOICE}=wheel: not looking for a libclang on the system");
        return None;
    }
    search::first_in(&search::system_directories())
}

/// Returns a variable that is set to something.
pub(crate) fn set_variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Whether the headers of a compiler (`stddef.h` and its like) lie where this libclang looks for them. A
/// library alone, such as the wheel or Debian's `libclang1`, comes without.
fn has_own_headers(library: &Path) -> bool {
    let real = fs::canonicalize(library).unwrap_or_else(|_| library.to_path_buf());
    [library, &real].into_iter().filter_map(Path::parent).any(|directory| {
        ["clang", "../lib/clang", "../clang"]
            .into_iter()
            .filter_map(|versions| fs::read_dir(directory.join(versions)).ok())
            .flat_map(|versions| versions.filter_map(Result::ok))
            .any(|version| version.path().join("include/stddef.h").is_file())
    })
}

/// Returns the folder of the C compiler's own headers, which libclang can use as well.
fn compiler_headers() -> Option<PathBuf> {
    let compilers = [set_variable("CC"), Some("cc".into()), Some("gcc".into())];
    compilers.into_iter().flatten().find_map(|compiler| {
        let directory = output_if_any(Command::new(compiler).arg("-print-file-name=include"))?;
        let directory = PathBuf::from(directory);
        directory.join("stddef.h").is_file().then_some(directory)
    })
}

/// Quotes `directory` for bindgen, which splits its variable as a shell does.
fn clang_argument(directory: &Path) -> OsString {
    let directory = directory.to_string_lossy();
    if directory.contains(char::is_whitespace) {
        return format!("\"-I{directory}\"").into();
    }
    format!("-I{directory}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_where_libclang_looks_for_them() {
        let root = tempfile::tempdir().unwrap();
        let library = root.path().join("llvm-17/lib/libclang.so.1");
        fs::create_dir_all(library.parent().unwrap()).unwrap();
        fs::write(&library, "").unwrap();
        assert!(!has_own_headers(&library));
        let include = root.path().join("llvm-17/lib/clang/17/include");
        fs::create_dir_all(&include).unwrap();
        assert!(!has_own_headers(&library));
        fs::write(include.join("stddef.h"), "").unwrap();
        assert!(has_own_headers(&library));
    }

    #[test]
    fn folders_with_spaces_are_quoted() {
        assert_eq!(clang_argument(Path::new("/usr/include")), "-I/usr/include");
        assert_eq!(clang_argument(Path::new("/a b")), "\"-I/a b\"");
    }
}
