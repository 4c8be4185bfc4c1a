//! The table of Flink's tests (`docs/flink-parity.md`) names tests of ours that exist, and its numbers are right.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use keyed_state_conformance::{OnEngine, backend_cases, engine_cases};
use keyed_state_tests::Fjall;

const TABLE: &str = include_str!("../../docs/flink-parity.md");
const MAIN: &str = "The five main suites";
const OTHERS: &str = "Other tests on keyed state";
const ANSWERS: [&str; 5] =
    ["a name", "**types**", "**no counterpart**", "**out of scope**", "**later**"];

/// What the table says of some methods of one class.
struct Row {
    section: &'static str,
    class: &'static str,
    /// How many methods `class` has, by its heading.
    expected: usize,
    methods: Vec<&'static str>,
    count: usize,
    answer: &'static str,
}

/// The text and the number of `text (number)`.
fn counted(heading: &str) -> (&str, usize) {
    let (text, rest) = heading.rsplit_once(" (").expect("a heading has a number");
    let number = rest.strip_suffix(')').and_then(|number| number.parse().ok());
    (text, number.unwrap_or_else(|| panic!("no number in {heading:?}")))
}

fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let (mut section, mut class) = ("", ("", 0));
    for line in TABLE.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = counted(heading).0;
        } else if let Some(heading) = line.strip_prefix("### ") {
            // Of the main suites each has a heading, of the others each subject.
            class = if section == MAIN { counted(heading) } else { ("", 0) };
        }
        let is_row = !section.is_empty() && line.starts_with('|') && !line.contains("---");
        if !is_row || line.ends_with("| demands | here |") {
            continue;
        }
        let mut cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if section == OTHERS {
            let name = cells.remove(0);
            if !name.is_empty() {
                class = counted(name);
            }
        }
        let [methods, _, answer] = cells[..] else { panic!("not three cells: {line}") };
        let all = methods.strip_prefix("all ").map(|n| n.parse().expect("a number follows"));
        let methods: Vec<&str> = code(methods).collect();
        let (class, expected) = class;
        let count = all.unwrap_or(methods.len());
        rows.push(Row { section, class, expected, methods, count, answer });
    }
    rows
}

/// Functions that are marked as tests in the sources below `folder`.
fn collect_tests(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            collect_tests(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let source = fs::read_to_string(&path).expect("it is text");
            let after = source.split("#[test]").skip(1);
            let functions = after.filter_map(|after| after.split_once("fn ")?.1.split_once('('));
            found.extend(functions.map(|(name, _)| name.to_owned()));
        }
    }
}

#[test]
fn each_name_is_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut known = BTreeSet::new();
    known.extend(engine_cases::<Fjall>().iter().map(|case| case.name.to_owned()));
    known.extend(backend_cases::<OnEngine<Fjall>>().iter().map(|case| case.name.to_owned()));
    for folder in ["crates", "docs", "examples", "tests"] {
        collect_tests(&root.join(folder), &mut known);
    }
    let ui = root.join("tests/tests/ui");
    let missing: BTreeSet<&str> = rows()
        .iter()
        .flat_map(|row| code(row.answer))
        .filter(|name| name.contains('_'))
        .filter(|name| !known.contains(*name) && !ui.join(name).with_extension("rs").exists())
        .collect();
    assert!(missing.is_empty(), "neither cases nor tests nor compile-fail tests: {missing:#?}");
}

#[test]
fn each_class_has_all_its_methods() {
    let mut methods: BTreeMap<&str, (usize, usize, BTreeSet<&str>)> = BTreeMap::new();
    for row in rows() {
        let (expected, count, names) = methods.entry(row.class).or_default();
        *expected = row.expected;
        *count += row.count;
        for name in row.methods {
            assert!(names.insert(name), "{}.{name} is there twice", row.class);
        }
    }
    for (class, (expected, count, _)) in methods {
        assert_eq!(count, expected, "methods of {class}");
    }
}

#[test]
fn the_numbers_are_right() {
    for (section, column) in [(MAIN, 3), (OTHERS, 4)] {
        let rows: Vec<Row> = rows().into_iter().filter(|row| row.section == section).collect();
        let total: usize = rows.iter().map(|row| row.count).sum();
        assert!(TABLE.contains(&format!("\n## {section} ({total})\n")), "{section}: {total}");
        let mut found = BTreeMap::from(ANSWERS.map(|answer| (answer, 0)));
        for row in rows {
            let answer = if row.answer.starts_with('`') {
                "a name"
            } else {
                let kind = row.answer.split(':').next().unwrap_or_default();
                ANSWERS.into_iter().find(|answer| *answer == kind).unwrap_or_else(|| {
                    panic!("{}: {:?} begins with none of {ANSWERS:?}", row.class, row.answer)
                })
            };
            *found.entry(answer).or_default() += row.count;
        }
        for (answer, count) in found {
            let start = format!("| {answer} |");
            let line =
                TABLE.lines().find(|line| line.starts_with(&start)).expect("an answer's line");
            let stated = line.split('|').nth(column).map(str::trim);
            assert_eq!(stated, Some(count.to_string().as_str()), "{answer}, {section}");
        }
    }
}
