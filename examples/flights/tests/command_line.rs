//! Options, output and errors of the command, as a user meets them.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod common;

use std::{fs, io::Read, process::Stdio};

use common::{HEADER, flights, run_with, stdout_of};

const ROWS: &str = "\
2013-01-01T05:15,2,11,UA,1545,N2,EWR,IAH,1400
2013-01-01T05:15,,,UA,1546,,EWR,IAH,1400
2013-01-31T23:59,2,-1,UA,1545,N1,EWR,BOS,200
2013-01-31T23:59,2,5,UA,1545,N2,EWR,BOS,200
2013-03-01T00:00,2,5,UA,1545,N2,EWR,MIA,1085
";

fn input(rows: &str) -> Vec<u8> {
    format!("{HEADER}{rows}").into_bytes()
}

/// Runs on `input`, in memory; returns the exit code, standard output and standard error.
fn run(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let output =
        run_with(flights().args(["--backend", "memory", "--input", "-"]).args(args), input);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn rows_come_by_month_and_tail_number() {
    let (code, stdout, stderr) = run(&["--rows", "-"], &input(ROWS));
    assert_eq!(code, 0, "{stderr}");
    let expected = "\
month,tailnum,flights,destinations,top_dest,top_visits
2013-01,N1,1,1,BOS,1
2013-01,N2,2,2,BOS,1
2013-03,N2,1,1,MIA,1
";
    assert_eq!(stdout, expected);
    assert!(stderr.contains("busiest"), "the summary moves to standard error: {stderr}");
}

#[test]
fn json_is_one_object_with_the_figures() {
    let (code, stdout, stderr) = run(&["--json"], &input(ROWS));
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(stdout.lines().count(), 1);
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let names: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = ["backend", "clears", "events", "events_per_s", "rows", "seconds", "skipped"];
    assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), expected.len());
    assert!(expected.iter().all(|name| names.contains(name)), "{names:?}");
    assert_eq!(json["backend"], "memory");
    let counts = ["events", "skipped", "rows", "clears"].map(|name| json[name].as_u64());
    assert_eq!(counts, [Some(5), Some(1), Some(3), Some(3)]);
    assert!(json["seconds"].as_f64().unwrap() > 0.0);
    assert!(json["events_per_s"].as_f64().unwrap() > 0.0);
}

#[test]
fn rows_can_go_to_a_file_beside_json() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("rows.csv");
    let (code, stdout, _) = run(&["--json", "--rows", path.to_str().unwrap()], &input(ROWS));
    assert_eq!(code, 0);
    assert!(stdout.starts_with('{'));
    assert_eq!(fs::read_to_string(path).unwrap().lines().count(), 4);
}

#[test]
fn the_summary_names_the_busiest_aircraft() {
    let (code, stdout, stderr) = run(&[], &input(ROWS));
    assert_eq!((code, stderr.as_str()), (0, ""));
    for part in ["5 flights of 2 aircraft, 2013-01 to 2013-03", "3  rows", "1  flights without"] {
        assert!(stdout.contains(part), "{part:?} is not in {stdout}");
    }
    assert!(stdout.find("N2").unwrap() < stdout.find("N1").unwrap());
}

#[test]
fn a_malformed_row_is_an_error_that_names_line_and_column() {
    let rows = ROWS.replace("N1,EWR", "N1,E?R");
    let (code, stdout, stderr) = run(&["--json"], &input(&rows));
    assert_eq!((code, stdout.as_str()), (1, ""));
    let expected = "error: standard input: line 4, column 7 (origin): \
                    expected an airport of three capital letters, found \"E?R\"\n";
    assert_eq!(stderr, expected);
}

#[test]
fn skip_bad_counts_malformed_rows_and_goes_on() {
    let rows = format!("rubbish\n{}", ROWS.replace("2013-01-31T23:59", "2013-01-32T23:59"));
    let (code, stdout, stderr) = run(&["--skip-bad", "--json"], &input(&rows));
    assert_eq!((code, stderr.as_str()), (0, ""));
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let counts = ["events", "skipped", "bad", "rows"].map(|name| json[name].as_u64());
    assert_eq!(counts, [Some(3), Some(1), Some(3), Some(2)]);
    let (_, summary, _) = run(&["--skip-bad"], &input(&rows));
    assert!(summary.contains("3  malformed rows"), "{summary}");
}

#[test]
fn input_without_rows_gives_none() {
    let (code, stdout, _) = run(&["--rows", "-"], &input(""));
    assert_eq!(code, 0);
    assert_eq!(stdout.lines().count(), 1);
    assert_eq!(run(&[], &input("")).0, 0);
}

