use std::{fmt, fs::File, io, path::Path};

use crate::RunError;

/// Writes rows as CSV, or only counts them.
pub struct Rows {
    csv: Option<csv::Writer<Box<dyn io::Write>>>,
    name: String,
    written: u64,
}

impl Rows {
    /// Creates the file `path`, or takes standard output for `-`, and writes the header; `None` only counts.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`] if that cannot be.
    pub fn create(path: Option<&Path>, header: &[&str]) -> Result<Self, RunError> {
        let (name, output): (String, Option<Box<dyn io::Write>>) = match path {
            None => (String::new(), None),
            Some(path) if path.as_os_str() == "-" => {
                ("standard output".to_owned(), Some(Box::new(io::stdout())))
            }
            Some(path) => {
                let name = path.display().to_string();
                match File::create(path) {
                    Ok(file) => (name, Some(Box::new(file))),
                    Err(source) => return Err(RunError::Output { name, source }),
                }
            }
        };
        let csv = output.map(csv::Writer::from_writer);
        let mut rows = Self { csv, name, written: 0 };
        if rows.are_kept() {
            rows.record(header)?;
        }
        Ok(rows)
    }

    /// Returns whether rows go anywhere; if not, they need not be put together.
    #[must_use]
    pub fn are_kept(&self) -> bool {
        self.csv.is_some()
    }

    /// Writes a row of the fields that `fields` makes; where rows are only counted, it is not called.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`] if the file cannot be written.
    pub fn write<const N: usize>(
        &mut self,
        fields: impl FnOnce() -> [String; N],
    ) -> Result<(), RunError> {
        self.written += 1;
        if self.are_kept() { self.record(&fields()) } else { Ok(()) }
    }

    fn record<F: AsRef<[u8]>>(&mut self, fields: &[F]) -> Result<(), RunError> {
        let Some(csv) = &mut self.csv else { return Ok(()) };
        csv.write_record(fields).map_err(|error| {
            // Unwrapped by hand: `into` would hide that a pipe is broken.
            self.error(match error.into_kind() {
                csv::ErrorKind::Io(error) => error,
                other => io::Error::other(format!("{other:?}")),
            })
        })
    }

    /// Writes out what is buffered, and returns the number of rows. Without it, late errors would be lost.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`] if the file cannot be written.
    pub fn finish(mut self) -> Result<u64, RunError> {
        if let Some(csv) = &mut self.csv {
            csv.flush().map_err(|source| self.error(source))?;
        }
        Ok(self.written)
    }

    fn error(&self, source: io::Error) -> RunError {
        RunError::Output { name: self.name.clone(), source }
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").field("name", &self.name).finish_non_exhaustive()
    }
}
