//! The rows of every backend against a calculation that shares no code with the job.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod common;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    io::Read,
};

use common::{flights, stdout_of};

const HEADER: &str = "month,tailnum,flights,destinations,top_dest,top_visits";

fn data() -> String {
    let packed = include_bytes!("../../flights-io/data/flights.csv.gz");
    let mut csv = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut csv).unwrap();
    csv
}

/// Calculates the rows of `csv`, all of it in memory and without this library; sorted.
fn expected_rows(csv: &str) -> Vec<String> {
    let mut lines = csv.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name| columns.iter().position(|column| *column == name).unwrap();
    let (sched_dep, tailnum, dest) = (column("sched_dep"), column("tailnum"), column("dest"));

    let mut visits: HashMap<(&str, &str), HashMap<&str, u64>> = HashMap::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        if !fields[tailnum].is_empty() {
            let key = (&fields[sched_dep][..7], fields[tailnum]);
            *visits.entry(key).or_default().entry(fields[dest]).or_default() += 1;
        }
    }
    let mut rows: Vec<String> = visits
        .into_iter()
        .map(|((month, tailnum), dests)| {
            let flights: u64 = dests.values().sum();
            let most = dests.values().max().unwrap();
            let top = dests.iter().filter(|(_, count)| *count == most).map(|(dest, _)| dest);
            let top = top.min().unwrap();
            format!("{month},{tailnum},{flights},{},{top},{most}", dests.len())
        })
        .collect();
    rows.sort_unstable();
    rows
}

/// Checks the output of the job on `csv` and returns its rows.
fn assert_rows_are(csv: &str, output: Vec<u8>) -> Vec<String> {
    let output = String::from_utf8(output).unwrap();
    assert!(output.ends_with('\n'));
    let mut lines = output.lines();
    assert_eq!(lines.next(), Some(HEADER));
    let rows: Vec<String> = lines.map(str::to_owned).collect();
    let expected = expected_rows(csv);
    for (row, expected) in rows.iter().zip(&expected) {
        assert_eq!(row, expected);
    }
    assert_eq!(rows.len(), expected.len());
    rows
}

fn assert_rows_are_right(backend: &str) {
    let output = stdout_of(flights().args(["--rows", "-", "--backend", backend]));
    let rows = assert_rows_are(&data(), output);
    assert_eq!(rows.len(), 37_976);
    assert_made_sense(&rows);
}

/// Checks what holds whatever the right numbers are, lest both calculations share an error.
fn assert_made_sense(rows: &[String]) {
    let mut flights = 0;
    let mut aircraft_by_month: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in rows {
        let fields: Vec<&str> = row.split(',').collect();
        let number = |column: usize| fields[column].parse::<u64>().unwrap();
        let new = aircraft_by_month.entry(fields[0]).or_default().insert(fields[1]);
        assert!(new, "{row} is the second of its month and aircraft");
        assert!(number(5) >= 1 && number(5) + number(3) - 1 <= number(2), "{row}");
        flights += number(2);
    }
    assert_eq!(flights, 336_776 - 2_512, "every flight with a tail number is in one row");
    assert_eq!(aircraft_by_month.len(), 12);
}

#[test]
fn rows_on_memory_equal_the_independent_calculation() {
    assert_rows_are_right("memory");
}

#[cfg(feature = "rocksdb")]
#[test]
fn rows_on_rocksdb_equal_the_independent_calculation() {
    assert_rows_are_right("rocksdb");
}

#[test]
fn rows_on_fjall_equal_the_independent_calculation() {
    assert_rows_are_right("fjall");
}

/// On the flights of the first weeks, so that each strategy meets a month's end in little time.
#[test]
fn rows_on_fjall_do_not_depend_on_how_maps_are_cleared() {
    let directory = tempfile::tempdir().unwrap();
    let csv: String = data().split_inclusive('\n').take(40_000).collect();
    let input = directory.path().join("weeks.csv");
    fs::write(&input, &csv).unwrap();
    for (number, strategy) in ["point_deletes", "range_delete", "adaptive:3"].iter().enumerate() {
        let path = directory.path().join(number.to_string());
        let url = format!("fjall:{}?clear={strategy}", path.display());
        let mut command = flights();
        command.args(["--rows", "-", "--backend", &url, "--input"]).arg(&input);
        assert_rows_are(&csv, stdout_of(&mut command));
    }
}
