//! What makes a session, and the options, output and errors of the command, as a user meets them.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod common;

use std::fs;

use common::{sessions, stdout_of};
use tempfile::NamedTempFile;

const HEADER: &str =
    "sched_dep,dep_delay_min,arr_delay_min,carrier,flight,tailnum,origin,dest,distance_mi\n";

fn input(rows: &str) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    fs::write(&file, format!("{HEADER}{rows}")).unwrap();
    file
}

/// Runs on `rows`, in memory, and returns the exit code, standard output and standard error.
fn run(args: &[&str], rows: &str) -> (i32, String, String) {
    let file = input(rows);
    let mut command = sessions();
    command.args(["--backend", "memory", "--input"]).arg(file.path()).args(args);
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Runs on `rows` and returns the rotations.
fn rotations(args: &[&str], rows: &str) -> Vec<String> {
    let (code, stdout, stderr) = run(&[args, &["--rows", "-"]].concat(), rows);
    assert_eq!(code, 0, "{stderr}");
    stdout.lines().skip(1).map(str::to_owned).collect()
}

fn figures(args: &[&str], rows: &str) -> serde_json::Value {
    let (code, stdout, stderr) = run(&[args, &["--json"]].concat(), rows);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(stdout.lines().count(), 1);
    serde_json::from_str(&stdout).unwrap()
}

/// The second comes 11 h 45 min behind its schedule; the third fills the gap between the first two, which is why their
/// sessions become one.
const JOINED: &str = "\
2013-01-01T05:00,0,0,UA,1,N1,EWR,IAH,1400
2013-01-01T05:10,705,0,UA,2,N1,LGA,ORD,733
2013-01-01T10:50,9,0,UA,3,N1,EWR,BOS,200
";

#[test]
fn a_flight_between_two_rotations_joins_them() {
    let rows = rotations(&[], JOINED);
    assert_eq!(rows, ["N1,2013-01-01T05:00,2013-01-01T16:55,3,EWR,ORD,2333"]);
    assert_eq!(figures(&[], JOINED)["merged"], 2);
    let apart = JOINED.replace("N1,EWR,BOS", "N2,EWR,BOS");
    assert_eq!(
        rotations(&[], &apart),
        [
            "N1,2013-01-01T05:00,2013-01-01T05:00,1,EWR,IAH,1400",
            "N2,2013-01-01T10:59,2013-01-01T10:59,1,EWR,BOS,200",
            "N1,2013-01-01T16:55,2013-01-01T16:55,1,LGA,ORD,733",
        ]
    );
}

#[test]
fn a_gap_exactly_separates_rotations() {
    let rows = "\
2013-01-01T05:00,0,0,UA,1,N1,EWR,IAH,1400
2013-01-01T11:00,0,0,UA,2,N1,EWR,IAH,1400
2013-01-01T16:59,0,0,UA,3,N1,EWR,IAH,1400
";
    let flights = |args: &[&str]| -> Vec<String> {
        rotations(args, rows).iter().map(|row| row.split(',').nth(3).unwrap().to_owned()).collect()
    };
    assert_eq!(flights(&[]), ["1", "2"]);
    assert_eq!(flights(&["--gap", "6h 1m"]), ["3"]);
    assert_eq!(flights(&["--gap", "5h"]), ["1", "1", "1"]);
}

#[test]
fn a_flight_that_departs_earlier_than_is_waited_for_is_late() {
    let rows = "\
2013-01-01T05:00,0,0,UA,1,N1,EWR,IAH,1400
2013-01-01T08:00,-90,0,UA,2,N1,EWR,IAH,1400
2013-01-01T08:00,0,0,UA,3,N2,EWR,IAH,1400
";
    // At 08:00, what departed at 06:30 is over by two minutes.
    let late = ["--gap", "28m"];
    assert_eq!(figures(&late, rows)["late"], 1);
    assert_eq!(rotations(&late, rows).len(), 2);
    for in_time in [&["--gap", "31m"][..], &["--gap", "28m", "--early", "90m"]] {
        assert_eq!(figures(in_time, rows)["late"], 0);
        assert_eq!(rotations(in_time, rows).len(), 3);
    }
}

const MIXED: &str = "\
2013-01-01T05:15,2,11,UA,1545,N2,EWR,IAH,1400
2013-01-01T05:15,,,UA,1546,,EWR,IAH,1400
2013-01-01T05:20,,,UA,1547,N2,EWR,IAH,1400
2013-03-01T00:00,2,5,UA,1545,N2,EWR,MIA,1085
";

#[test]
fn json_is_one_object_with_the_figures() {
    let json = figures(&[], MIXED);
    let mut names: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    let expected = [
        "backend",
        "cancelled",
        "events",
        "events_per_s",
        "late",
        "merged",
        "rows",
        "seconds",
        "skipped",
    ];
    assert_eq!(names, expected);
    let counts = ["events", "skipped", "cancelled", "rows"].map(|name| json[name].as_u64());
    assert_eq!(counts, [Some(4), Some(1), Some(1), Some(2)]);
}

#[test]
fn the_summary_counts_rotations_by_their_flights() {
    let the_day_after = MIXED.replace("2013-01-01", "2013-01-02");
    let (code, stdout, stderr) = run(&[], &format!("{JOINED}{the_day_after}"));
    assert_eq!((code, stderr.as_str()), (0, ""));
    for part in [
        "7 flights, 2013-01 to 2013-03",
        "3  rotations",
        "2  windows merged",
        "1  flights cancelled",
    ] {
        assert!(stdout.contains(part), "{part:?} is not in {stdout}");
    }
}

#[test]
fn malformed_rows_are_errors_or_counted() {
    let rows = MIXED.replace("N2,EWR,MIA", "N2,EWR,?");
    let (code, stdout, stderr) = run(&["--json"], &rows);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.contains("line 5, column 8 (dest): expected an airport"), "{stderr}");
    let json = figures(&["--skip-bad"], &rows);
    assert_eq!(["bad", "events", "rows"].map(|name| json[name].as_u64()), [1, 3, 1].map(Some));
}

#[test]
fn input_without_flights_gives_no_rotations() {
    assert!(rotations(&[], "").is_empty());
    assert_eq!(figures(&[], "")["rows"], 0);
    assert_eq!(run(&[], "").0, 0);
}

#[test]
fn usage_errors_exit_with_2() {
    for args in [
        &["--gap", "0s"][..],
        &["--gap", "6"],
        &["--gap=-6h"],
        &["--early=-1h"],
        &["--rows", "-", "--json"],
        &["--backend", "sqlite"],
    ] {
        let (code, stdout, _) = run(args, "");
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}");
    }
}

#[test]
fn the_largest_gap_and_wait_overflow_nothing() {
    let longest = "9223372036854775s";
    let rows = rotations(&["--gap", longest, "--early", longest], JOINED);
    assert_eq!(rows.len(), 1, "{rows:?}");
}

/// All state of a run is gone at its end, but its watermark tells.
#[test]
fn a_directory_is_not_run_on_twice() {
    let directory = tempfile::tempdir().unwrap();
    let url = format!("fjall:{}", directory.path().join("state").display());
    let file = input(JOINED);
    let mut command = sessions();
    command.args(["--json", "--backend", &url, "--input"]).arg(file.path());
    stdout_of(&mut command);
    let second = command.output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    let stderr = String::from_utf8(second.stderr).unwrap();
    assert!(stderr.contains("holds the state of an earlier run"), "{stderr}");
}
