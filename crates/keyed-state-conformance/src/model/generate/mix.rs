use proptest::{prelude::*, strategy::Union};

use super::word;
use crate::model::{
    Bytes, FoldOp, Kind, ListOp, MapOp, Merge, Op, Scope, TimerOp, ValueOp, Visit, state::TTL_MS,
};

/// How often which operations come in a sequence, and on what.
///
/// A sequence keeps to a few states: so it comes back to each, and opening takes no longer than it must.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mix {
    /// Few keys and namespaces, so that states are met again before they have expired or were merged away.
    pub(super) few_places: bool,
    pub(super) scopes: &'static [Scope],
    /// Each kind with the weight of its operations.
    pub(super) kinds: &'static [(u32, Kind)],
    pub(super) merges: u32,
    pub(super) times: u32,
    pub(super) timers: u32,
}

impl Mix {
    pub(super) fn ops(&self, steps: usize) -> impl Strategy<Value = Vec<Op>> + use<> {
        let first = prop::option::weighted(0.9, self.place().prop_map(Op::SetKey));
        (first, prop::collection::vec(self.op(), 1..=steps))
            .prop_map(|(first, ops)| first.into_iter().chain(ops).collect())
    }

    /// A key or namespace.
    fn place(&self) -> BoxedStrategy<Bytes> {
        if self.few_places {
            prop::sample::select(vec![b"".as_slice(), b"a"]).boxed()
        } else {
            word().boxed()
        }
    }

    fn op(&self) -> impl Strategy<Value = Op> + use<> {
        let scope = || prop::sample::select(self.scopes);
        let kind =
            || Union::new_weighted(self.kinds.iter().map(|(n, kind)| (*n, Just(*kind))).collect());
        let mut ops: Vec<(u32, BoxedStrategy<Op>)> = vec![
            // Keys change seldom, so that states grow before they are left.
            (3, set_key(self.place()).boxed()),
            (2 + self.merges / 2, self.place().prop_map(Op::SetNamespace).boxed()),
            (2, (kind(), scope()).prop_map(|(kind, scope)| Op::Keys(kind, scope)).boxed()),
            (1, for_each_key(kind(), scope()).boxed()),
            (1, Just(Op::Flush).boxed()),
            (1, Just(Op::Compact).boxed()),
            (1, Just(Op::Reopen).boxed()),
        ];
        ops.extend(self.kinds.iter().map(|(n, kind)| (*n, on(*kind, scope()))));
        if self.merges > 0 {
            let merges = self.kinds.iter().filter_map(|(_, kind)| merge_of(*kind)).collect();
            ops.push((self.merges, merge(merges, scope(), self.place()).boxed()));
        }
        if self.times > 0 {
            let expired = |(kind, scope)| Op::Expired(kind, scope);
            ops.push((1, (kind(), scope()).prop_map(expired).boxed()));
            ops.push((self.times, time().prop_map(Op::Clock).boxed()));
            ops.push((self.times / 2, time().prop_map(Op::Watermark).boxed()));
        }
        if self.timers > 0 {
            let timers = (scope(), several(TimerOp::any()));
            let timers = timers.prop_map(|(scope, ops)| Op::Timers(scope, ops));
            ops.push((self.timers, timers.boxed()));
            let fire = (scope(), 0..6_usize, -3..6_i64);
            let fire = fire.prop_map(|(scope, most, by)| Op::Fire(scope, most, by));
            ops.push((self.timers / 5, fire.boxed()));
        }
        Union::new_weighted(ops)
    }
}

fn set_key(key: impl Strategy<Value = Bytes> + 'static) -> impl Strategy<Value = Op> {
    prop_oneof![15 => key.prop_map(Op::SetKey), 1 => Just(Op::UnsetKey)]
}

/// Mostly one operation a view.
fn several<O: Clone + std::fmt::Debug>(
    op: impl Strategy<Value = O> + 'static,
) -> impl Strategy<Value = Vec<O>> {
    let op = op.boxed();
    prop_oneof![
        7 => op.clone().prop_map(|op| vec![op]),
        1 => prop::collection::vec(op, 2..4),
    ]
}

/// Operations on a state of `kind`.
fn on(kind: Kind, scope: impl Strategy<Value = Scope> + 'static) -> BoxedStrategy<Op> {
    match kind {
        Kind::Map => {
            (scope, several(MapOp::any())).prop_map(|(scope, ops)| Op::Map(scope, ops)).boxed()
        }
        Kind::Value => {
            (scope, several(ValueOp::any())).prop_map(|(scope, ops)| Op::Value(scope, ops)).boxed()
        }
        Kind::List => {
            (scope, several(ListOp::any())).prop_map(|(scope, ops)| Op::List(scope, ops)).boxed()
        }
        Kind::Reducing => (scope, several(FoldOp::any()))
            .prop_map(|(scope, ops)| Op::Reducing(scope, ops))
            .boxed(),
        Kind::Aggregating => (scope, several(FoldOp::any()))
            .prop_map(|(scope, ops)| Op::Aggregating(scope, ops))
            .boxed(),
    }
}

fn merge_of(kind: Kind) -> Option<Merge> {
    match kind {
        Kind::Map => Some(Merge::Maps),
        Kind::Value => None,
        Kind::List => Some(Merge::Lists),
        Kind::Reducing => Some(Merge::Reducing),
        Kind::Aggregating => Some(Merge::Aggregating),
    }
}

fn merge(
    merges: Vec<Merge>,
    scope: impl Strategy<Value = Scope>,
    place: BoxedStrategy<Bytes>,
) -> impl Strategy<Value = Op> {
    // So many sources that one is there twice, or is the target.
    let sources = prop::collection::vec(place.clone(), 0..4);
    (prop::sample::select(merges), scope, place, sources)
        .prop_map(|(merge, scope, target, sources)| Op::Merge(merge, scope, target, sources))
}

fn for_each_key(
    kind: impl Strategy<Value = Kind>,
    scope: impl Strategy<Value = Scope>,
) -> impl Strategy<Value = Op> {
    let visit =
        prop_oneof![1 => Just(Visit::Clear), 2 => Just(Visit::Spread), 1 => Just(Visit::Fail)];
    (kind, scope, visit).prop_map(|(kind, scope, visit)| Op::ForEachKey(kind, scope, visit))
}

/// How far a time moves: mostly forward by less than half a life, at times by about a whole one.
fn time() -> impl Strategy<Value = i64> {
    prop_oneof![
        150 => 1..7_i64,
        30 => TTL_MS - 2..TTL_MS + 2,
        20 => -2 * TTL_MS..0,
        1 => prop::sample::select(vec![i64::MIN, i64::MAX]),
    ]
}
