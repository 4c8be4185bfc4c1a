//! Links between the book's files lead somewhere, and every chapter is in the summary and among the
//! doc tests.

use std::{
    fs,
    path::{Path, PathBuf},
};

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every Markdown file whose links readers follow in the repository.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = ["README.md", "CONTRIBUTING.md", "docs/flink-parity.md", "docs/clear.md"]
        .map(|file| root.join(file))
        .to_vec();
    for folder in [book(), root.join("docs/design")] {
        let entries = fs::read_dir(&folder)
            .expect("the folder is there")
            .map(|entry| entry.expect("the folder can be read").path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    files
}

/// Targets of `[text](target)` outside code blocks and code spans.
fn targets(markdown: &str) -> Vec<String> {
    let mut in_block = false;
    let mut prose = String::new();
    for line in markdown.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            prose.extend(line.split('`').step_by(2));
            prose.push(' ');
        }
    }
    prose
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next().map(str::to_owned))
        .filter(|target| !target.contains("://"))
        .collect()
}

/// As mdBook and GitHub make anchors of headings.
fn anchors(markdown: &str) -> Vec<String> {
    let headings = markdown.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let text = line.trim_start_matches('#').trim().to_lowercase();
            let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[test]
fn links_lead_somewhere() {
    for file in files() {
        let markdown = fs::read_to_string(&file).unwrap();
        for target in targets(&markdown) {
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let linked = match path {
                "" => file.clone(),
                path => file.parent().unwrap().join(path),
            };
            assert!(linked.exists(), "{}: {target} is not there", file.display());
            if !anchor.is_empty() {
                let found = anchors(&fs::read_to_string(&linked).unwrap());
                assert!(
                    found.iter().any(|known| known == anchor),
                    "{}: {target} has no such heading, only {found:?}",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn every_chapter_is_in_the_summary_and_among_the_doc_tests() {
    let summary = targets(&fs::read_to_string(book().join("SUMMARY.md")).unwrap());
    let doc_tests = include_str!("../book.rs");
    for entry in fs::read_dir(book()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.extension().is_some_and(|end| end == "md") && name != "SUMMARY.md" {
            assert!(summary.iter().any(|target| target == name), "{name} is not in SUMMARY.md");
            assert!(doc_tests.contains(&format!("\"src/{name}\"")), "{name} is not in book.rs");
        }
    }
}
