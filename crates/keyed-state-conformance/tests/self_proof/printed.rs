//! What a failing run against the model prints can be pasted into a test.

use std::{ops::Bound, path::Path};

use keyed_state_conformance::{
    EngineFixture, OnEngine,
    model::{self, FoldOp, Kind, ListOp, MapOp, Merge, Op, Scope, TimerOp, ValueOp, Visit},
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
#[allow(clippy::large_stack_arrays, clippy::too_many_lines, reason = "it has every operation")]
mod pasted {
    const YOUR_FIXTURE: super::OnEngine<super::Tree> = super::OnEngine(super::Tree);

    include!("every_op.rs");
}

const SCOPES: [Scope; 5] =
    [Scope::Plain, Scope::Namespace, Scope::Written, Scope::Touched, Scope::Event];
const KINDS: [Kind; 5] = [Kind::Map, Kind::Value, Kind::List, Kind::Reducing, Kind::Aggregating];
const MERGES: [Merge; 4] = [Merge::Maps, Merge::Lists, Merge::Reducing, Merge::Aggregating];

/// Every operation, with every shape of operand.
fn every_op() -> Vec<Op> {
    let mut ops = vec![
        Op::Flush,
        Op::Compact,
        Op::SetKey(b"a\x00"),
        Op::SetNamespace(b"\xff"),
        Op::Clock(3),
        Op::Clock(-20),
        Op::Watermark(i64::MIN),
        Op::Watermark(7),
    ];
    for scope in SCOPES {
        ops.extend(map_ops().map(|op| Op::Map(scope, vec![op])));
        ops.extend(value_ops().map(|op| Op::Value(scope, vec![op])));
        ops.extend(list_ops().map(|op| Op::List(scope, vec![op])));
        ops.extend(fold_ops().map(|op| Op::Reducing(scope, vec![op])));
        ops.extend(fold_ops().map(|op| Op::Aggregating(scope, vec![op])));
        ops.extend(MERGES.map(|merge| Op::merge(merge, scope, b"\xff", &[b"", b"a", b""])));
        ops.extend(KINDS.map(|kind| Op::Keys(kind, scope)));
        ops.extend(KINDS.map(|kind| Op::ForEachKey(kind, scope, Visit::Spread)));
        ops.extend(KINDS.map(|kind| Op::Expired(kind, scope)));
        ops.extend(timer_ops().map(|op| Op::Timers(scope, vec![op])));
        ops.push(Op::Fire(scope, 2, -1));
        ops.push(Op::Reopen);
    }
    ops.extend([
        Op::Map(Scope::Plain, map_ops().to_vec()),
        Op::Value(Scope::Plain, value_ops().to_vec()),
        Op::timers(Scope::Plain, &[TimerOp::AdvanceTo(5), TimerOp::Pop(usize::MAX)]),
        Op::List(Scope::Plain, Vec::new()),
        Op::merge(Merge::Lists, Scope::Namespace, b"", &[]),
        Op::ForEachKey(Kind::Map, Scope::Plain, Visit::Fail),
        Op::ForEachKey(Kind::Map, Scope::Plain, Visit::Clear),
        Op::UnsetKey,
        Op::Clock(i64::MAX),
    ]);
    ops
}

fn map_ops() -> [MapOp; 22] {
    [
        MapOp::Get(b""),
        MapOp::Contains(b"\x00\x01a\xff"),
        MapOp::Put(b"a", b"\xff"),
        MapOp::put_all(&[]),
        MapOp::put_all(&[(b"", b"\x00"), (b"\x00\x00", b"")]),
        MapOp::replace_all(&[]),
        MapOp::replace_all(&[(b"aa", b"\x00")]),
        MapOp::Update(b"a", None),
        MapOp::Update(b"aa", Some(b"\x01")),
        MapOp::Remove(b"\x01"),
        MapOp::RetainBelow(b"\xff"),
        MapOp::Iter(0),
        MapOp::Iter(0xA5),
        MapOp::IterSome(0xFF, 2),
        MapOp::First,
        MapOp::Last,
        MapOp::Range(Bound::Unbounded, Bound::Unbounded, 0xFF),
        MapOp::Range(Bound::Included(b""), Bound::Excluded(b"a\xff"), 1),
        MapOp::Range(Bound::Excluded(b"a"), Bound::Included(b"a"), 0),
        MapOp::Len,
        MapOp::IsEmpty,
        MapOp::Clear,
    ]
}

fn value_ops() -> [ValueOp; 6] {
    [
        ValueOp::Get,
        ValueOp::IsSet,
        ValueOp::Set(b"\xff\xff\xff\xff"),
        ValueOp::Update(Some(b"")),
        ValueOp::Update(None),
        ValueOp::Clear,
    ]
}

fn list_ops() -> [ListOp; 9] {
    [
        ListOp::Add(b"a"),
        ListOp::add_all(&[b"", b"\xff"]),
        ListOp::update(&[b"a", b"\x00"]),
        ListOp::RetainBelow(b"\xff"),
        ListOp::Iter(0x0F),
        ListOp::IterSome(0, 1),
        ListOp::Len,
        ListOp::IsEmpty,
        ListOp::Clear,
    ]
}

fn timer_ops() -> [TimerOp; 11] {
    [
        TimerOp::Register(3),
        TimerOp::Register(i64::MAX),
        TimerOp::AdvanceTo(-1),
        TimerOp::Time,
        TimerOp::NextDue,
        TimerOp::Len,
        TimerOp::IsEmpty,
        TimerOp::Times,
        TimerOp::All,
        TimerOp::Pop(1),
        TimerOp::Remove(3),
    ]
}

fn fold_ops() -> [FoldOp; 3] {
    [FoldOp::Add(b"a"), FoldOp::Get, FoldOp::Clear]
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
    // Set a key and store an empty value; the look at all that is stored, at the end, sees it.
    let ops = operations(&report);
    assert!(ops.len() <= 3, "{report}");
    assert!(ops[0].starts_with("Op::SetKey(b\""), "{report}");
    assert_eq!(panics(|| model::check(&fixture, &options)), Some(report), "the seed is fixed");
}

#[test]
fn replaying_shows_the_difference_again() {
    let ops = [
        Op::SetKey(b""),
        Op::value(Scope::Namespace, &[ValueOp::Set(b"")]),
        Op::value(Scope::Namespace, &[ValueOp::IsSet]),
    ];
    let options = BackendOptions::new();
    model::replay(&OnEngine(Faulty(None)), &options, &ops);
    let faulty = OnEngine(Faulty(Some(Fault::EmptyValueIsAbsent)));
    let report = panics(|| model::replay(&faulty, &options, &ops)).expect("the fault shows");
    assert!(report.contains("step 2, Op::value(Scope::Namespace, &[ValueOp::IsSet])"), "{report}");
    assert!(report.contains("Flag(true)") && report.contains("Flag(false)"), "{report}");
}
