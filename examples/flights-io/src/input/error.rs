use std::{fmt, io};

use super::flight::COLUMNS;

/// Why the input cannot be read on.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// There is no such file, or it may not be read.
    #[error("{name}: cannot open")]
    Open {
        /// The file, or what else it is.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// Reading failed, or a compressed file is damaged.
    #[error("{name}: cannot read on after line {line}")]
    Read {
        /// The file, or what else it is.
        name: String,
        /// The last line that was read.
        line: u64,
        /// Why.
        source: io::Error,
    },
    /// The only kind that concerns one row alone, so that the next one can be read.
    #[error("{name}: line {line}, {field}")]
    Row {
        /// The file, or what else it is.
        name: String,
        /// Where, counted from 1.
        line: u64,
        /// What is wrong with it.
        field: BadField,
    },
    /// The first line does not name the columns.
    #[error("{name}: line 1, {field}")]
    Header {
        /// The file, or what else it is.
        name: String,
        /// What is wrong with it.
        field: BadField,
    },
    /// There is no line at all.
    #[error("{name}: is empty; expected a header line, {}", COLUMNS.join(","))]
    Empty {
        /// The file, or what else it is.
        name: String,
    },
}

/// A field that is not as it must be, and where in its row it stands.
#[derive(Debug, PartialEq, Eq)]
pub struct BadField {
    /// Counted from 0; beyond the last column for a field too many.
    column: usize,
    expected: &'static str,
    found: String,
}

impl BadField {
    pub(super) fn new(column: usize, expected: &'static str, found: &[u8]) -> Self {
        Self { column, expected, found: excerpt(found) }
    }

    /// Says what was found in other words than the bytes themselves.
    pub(super) fn described(column: usize, expected: &'static str, found: String) -> Self {
        Self { column, expected, found }
    }
}

impl fmt::Display for BadField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}", self.column + 1)?;
        if let Some(name) = COLUMNS.get(self.column) {
            write!(f, " ({name})")?;
        }
        write!(f, ": expected {}, found {}", self.expected, self.found)
    }
}

/// Shows the first characters of any bytes, quoted and escaped.
fn excerpt(bytes: &[u8]) -> String {
    const SHOWN_CHARS: usize = 40;
    if bytes.is_empty() {
        return "nothing".to_owned();
    }
    // Four bytes hold any character.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN_CHARS)]);
    let shown: String = text.chars().take(SHOWN_CHARS).collect();
    let dots = if shown.len() < bytes.len() && bytes.len() > SHOWN_CHARS { " …" } else { "" };
    format!("{shown:?}{dots}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_named_by_number_and_name() {
        let show = |column| BadField::new(column, "a number", b"x\n\"").to_string();
        assert_eq!(show(1), r#"column 2 (dep_delay_min): expected a number, found "x\n\"""#);
        assert_eq!(show(9), r#"column 10: expected a number, found "x\n\"""#);
    }

    #[test]
    fn excerpts_are_short_whatever_the_bytes() {
        assert_eq!(excerpt(b""), "nothing");
        assert_eq!(excerpt(b"\xFF\x00"), "\"\u{FFFD}\\0\"");
        assert_eq!(excerpt(&[b'x'; 40]), format!("{:?}", "x".repeat(40)));
        assert_eq!(excerpt(&[b'x'; 41]), format!("{:?} …", "x".repeat(40)));
        assert!(excerpt(&[0xFF; 4096]).chars().count() < 50);
    }
}