#[test]
fn what_is_no_flights_file_is_an_error_and_never_a_panic() {
    let random: Vec<u8> =
        (0..10_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let gzip_of_nothing = [b"\x1F\x8B\x08\x00", &random[..]].concat();
    let inputs: [&[u8]; 8] =
        [b"", b"\n", b"\0", b"\x1F", b"\x1F\x8B", b"\xFF\xFE", &random, &gzip_of_nothing];
    for bytes in inputs {
        for args in [&["--json"][..], &["--json", "--skip-bad"]] {
            let (code, stdout, stderr) = run(args, bytes);
            assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
            assert!(stderr.starts_with("error: standard input: "), "{stderr}");
            assert_eq!(stderr.lines().count(), 1, "{stderr}");
        }
    }
    // Behind a good header, rubbish is bad rows.
    let (code, ..) = run(&["--skip-bad"], &[&input(""), &random[..]].concat());
    assert_eq!(code, 0);
    let (code, ..) = run(&[], &[&input(""), &random[..]].concat());
    assert_eq!(code, 1);
}

#[test]
fn files_are_read_by_content_whatever_their_name() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("no-extension");
    let mut packed = Vec::new();
    flate2::read::GzEncoder::new(&input(ROWS)[..], flate2::Compression::default())
        .read_to_end(&mut packed)
        .unwrap();
    for bytes in [&packed, &input(ROWS)] {
        fs::write(&path, bytes).unwrap();
        let output =
            stdout_of(flights().args(["--backend", "memory", "--json", "--input"]).arg(&path));
        let json: serde_json::Value = serde_json::from_slice(&output).unwrap();
        assert_eq!(json["events"], 5);
    }
    fs::write(&path, &packed[..packed.len() - 9]).unwrap();
    let output = run_with(flights().args(["--backend", "memory", "--input"]).arg(&path), b"");
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("no-extension: cannot read on after line 6"), "{stderr}");
}

#[test]
fn usage_errors_exit_with_2() {
    for args in [
        &["--rows", "-", "--json"][..],
        &["--backend", "sqlite"],
        &["--backend"],
        &["--no-such-option"],
        &["extra"],
    ] {
        let output = run_with(flights().args(args), b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn run_time_errors_exit_with_1_and_name_the_thing() {
    for (args, message) in [
        (&["--input", "/no/such/file"][..], "/no/such/file: cannot open"),
        (&["--input", "/"], "/: cannot read on after line 0"),
        (&["--rows", "/no/such/file"], "/no/such/file: cannot write"),
        (&["--backend", "leveldb:///x"], "unknown scheme \"leveldb\""),
        (&["--backend", "fjall:///x?colour=red"], "unknown option \"colour\""),
    ] {
        let output = run_with(flights().args(args), b"");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(message), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

#[cfg(not(feature = "rocksdb"))]
#[test]
fn rocksdb_without_its_feature_is_an_error_that_names_the_feature() {
    let output = run_with(flights().args(["--backend", "rocksdb"]), b"");
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("--features rocksdb"), "{stderr}");
}

#[test]
fn the_file_of_flights_is_never_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("flights.csv");
    fs::write(&path, input(ROWS)).unwrap();
    let output = run_with(flights().arg("--input").arg(&path).arg("--rows").arg(&path), b"");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read(&path).unwrap(), input(ROWS));
}

#[test]
fn state_in_a_directory_stays_and_is_not_counted_on() {
    let directory = tempfile::tempdir().unwrap();
    let url = format!("fjall:{}", directory.path().join("state").display());
    let run =
        || run_with(flights().args(["--input", "-", "--json", "--backend", &url]), &input(ROWS));
    assert!(run().status.success());
    let second = run();
    assert_eq!(second.status.code(), Some(1));
    let stderr = String::from_utf8(second.stderr).unwrap();
    assert!(stderr.contains("holds the state of an earlier run"), "{stderr}");
}

#[test]
fn temporary_state_is_removed_after_success_and_after_errors() {
    let parent = tempfile::tempdir().unwrap();
    for (input, code) in [(input(ROWS), 0), (input("rubbish\n"), 1)] {
        let output = run_with(
            flights()
                .args(["--input", "-", "--json", "--backend", "fjall"])
                .env("TMPDIR", parent.path()),
            &input,
        );
        assert_eq!(output.status.code(), Some(code));
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = flights()
        .args(["--backend", "memory", "--rows", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
