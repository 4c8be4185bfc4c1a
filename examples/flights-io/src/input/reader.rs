use std::{
    io::{self, BufRead},
    mem,
};

use super::{
    error::{BadField, InputError},
    flight::{COLUMNS, Fields, Flight},
    lines::{Line, Lines, MAX_LINE_BYTES},
    time::EventTime,
};

const ROW: &str = "a row of 9 fields";

/// Reads flights, one a line, in the order of their scheduled departure.
///
/// A field may be quoted, but a row never goes over a line's end: a lost quote spoils one row, not the rest
/// of the file, and line numbers stay true. Blank lines are passed over.
#[derive(Debug)]
pub struct FlightReader<R> {
    name: String,
    lines: Lines<R>,
    splitter: Splitter,
    latest: Option<EventTime>,
}

impl<R: BufRead> FlightReader<R> {
    /// Reads the header line, which must name the columns. `name` is for error messages.
    ///
    /// # Errors
    ///
    /// [`InputError`] if it does not, or there is none.
    pub fn new(name: String, input: R) -> Result<Self, InputError> {
        let mut reader =
            Self { name, lines: Lines::new(input), splitter: Splitter::new(), latest: None };
        match reader.lines.advance() {
            Ok(Line::End) => Err(InputError::Empty { name: mem::take(&mut reader.name) }),
            Ok(line) => match check_header(line, reader.lines.text(), &mut reader.splitter) {
                Ok(()) => Ok(reader),
                Err(field) => Err(InputError::Header { name: mem::take(&mut reader.name), field }),
            },
            Err(source) => Err(reader.read_error(source)),
        }
    }

    /// Returns the next flight, or `None` at the end.
    ///
    /// # Errors
    ///
    /// [`InputError::Row`] for a bad row, behind which the reader then stands and can go on; [`InputError::Read`] for the last time.
    #[expect(clippy::should_implement_trait, reason = "a flight borrows the reader")]
    pub fn next(&mut self) -> Result<Option<Flight<'_>>, InputError> {
        loop {
            match self.lines.advance() {
                Ok(Line::End) => return Ok(None),
                Ok(Line::Whole) if self.lines.text().is_empty() => {}
                Ok(line) => {
                    let Self { name, lines, splitter, latest } = self;
                    return parse_row(line, lines.text(), splitter, latest).map(Some).map_err(
                        |field| InputError::Row { name: name.clone(), line: lines.number(), field },
                    );
                }
                Err(source) => return Err(self.read_error(source)),
            }
        }
    }

    fn read_error(&self, source: io::Error) -> InputError {
        InputError::Read { name: self.name.clone(), line: self.lines.number(), source }
    }
}

fn parse_row<'a>(
    line: Line,
    text: &[u8],
    splitter: &'a mut Splitter,
    latest: &mut Option<EventTime>,
) -> Result<Flight<'a>, BadField> {
    let flight = Flight::parse(&splitter.split(line, text)?)?;
    if let Some(latest) = latest
        && flight.sched_dep < *latest
    {
        let found = format!("{}, after {latest}", flight.sched_dep);
        return Err(BadField::described(0, "a time not before that of the row above", found));
    }
    *latest = Some(flight.sched_dep);
    Ok(flight)
}

fn check_header(line: Line, text: &[u8], splitter: &mut Splitter) -> Result<(), BadField> {
    // Spreadsheets write a byte order mark.
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let names = splitter.split(line, text)?;
    match (0..).zip(names).zip(COLUMNS).find(|((_, name), column)| *name != column.as_bytes()) {
        Some(((column, name), _)) => Err(BadField::new(column, "the column's name", name)),
        None => Ok(()),
    }
}

/// Splits a line into its fields.
///
/// On `csv_core`, the machine inside the `csv` crate: `csv::Reader` itself takes a quoted field over any
/// number of lines and keeps all of it in memory.
#[derive(Debug)]
struct Splitter {
    machine: csv_core::Reader,
    line: Vec<u8>,
    fields: Vec<u8>,
    ends: [usize; COLUMNS.len() + 2],
}

impl Splitter {
    fn new() -> Self {
        Self {
            machine: started_machine(),
            line: Vec::new(),
            fields: vec![0; MAX_LINE_BYTES + 1],
            ends: [0; COLUMNS.len() + 2],
        }
    }

    fn split(&mut self, line: Line, text: &[u8]) -> Result<Fields<'_>, BadField> {
        if line == Line::TooLong {
            let found = format!("a line of more than {MAX_LINE_BYTES} bytes");
            return Err(BadField::described(0, ROW, found));
        }
        self.line.clear();
        self.line.extend_from_slice(text);
        self.line.push(b'\n');
        let (result, taken, _, ends) =
            self.machine.read_record(&self.line, &mut self.fields, &mut self.ends);
        let bad = match result {
            csv_core::ReadRecordResult::Record if taken == self.line.len() => None,
            csv_core::ReadRecordResult::Record => {
                let found = "a carriage return within the line".to_owned();
                Some(BadField::described(ends.saturating_sub(1), ROW, found))
            }
            csv_core::ReadRecordResult::OutputEndsFull => {
                Some(BadField::described(COLUMNS.len(), ROW, "more".to_owned()))
            }
            // The line's end was taken into a field, so that field has a quote that nothing closes.
            csv_core::ReadRecordResult::InputEmpty
            | csv_core::ReadRecordResult::OutputFull
            | csv_core::ReadRecordResult::End => {
                let found = "the end of the line".to_owned();
                Some(BadField::described(ends, "a closing quote", found))
            }
        };
        if let Some(bad) = bad {
            self.machine = started_machine();
            return Err(bad);
        }
        if ends != COLUMNS.len() {
            let column = ends.min(COLUMNS.len());
            return Err(BadField::described(column, ROW, format!("{ends}")));
        }
        let mut start = 0;
        Ok(std::array::from_fn(|column| {
            let end = self.ends[column];
            let field = &self.fields[start..end];
            start = end;
            field
        }))
    }
}

/// Returns a machine that takes no line for the first of a file, where it would drop a byte order mark.
fn started_machine() -> csv_core::Reader {
    let mut machine = csv_core::Reader::new();
    machine.read_field(b"\n", &mut [0]);
    machine
}
