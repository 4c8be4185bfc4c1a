//! The rotations on every backend against a calculation that shares no code with the job.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod common;

use std::{collections::BTreeMap, fs, io::Read};

use common::{sessions, stdout_of};

const HEADER: &str = "tailnum,first_dep,last_dep,flights,first_origin,last_dest,miles";

/// A departure: minutes since the beginning of 2012, origin, destination, miles.
type Departure<'a> = (i64, &'a str, &'a str, u64);

fn data() -> String {
    let packed = include_bytes!("../../flights-io/data/flights.csv.gz");
    let mut csv = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut csv).unwrap();
    csv
}

const YEARS: [(i64, i64); 3] = [(2012, 366), (2013, 365), (2014, 365)];

fn months(days_in_year: i64) -> [i64; 12] {
    [31, days_in_year - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}

/// Counts minutes from the beginning of 2012 to a time of 2013.
fn minutes(time: &str) -> i64 {
    let number = |from: usize, to: usize| time[from..to].parse::<usize>().unwrap();
    assert_eq!(number(0, 4), 2013);
    let days_before: i64 = months(365)[..number(5, 7) - 1].iter().sum();
    let [day, hour, minute] =
        [number(8, 10), number(11, 13), number(14, 16)].map(|n| i64::try_from(n).unwrap());
    ((366 + days_before + day - 1) * 24 + hour) * 60 + minute
}

/// Shows minutes from the beginning of 2012.
fn shown(minutes: i64) -> String {
    let (mut day, minute) = (minutes / (24 * 60), minutes % (24 * 60));
    for (year, days) in YEARS {
        for (month, days) in (1..).zip(months(days)) {
            if day < days {
                let (hour, minute) = (minute / 60, minute % 60);
                return format!("{year}-{month:02}-{:02}T{hour:02}:{minute:02}", day + 1);
            }
            day -= days;
        }
    }
    panic!("{minutes} minutes are beyond 2014");
}

/// Sorts all departures of each aircraft and cuts where it stayed on the ground for `gap` minutes; rows sorted.
fn expected_rows(csv: &str, gap: i64) -> Vec<String> {
    let mut departures: BTreeMap<&str, Vec<Departure<'_>>> = BTreeMap::new();
    for line in csv.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [sched_dep, delay, .., tailnum, origin, dest, miles] = fields[..] else { panic!() };
        if !tailnum.is_empty() && !delay.is_empty() {
            let departure = minutes(sched_dep) + delay.parse::<i64>().unwrap();
            let departure = (departure, origin, dest, miles.parse().unwrap());
            departures.entry(tailnum).or_default().push(departure);
        }
    }
    let mut rows = Vec::new();
    for (tailnum, mut departures) in departures {
        departures.sort_unstable();
        for rotation in departures.chunk_by(|before, after| after.0 - before.0 < gap) {
            let (first, last) = (rotation[0], rotation[rotation.len() - 1]);
            let (first_dep, last_dep) = (shown(first.0), shown(last.0));
            let miles: u64 = rotation.iter().map(|departure| departure.3).sum();
            let (flights, origin, dest) = (rotation.len(), first.1, last.2);
            rows.push(format!(
                "{tailnum},{first_dep},{last_dep},{flights},{origin},{dest},{miles}"
            ));
        }
    }
    rows.sort_unstable();
    rows
}

/// Runs the job with `args` and checks its rows of `csv`; returns them in their order.
fn checked_rows(csv: &str, args: &[&str], gap_min: i64) -> Vec<String> {
    let output = String::from_utf8(stdout_of(sessions().args(["--rows", "-"]).args(args))).unwrap();
    let mut lines = output.lines();
    assert_eq!(lines.next(), Some(HEADER));
    let rows: Vec<String> = lines.map(str::to_owned).collect();
    let mut sorted = rows.clone();
    sorted.sort_unstable();
    let expected = expected_rows(csv, gap_min);
    for (row, expected) in sorted.iter().zip(&expected) {
        assert_eq!(row, expected);
    }
    assert_eq!(sorted.len(), expected.len());
    rows
}

fn assert_rotations_are_right(backend: &str) {
    let rows = checked_rows(&data(), &["--backend", backend], 6 * 60);
    assert_eq!(rows.len(), 293_955);
    assert_made_sense(&rows, 6 * 60);
}

/// Checks what holds whatever the right rows are, lest both calculations share an error.
fn assert_made_sense(rows: &[String], gap_min: i64) {
    let mut flights = 0;
    let mut last_departures: BTreeMap<&str, i64> = BTreeMap::new();
    let mut latest_end = i64::MIN;
    for row in rows {
        let fields: Vec<&str> = row.split(',').collect();
        flights += fields[3].parse::<u64>().unwrap();
        // A few flights left in the last minutes of 2012 or the first of 2014.
        let [first, last] = [fields[1], fields[2]].map(|time| match &time[..4] {
            "2012" => minutes(&time.replace("2012-12-31", "2013-01-01")) - 24 * 60,
            "2014" => minutes(&time.replace("2014-01-01", "2013-12-31")) + 24 * 60,
            _ => minutes(time),
        });
        assert!(first <= last, "{row}");
        if let Some(before) = last_departures.insert(fields[0], last) {
            assert!(first - before >= gap_min, "{row} begins {} min after", first - before);
        }
        assert!(last >= latest_end, "{row}: rotations come by their ends");
        latest_end = last;
    }
    assert_eq!(flights, 336_776 - 8_255, "every flight that departed is in one rotation");
}

#[test]
fn rotations_on_memory_equal_the_independent_calculation() {
    assert_rotations_are_right("memory");
}

#[test]
fn rotations_on_fjall_equal_the_independent_calculation() {
    assert_rotations_are_right("fjall");
}

#[cfg(feature = "rocksdb")]
#[test]
fn rotations_on_rocksdb_equal_the_independent_calculation() {
    assert_rotations_are_right("rocksdb");
}

/// From hardly any merging to one rotation of weeks. Timers fire in the same order everywhere, so the rows are the same
/// without sorting.
#[test]
fn rotations_are_right_for_any_gap_and_come_in_one_order() {
    let directory = tempfile::tempdir().unwrap();
    let csv: String = data().split_inclusive('\n').take(10_000).collect();
    let input = directory.path().join("weeks.csv");
    fs::write(&input, &csv).unwrap();
    let input = input.to_str().unwrap();
    for (gap, gap_min) in [("1m", 1), ("6h", 360), ("30h 1m", 1801), ("240h", 14_400)] {
        let [memory, fjall] = ["memory", "fjall"].map(|backend| {
            checked_rows(&csv, &["--input", input, "--gap", gap, "--backend", backend], gap_min)
        });
        assert!(memory == fjall, "the rows for {gap} come in another order");
    }
}
