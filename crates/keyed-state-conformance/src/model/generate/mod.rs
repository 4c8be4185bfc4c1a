use std::sync::OnceLock;

use proptest::{prelude::*, strategy::Union};

use super::{Bytes, Kind, Op, Scope};
use crate::support;

mod mix;

use mix::Mix;

/// Words of up to four letters of `00 01 61 FF`; short ones often, so that they meet again.
pub(super) fn word() -> impl Strategy<Value = Bytes> {
    static WORDS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let words = WORDS.get_or_init(|| support::words(4));
    // One word of length 0, 4 of length 1, 16, 64 and 256 of length 4.
    let index =
        prop_oneof![12 => 0..5_usize, 4 => 5..21_usize, 1 => 21..85_usize, 1 => 85..341_usize];
    index.prop_map(move |index| words[index].as_slice())
}

/// Sequences of up to `steps` operations, and one before them that mostly sets a key.
pub(super) fn ops(steps: usize) -> impl Strategy<Value = Vec<Op>> {
    let with_ttl = WITH_TTL
        .into_iter()
        .flat_map(|mix| TTL_SCOPES.map(|(weight, scopes)| (weight, Mix { scopes, ..mix })));
    let mixes = WITHOUT_TTL.into_iter().chain(with_ttl);
    Union::new_weighted(mixes.map(|(weight, mix)| (weight, mix.ops(steps))).collect())
}

/// Maps without TTL are what all else is made of, and come most often.
const WITHOUT_TTL: [(u32, Mix); 4] = [
    (12, Mix { kinds: &[(40, Kind::Map), (10, Kind::Value)], merges: 1, ..NOTHING }),
    (
        4,
        Mix {
            few_places: true,
            kinds: &[(20, Kind::List), (8, Kind::Reducing), (8, Kind::Aggregating)],
            merges: 6,
            ..NOTHING
        },
    ),
    (
        4,
        Mix {
            few_places: true,
            scopes: &[Scope::Namespace, Scope::Written, Scope::Event],
            kinds: &[(10, Kind::Map), (10, Kind::List), (10, Kind::Aggregating)],
            merges: 5,
            times: 8,
            ..NOTHING
        },
    ),
    (4, Mix { kinds: &[(5, Kind::Map)], timers: 30, ..NOTHING }),
];

/// Each with one of the scopes with TTL, lest its entries expire before their state is met again.
const WITH_TTL: [Mix; 3] = [
    Mix { kinds: &[(30, Kind::Map)], ..EXPIRING },
    Mix { kinds: &[(30, Kind::List)], ..EXPIRING },
    Mix { kinds: &[(12, Kind::Value), (20, Kind::Reducing)], ..EXPIRING },
];

const TTL_SCOPES: [(u32, &[Scope]); 3] =
    [(1, &[Scope::Written]), (2, &[Scope::Touched]), (1, &[Scope::Event])];

const NOTHING: Mix = Mix {
    few_places: false,
    scopes: &[Scope::Plain, Scope::Namespace],
    kinds: &[],
    merges: 0,
    times: 0,
    timers: 0,
};
const EXPIRING: Mix = Mix { few_places: true, merges: 4, times: 15, ..NOTHING };
