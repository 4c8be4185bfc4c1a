use std::{fmt, io};

use super::flight::COLUMNS;

/// Why the input cannot be read on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("{name}: cannot open")]
    Open { name: String, source: io::Error },
    #[error("{name}: cannot read on after line {line}")]
    Read { name: String, line: u64, source: io::Error },
    /// The only kind that concerns one row alone, so that the next one can be read.
    #[error("{name}: line {line}, {field}")]
    Row { name: String, line: u64, field: BadField },
    #[error("{name}: line 1, {field}")]
    Header { name: String, field: BadField },
    #[error("{name}: is empty; expected a header line, {}", COLUMNS.join(","))]
    Empty { name: String },
}

/// A field that is not as it must be, and where in its row it stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadField {
    /// Counted from 0; beyond the last column for a field too many.
    column: usize,
    expected: &'static str,
    found: String,
}

impl BadField {
    pub(crate) fn new(column: usize, expected: &'static str, found: &[u8]) -> Self {
        Self { column, expected, found: excerpt(found) }
    }

    /// Says what was found in other words than the bytes themselves.
    pub(crate) fn described(column: usize, expected: &'static str, found: String) -> Self {
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
