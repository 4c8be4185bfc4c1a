//! Every public case is in the lists that the macros are made of.

use std::{collections::BTreeSet, fs, path::Path};

use keyed_state_conformance::{
    Case, EngineFixture, OnEngine, backend_cases, engine_cases, reference::TreeEngine,
};
use keyed_state_core::Result;

struct Tree;

impl EngineFixture for Tree {
    type Engine = TreeEngine;

    fn open(&self, dir: &Path) -> Result<TreeEngine> {
        TreeEngine::open(dir)
    }
}

/// Names of the public generic functions in the sources of a folder.
fn public_functions(folder: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder);
    let mut names = BTreeSet::new();
    for file in fs::read_dir(folder).expect("the folder is there") {
        let path = file.expect("it can be listed").path();
        let source = fs::read_to_string(path).expect("it is text");
        let found = source.lines().filter_map(|line| line.strip_prefix("pub fn "));
        names.extend(found.filter_map(|rest| rest.split(['<', '(']).next()).map(str::to_owned));
    }
    names
}

fn listed<F>(cases: &[Case<F>]) -> BTreeSet<String> {
    let names: BTreeSet<String> = cases.iter().map(|case| case.name.to_owned()).collect();
    assert_eq!(names.len(), cases.len(), "a case is listed twice");
    names
}

#[test]
fn every_public_case_is_listed() {
    for (listed, folder) in [
        (listed(&backend_cases::<OnEngine<Tree>>()), "cases"),
        (listed(&engine_cases::<Tree>()), "engine_cases"),
    ] {
        let found = public_functions(folder);
        let strays: Vec<_> = listed.symmetric_difference(&found).collect();
        assert!(strays.is_empty(), "either only listed or only in {folder}: {strays:?}");
    }
}

#[test]
fn every_rule_has_a_case() {
    let mut names = listed(&backend_cases::<OnEngine<Tree>>());
    names.extend(listed(&engine_cases::<Tree>()));
    let rules = ["k1", "k2", "k3", "k4", "k5", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"];
    let kinds = ["m9", "m10", "g1", "l1", "l2", "t1", "t2", "t3", "t4", "f1", "f2", "f3"];
    for rule in rules.into_iter().chain(kinds) {
        let prefix = format!("{rule}_");
        assert!(names.iter().any(|name| name.starts_with(&prefix)), "no case for {rule}");
    }
}
