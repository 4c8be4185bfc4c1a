//! The suite's table of coverage names cases and compile-fail tests that exist.

use std::{collections::BTreeSet, path::Path};

use keyed_state_conformance::{OnEngine, backend_cases, engine_cases};
use keyed_state_tests::Fjall;

#[test]
fn everything_that_the_table_names_exists() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ui = package.join("tests/ui");
    let mut cases: BTreeSet<&str> = BTreeSet::new();
    cases.extend(engine_cases::<Fjall>().iter().map(|case| case.name));
    cases.extend(backend_cases::<OnEngine<Fjall>>().iter().map(|case| case.name));
    let table = include_str!("../../crates/keyed-state-conformance/COVERAGE.md");
    // Every second piece stands between backticks.
    for name in table.split('`').skip(1).step_by(2).filter(|name| name.contains('_')) {
        let exists = match name.strip_suffix('…') {
            Some(start) => cases.iter().any(|case| case.starts_with(start)),
            None => cases.contains(name) || ui.join(name).with_extension("rs").exists(),
        };
        assert!(exists, "{name:?} is neither a case nor a compile-fail test");
    }
    for file in ui.read_dir().unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        // Keys of another type are no trap of the stores in the table.
        assert!(table.contains(name) || name == "wrong_key_type", "{name:?} is not in the table");
    }
}
