//! One run of everything, as small as it can be, and what is refused before a run begins.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

/// All that are built in.
const ENGINES: &[&str] = if cfg!(feature = "rocksdb") { &["fjall", "rocksdb"] } else { &["fjall"] };
const STRATEGIES: [&str; 4] = ["generation", "point_deletes", "range_delete", "adaptive"];

fn bench_clear(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_keyed-state"))
        .args(["bench", "clear", "--tiny"])
        .args(arguments)
        .output()
        .expect("the command starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a temporary directory in UTF-8")
}

#[test]
fn a_run_writes_every_workload_and_strategy_as_tables_json_and_page() {
    let dir = tempfile::tempdir().unwrap();
    let (page, json) = (dir.path().join("report.html"), dir.path().join("report.json"));
    let scratch = dir.path().join("scratch");
    fs::create_dir(&scratch).unwrap();
    let output =
        bench_clear(&["--report", path(&page), "--json", path(&json), "--dir", path(&scratch)]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "no bars where there is no terminal");
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0, "the databases are removed");

    check_json(&serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap());
    check_page(&fs::read_to_string(&page).unwrap());
    let tables = text(&output.stdout);
    for part in ["At a glance", "The call of clear alone", "Window loops", "cleared"] {
        assert!(tables.contains(part), "{part}: {tables}");
    }
    check_numbers(tables);
}

fn check_json(figures: &Value) {
    let engines = figures["engines"].as_array().expect("an array");
    let names: Vec<_> = engines.iter().map(|engine| &engine["engine"]).collect();
    assert_eq!(names, ENGINES);
    engines.iter().for_each(check_engine);
}

fn check_engine(engine: &Value) {
    let cases = |workload: &str, fields: &[&str]| {
        let mut found = BTreeSet::new();
        for row in engine[workload].as_array().expect("an array") {
            let keys = fields.iter().map(|field| row[*field].to_string());
            found.insert((
                row["strategy"].as_str().expect("a name").to_owned(),
                keys.collect::<Vec<_>>(),
            ));
            for (name, value) in row.as_object().expect("an object") {
                if !name.starts_with("call") && !name.starts_with("cpu") {
                    assert!(!value.is_null(), "{workload} {name}");
                }
            }
        }
        for strategy in STRATEGIES {
            assert!(found.iter().any(|(name, _)| name == strategy), "{workload} {strategy}");
        }
        found.len()
    };
    assert_eq!(cases("cost", &["entries"]), 5 * 5, "and once without clears");
    assert_eq!(cases("window", &["keys", "entries"]), 4 * 4);
    assert_eq!(cases("guard", &["outstanding"]), 2 * 4);
    assert_eq!(cases("reads", &["state", "cleared_percent"]), 3 * 4 * 4);
}

fn check_page(html: &str) {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let page = roxmltree::Document::parse_with_options(html, options).expect("well-formed");
    let count = |name: &str| page.descendants().filter(|node| node.has_tag_name(name)).count();
    assert_eq!(count("script"), 0);
    let svg = ("http://www.w3.org/2000/svg", "svg");
    let charts: Vec<_> = page.descendants().filter(|node| node.has_tag_name(svg)).collect();
    assert_eq!(charts.len(), ENGINES.len() * (3 + 4 + 1 + 2 + 6));
    for chart in charts {
        let named = |name| {
            let mut children = chart.children();
            children.any(|node| node.tag_name().name() == name && node.text().is_some())
        };
        assert!(named("title") && named("desc"));
    }
    let ids: Vec<_> = page.descendants().filter_map(|node| node.attribute("id")).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "each id is there once");
    for attribute in page.descendants().flat_map(|node| node.attributes()) {
        let (name, value) = (attribute.name(), attribute.value());
        assert!(!value.contains("://") && !value.contains("NaN"), "{name}={value}");
        assert!(name != "src" && (name != "href" || value == "data:,"), "{name}={value}");
    }
    assert!(html.contains("prefers-color-scheme: dark"));
    let texts: Vec<_> = page.descendants().filter(roxmltree::Node::is_text).collect();
    texts.iter().filter_map(roxmltree::Node::text).for_each(check_numbers);
}

fn check_numbers(text: &str) {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    for word in words {
        assert!(!["nan", "inf"].contains(&&*word.to_ascii_lowercase()), "{text}");
    }
}

#[test]
fn json_on_standard_output_is_alone_there_and_strategies_can_be_chosen() {
    let output = bench_clear(&["--json", "-", "--engine", "fjall", "--strategies", "adaptive:5"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(figures["strategies"], serde_json::json!(["adaptive:5"]));
    assert_eq!(figures["engines"][0]["guard"].as_array().unwrap().len(), 2);
}

#[test]
fn what_cannot_be_written_is_named_before_anything_is_measured() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("missing");
    let inside = missing.join("file");
    let cases = [
        ("--report", path(&inside), "cannot write the report: No such file or directory"),
        ("--report", path(dir.path()), "cannot write the report: Is a directory"),
        ("--json", path(&inside), "cannot write the figures: No such file or directory"),
        ("--dir", path(&missing), "expected a writable directory: No such file or directory"),
    ];
    for (option, place, expected) in cases {
        let output = bench_clear(&[option, place]);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.starts_with(&format!("error: {place}: ")), "{error}");
        assert!(error.contains(expected), "{error}");
        assert_eq!(output.stdout, b"");
    }
}

#[test]
fn a_report_that_was_to_be_written_leaves_no_empty_file_after_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let (page, missing) = (dir.path().join("report.html"), dir.path().join("missing"));
    assert!(!bench_clear(&["--report", path(&page), "--dir", path(&missing)]).status.success());
    assert!(!page.exists());
}

#[test]
fn bad_usage_has_the_exit_code_of_bad_usage() {
    for arguments in [&["--strategies", "adaptive,adaptive"], &["--strategies", "points"]] {
        let output = bench_clear(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert_eq!(output.stdout, b"");
    }
}
