use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::CliError;

/// A file to be written at the end, opened at the beginning: whoever waits ten minutes for a report must not learn
/// only then that it cannot be written.
#[derive(Debug)]
pub(crate) struct Output {
    what: &'static str,
    path: PathBuf,
    file: File,
    /// The file is new, and goes again if nothing is written to it.
    remove: bool,
}

impl Output {
    /// Opens the file; what is in it stays until [`write`](Self::write).
    pub(crate) fn open(what: &'static str, path: &Path) -> Result<Self, CliError> {
        let is_new = !path.exists();
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|source| cannot_write(what, path, source))?;
        Ok(Self { what, path: path.to_path_buf(), file, remove: is_new })
    }

    pub(crate) fn write(mut self, text: &str) -> Result<(), CliError> {
        let written = self.replace(text);
        self.remove &= written.is_err();
        written.map_err(|source| cannot_write(self.what, &self.path, source))
    }

    fn replace(&mut self, text: &str) -> io::Result<()> {
        // Pipes and devices have no length to cut.
        if self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.file.write_all(text.as_bytes())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.remove {
            // The run has failed and says why; an empty file that stays behind is the lesser trouble.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Writes to standard output.
pub(crate) fn print(what: &'static str, text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|source| cannot_write(what, Path::new("standard output"), source))
}

fn cannot_write(what: &'static str, path: &Path, source: io::Error) -> CliError {
    CliError::Write { what, path: path.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_report_stays_until_there_is_a_new_one() {
        let dir = tempfile::tempdir().unwrap();
        let (old, new) = (dir.path().join("old"), dir.path().join("new"));
        fs::write(&old, "a long old report").unwrap();
        for path in [&old, &new] {
            drop(Output::open("the report", path).unwrap());
        }
        assert_eq!(fs::read_to_string(&old).unwrap(), "a long old report");
        assert!(!new.exists());
        for path in [&old, &new] {
            Output::open("the report", path).unwrap().write("short").unwrap();
            assert_eq!(fs::read_to_string(path).unwrap(), "short");
        }
    }

    #[test]
    fn a_path_that_cannot_be_written_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let error = Output::open("the report", dir.path()).unwrap_err().to_string();
        assert!(error.starts_with(&dir.path().display().to_string()), "{error}");
        assert!(error.ends_with("cannot write the report"), "{error}");
    }
}
