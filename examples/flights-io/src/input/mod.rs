//! Reading flights from CSV that may be gzipped, damaged or no such thing at all.

mod error;
mod flight;
mod lines;
mod reader;
mod time;

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use flate2::bufread::MultiGzDecoder;
use indicatif::ProgressBar;

pub use error::{BadField, InputError};
pub use flight::Flight;
pub use reader::FlightReader;
pub use time::{EventTime, Month};

/// Built in, so that the job runs from any directory.
const BUILT_IN: &[u8] = include_bytes!("../../data/flights.csv.gz");

/// Opens `path`, standard input for `-`, the built-in data for `None`, and reads the header.
///
/// Whether the bytes are gzipped is seen by their first two, not by the name. `progress` counts the bytes as
/// they are stored.
///
/// # Errors
///
/// [`InputError`] if the file or its header is not as it must be.
pub fn open(
    path: Option<&Path>,
    progress: &ProgressBar,
) -> Result<FlightReader<Box<dyn BufRead>>, InputError> {
    let (name, bytes): (String, Box<dyn Read>) = match path {
        None => {
            progress.set_length(BUILT_IN.len() as u64);
            ("built-in flights".to_owned(), Box::new(BUILT_IN))
        }
        Some(path) if path.as_os_str() == "-" => {
            ("standard input".to_owned(), Box::new(io::stdin().lock()))
        }
        Some(path) => {
            let name = path.display().to_string();
            let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
            let (metadata, file) =
                opened.map_err(|source| InputError::Open { name: name.clone(), source })?;
            // A pipe or a device has no length to measure progress by.
            if metadata.is_file() {
                progress.set_length(metadata.len());
            }
            (name, Box::new(file))
        }
    };
    match decompressed(progress.wrap_read(bytes)) {
        Ok(input) => FlightReader::new(name, input),
        Err(source) => Err(InputError::Read { name, line: 0, source }),
    }
}

