use std::{ops::Bound, sync::OnceLock};

use proptest::prelude::*;

use super::{Bytes, MapOp, Op, Scope, ValueOp};
use crate::support;

/// Sequences of up to `steps` operations, and one before them that mostly sets a key.
pub(super) fn ops(steps: usize) -> impl Strategy<Value = Vec<Op>> {
    let first = prop::option::weighted(0.9, word().prop_map(Op::SetKey));
    let sequence = (first, prop::collection::vec(op(), 1..=steps));
    sequence.prop_map(|(first, ops)| first.into_iter().chain(ops).collect())
}

/// Words of up to four letters of `00 01 61 FF`; short ones often, so that they meet again.
fn word() -> impl Strategy<Value = Bytes> {
    static WORDS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let words = WORDS.get_or_init(|| support::words(4));
    // One word of length 0, 4 of length 1, 16, 64 and 256 of length 4.
    let index =
        prop_oneof![12 => 0..5_usize, 4 => 5..21_usize, 1 => 21..85_usize, 1 => 85..341_usize];
    index.prop_map(move |index| words[index].as_slice())
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        // Keys and namespaces change seldom, so that maps grow before they are left.
        40 => (scope(), map_op()).prop_map(|(scope, op)| Op::Map(scope, op)),
        10 => (scope(), value_op()).prop_map(|(scope, op)| Op::Value(scope, op)),
        3 => word().prop_map(Op::SetKey),
        2 => word().prop_map(Op::SetNamespace),
        1 => scope().prop_map(Op::ListMap),
        1 => scope().prop_map(Op::ListValue),
        1 => Just(Op::Flush),
        1 => Just(Op::Compact),
        1 => Just(Op::Reopen),
    ]
}

fn scope() -> impl Strategy<Value = Scope> {
    prop_oneof![Just(Scope::Plain), Just(Scope::Namespace)]
}

fn map_op() -> impl Strategy<Value = MapOp> {
    let entry = || (word(), word());
    prop_oneof![
        3 => word().prop_map(MapOp::Get),
        2 => word().prop_map(MapOp::Contains),
        8 => entry().prop_map(|(key, value)| MapOp::Put(key, value)),
        4 => prop::collection::vec(entry(), 0..8).prop_map(MapOp::PutAll),
        3 => word().prop_map(MapOp::Remove),
        1 => word().prop_map(MapOp::RetainBelow),
        1 => (word(), prop::option::of(word())).prop_map(|(key, value)| MapOp::Update(key, value)),
        3 => any::<u8>().prop_map(MapOp::Iter),
        3 => (bound(), bound(), any::<u8>()).prop_map(|(start, end, ends)| MapOp::Range(start, end, ends)),
        1 => Just(MapOp::First),
        1 => Just(MapOp::Last),
        1 => Just(MapOp::Len),
        1 => Just(MapOp::IsEmpty),
        3 => Just(MapOp::Clear),
    ]
}

fn bound() -> impl Strategy<Value = Bound<Bytes>> {
    prop_oneof![
        1 => Just(Bound::Unbounded),
        2 => word().prop_map(Bound::Included),
        2 => word().prop_map(Bound::Excluded),
    ]
}

fn value_op() -> impl Strategy<Value = ValueOp> {
    prop_oneof![
        3 => Just(ValueOp::Get),
        1 => Just(ValueOp::IsSet),
        4 => word().prop_map(ValueOp::Set),
        1 => prop::option::of(word()).prop_map(ValueOp::Update),
        2 => Just(ValueOp::Clear),
    ]
}
