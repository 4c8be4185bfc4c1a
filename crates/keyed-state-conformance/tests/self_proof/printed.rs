//! What a failing run against the model prints can be pasted into a test.

use std::{ops::Bound, path::Path};

use keyed_state_conformance::{
    EngineFixture, OnEngine,
    model::{self, MapOp, Op, Scope, ValueOp},
    reference::TreeEngine,
};
use keyed_state_core::{BackendOptions, ClearStrategy, MaxParallelism, Result};

use crate::{
    faults::{Fault, Faulty},
    quiet::panics,
};

struct Tree;

impl EngineFixture for Tree {
    type Engine = TreeEngine;

    fn open(&self, dir: &Path) -> Result<TreeEngine> {
        TreeEngine::open(dir)
    }
}

/// The printed test, pasted: it compiles, and passes on an engine that is right.
mod pasted {
    const YOUR_FIXTURE: super::OnEngine<super::Tree> = super::OnEngine(super::Tree);

    include!("every_op.rs");
}

/// Every operation, with every shape of operand.
fn every_op() -> Vec<Op> {
    let map = [
        MapOp::Get(b""),
        MapOp::Contains(b"\x00\x01a\xff"),
        MapOp::Put(b"a", b"\xff"),
        MapOp::put_all(&[]),
        MapOp::put_all(&[(b"", b"\x00"), (b"\x00\x00", b"")]),
        MapOp::Update(b"a", None),
        MapOp::Update(b"aa", Some(b"\x01")),
        MapOp::Remove(b"\x01"),
        MapOp::RetainBelow(b"\xff"),
        MapOp::Iter(0),
        MapOp::Iter(0xA5),
        MapOp::Range(Bound::Unbounded, Bound::Unbounded, 0xFF),
        MapOp::Range(Bound::Included(b""), Bound::Excluded(b"a\xff"), 1),
        MapOp::Range(Bound::Excluded(b"a"), Bound::Included(b"\x00"), 0),
        MapOp::First,
        MapOp::Last,
        MapOp::Len,
        MapOp::IsEmpty,
        MapOp::Clear,
    ];
    let value = [
        ValueOp::Get,
        ValueOp::IsSet,
        ValueOp::Set(b"\xff\xff\xff\xff"),
        ValueOp::Update(Some(b"")),
        ValueOp::Update(None),
        ValueOp::Clear,
    ];
    let mut ops = vec![Op::Flush, Op::Compact, Op::SetKey(b"a\x00"), Op::SetNamespace(b"\xff")];
    for scope in [Scope::Plain, Scope::Namespace] {
        ops.extend(map.iter().map(|op| Op::Map(scope, op.clone())));
        ops.extend(value.iter().map(|op| Op::Value(scope, op.clone())));
        ops.extend([Op::ListMap(scope), Op::ListValue(scope), Op::Reopen]);
    }
    ops
}

#[test]
fn the_printed_code_is_the_code_that_is_pasted_here() {
    let options = BackendOptions::new()
        .max_parallelism(MaxParallelism::new(32_768).unwrap())
        .clear_strategy(ClearStrategy::Adaptive { threshold: 2 });
    assert_eq!(model::test_code(&options, &every_op()), include_str!("every_op.rs"));
}

/// Returns the operations in a report, as their code.
fn operations(report: &str) -> Vec<&str> {
    let (_, code) = report.split_once("let ops = [\n").expect("the report holds code");
    let (ops, _) = code.split_once("    ];\n").expect("the operations end");
    ops.lines().map(|line| line.trim().trim_end_matches(',')).collect()
}

#[test]
fn a_difference_is_printed_as_a_short_test() {
    let fixture = OnEngine(Faulty(Some(Fault::EmptyValueIsAbsent)));
    let options = BackendOptions::new().clear_strategy(ClearStrategy::RangeDelete);
    let report = panics(|| model::check(&fixture, &options)).expect("the model sees the fault");
    assert!(report.contains("#[test]\nfn differs_from_the_model() {\n"), "{report}");
    assert!(report.contains(".clear_strategy(ClearStrategy::RangeDelete)"), "{report}");
    assert!(report.contains("replay(&YOUR_FIXTURE, &options, &ops);"), "{report}");
    // Set a key, store an empty value, look.
    let ops = operations(&report);
    assert_eq!(ops.len(), 3, "{report}");
    assert!(ops[0].starts_with("Op::SetKey(b\""), "{report}");
    assert_eq!(panics(|| model::check(&fixture, &options)), Some(report), "the seed is fixed");
}

#[test]
fn replaying_shows_the_difference_again() {
    let ops = [
        Op::SetKey(b""),
        Op::Value(Scope::Namespace, ValueOp::Set(b"")),
        Op::Value(Scope::Namespace, ValueOp::IsSet),
    ];
    let options = BackendOptions::new();
    model::replay(&OnEngine(Faulty(None)), &options, &ops);
    let faulty = OnEngine(Faulty(Some(Fault::EmptyValueIsAbsent)));
    let report = panics(|| model::replay(&faulty, &options, &ops)).expect("the fault shows");
    assert!(report.contains("step 2, Op::Value(Scope::Namespace, ValueOp::IsSet)"), "{report}");
    assert!(report.contains("Flag(true)") && report.contains("Flag(false)"), "{report}");
}