fn decompressed(mut bytes: impl Read + 'static) -> io::Result<Box<dyn BufRead>> {
    const GZIP_MAGIC: [u8; 2] = [0x1F, 0x8B];
    // A pipe may hand over one byte at a time.
    let mut start = Vec::new();
    bytes.by_ref().take(GZIP_MAGIC.len() as u64).read_to_end(&mut start)?;
    let gzipped = start == GZIP_MAGIC;
    let bytes = BufReader::new(io::Cursor::new(start).chain(bytes));
    Ok(if gzipped { Box::new(BufReader::new(MultiGzDecoder::new(bytes))) } else { Box::new(bytes) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads everything and returns the number of flights and the errors of bad rows.
    fn read(input: &[u8]) -> Result<(usize, Vec<String>), InputError> {
        let input = decompressed(io::Cursor::new(input.to_vec())).unwrap();
        let mut reader = FlightReader::new("test".to_owned(), input)?;
        let (mut flights, mut bad) = (0, Vec::new());
        loop {
            match reader.next() {
                Ok(Some(_)) => flights += 1,
                Ok(None) => return Ok((flights, bad)),
                Err(error @ InputError::Row { .. }) => bad.push(error.to_string()),
                Err(error) => return Err(error),
            }
        }
    }

    fn with_header(rows: &str) -> Vec<u8> {
        format!("{}\n{rows}", flight::COLUMNS.join(",")).into_bytes()
    }

    const ROW: &str = "2013-01-01T05:15,2,11,UA,1545,N14228,EWR,IAH,1400\n";

    #[test]
    fn the_built_in_data_is_whole() {
        assert_eq!(read(BUILT_IN).unwrap(), (336_776, vec![]));
    }

    #[test]
    fn forms_of_one_row_read_alike() {
        let quoted = ROW.trim_end().replace(',', "\",\"");
        for rows in [
            ROW.to_owned(),
            ROW.trim_end().to_owned(),
            ROW.replace('\n', "\r\n"),
            format!("\n{ROW}\r\n\n"),
            format!("\"{quoted}\"\n"),
        ] {
            assert_eq!(read(&with_header(&rows)).unwrap(), (1, vec![]), "{rows:?}");
        }
        let marked = [b"\xEF\xBB\xBF".to_vec(), with_header(ROW)].concat();
        assert_eq!(read(&marked).unwrap(), (1, vec![]));
    }

    #[test]
    fn a_bad_row_is_named_and_spoils_no_other() {
        let cases = [
            (
                "2013-01-01T05:15,x,11,UA,1545,N1,EWR,IAH,1\n",
                "column 2 (dep_delay_min): expected whole",
            ),
            (
                "2013-01-01T05:15,2\n",
                "column 3 (arr_delay_min): expected a row of 9 fields, found 2",
            ),
            ("2013-01-01T05:15,2,11,UA,1,N1,EWR,IAH,1,\n", "column 10: expected a row of 9 fields"),
            (&",".repeat(4000), "column 10: expected a row of 9 fields, found more"),
            (
                "2013-01-01T05:15,\"2,11,UA,1\n",
                "column 2 (dep_delay_min): expected a closing quote",
            ),
            (
                "2013-01-01T05:15,2,11\r,UA,1,N1,EWR,IAH,1\n",
                "column 3 (arr_delay_min): expected a row",
            ),
            (
                "2013-01-01T05:14,2,11,UA,1545,N1,EWR,IAH,1\n",
                "column 1 (sched_dep): expected a time not",
            ),
            (
                "\u{FEFF}2013-01-01T05:15,,,UA,1,N1,EWR,IAH,1\n",
                "column 1 (sched_dep): expected a time of",
            ),
            (
                &"x".repeat(5000),
                "column 1 (sched_dep): expected a row of 9 fields, found a line of more",
            ),
            ("\0\n", "column 2 (dep_delay_min): expected a row of 9 fields, found 1"),
        ];
        for (bad, message) in cases {
            let bad = bad.trim_end_matches('\n');
            let (flights, errors) = read(&with_header(&format!("{ROW}{bad}\n{ROW}"))).unwrap();
            assert_eq!((flights, errors.len()), (2, 1), "{message}");
            let expected = format!("test: line 3, {message}");
            assert!(errors[0].starts_with(&expected), "{} is not {expected}", errors[0]);
        }
    }

    #[test]
    fn a_wrong_header_is_an_error_of_line_1() {
        let header = flight::COLUMNS.join(",");
        for (input, message) in [
            (String::new(), "test: is empty; expected a header line, sched_dep,dep_delay"),
            (
                ROW.to_owned(),
                "test: line 1, column 1 (sched_dep): expected the column's name, found",
            ),
            (header.replace("dest", "to"), "test: line 1, column 8 (dest): expected the column's"),
            (
                format!("{header},x"),
                "test: line 1, column 10: expected a row of 9 fields, found 10",
            ),
            ("\n".to_owned(), "test: line 1, column 1 (sched_dep): expected"),
        ] {
            let error = read(input.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn a_cut_or_damaged_archive_is_an_error_and_never_a_panic() {
        for length in [2, 3, 10, 11, 100, 5000, BUILT_IN.len() - 1] {
            let error = read(&BUILT_IN[..length]).unwrap_err();
            assert!(matches!(error, InputError::Read { .. }), "{length} bytes: {error}");
        }
        for at in [12, 1000, 20_000] {
            let mut damaged = BUILT_IN[..40_000].to_vec();
            damaged[at] ^= 0x55;
            assert!(read(&damaged).is_err());
        }
        let trailing = [BUILT_IN, b"no gzip"].concat();
        assert!(matches!(read(&trailing).unwrap_err(), InputError::Read { .. }));
    }

    #[test]
    fn archives_of_several_members_are_read_to_the_end() {
        let gzip = |bytes: &[u8]| {
            let mut packed = Vec::new();
            flate2::bufread::GzEncoder::new(bytes, flate2::Compression::fast())
                .read_to_end(&mut packed)
                .unwrap();
            packed
        };
        let two = [gzip(&with_header(ROW)), gzip(ROW.as_bytes())].concat();
        assert_eq!(read(&two).unwrap(), (2, vec![]));
    }
}
