//! M1 for typed keys: the order of iteration is that of the type. (32)

use std::{cell::RefCell, collections::BTreeMap, fmt::Debug, ops::Bound};

use keyed_state_core::{
    KeyedStateBackend, KeyedStateBackendExt, MapDescriptor, MapState, StateKey, TotalF64,
};
use proptest::prelude::*;

use crate::{
    Fixture, Outcome,
    model::Effort,
    support::{Home, Must, entries},
};

/// Puts `keys` out of order and demands them back in the order given, and the same in reverse.
fn expect_order<F: Fixture, UK: StateKey + Debug>(fixture: &F, keys: &[UK]) {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<UK, u64>::new("map")).must();
    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    let odd_then_even = keys.iter().skip(1).step_by(2).chain(keys.iter().step_by(2));
    map.put_all(odd_then_even.map(|key| (key.clone(), 0))).must();
    let found: Vec<UK> = entries(&map).into_iter().map(|(key, _)| key).collect();
    assert_eq!(found, keys);
    for (number, key) in keys.iter().enumerate() {
        let below = map.range((Bound::Unbounded, Bound::Excluded(key))).must().count();
        assert_eq!(below, number, "below {key:?}");
        let above = map.range((Bound::Excluded(key), Bound::Unbounded)).must().rev().count();
        assert_eq!(above, keys.len() - number - 1, "above {key:?}");
    }
}

/// Maps of random entries must walk as a `BTreeMap` does: from both ends, whole and in ranges.
fn expect_order_of_any<F: Fixture, UK: StateKey + Debug>(
    fixture: &F,
    key: impl Strategy<Value = UK> + Clone,
) {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<UK, u64>::new("map")).must();
    // One backend for all runs, each under a key of its own: the runner calls a shared closure.
    let shared = RefCell::new((backend, 0_u64));
    let pairs = prop::collection::vec((key.clone(), any::<u64>()), 0..40);
    Effort::from_env().run(&(pairs, key.clone(), key), |(pairs, a, b)| {
        let (backend, run) = &mut *shared.borrow_mut();
        *run += 1;
        backend.set_current_key(run).must();
        let mut map = backend.map(&id).must();
        let model: BTreeMap<UK, u64> = pairs.iter().cloned().collect();
        for (key, value) in pairs {
            map.put(key, value).must();
        }
        let expected: Vec<_> = model.clone().into_iter().collect();
        assert_eq!(entries(&map), expected);
        let found: Vec<_> = map.iter().must().rev().collect::<Result<_, _>>().must();
        assert!(found.iter().rev().eq(&expected), "in reverse: {found:?}");
        let bounds = (Bound::Included(a.clone().min(b.clone())), Bound::Included(a.max(b)));
        let found: Vec<_> = map.range(bounds.clone()).must().collect::<Result<_, _>>().must();
        assert!(
            found.into_iter().eq(model.clone().range(bounds.clone()).map(|(k, v)| (k.clone(), *v))),
            "in {bounds:?}"
        );
        assert_eq!(map.first().must(), expected.first().cloned());
        assert_eq!(map.last().must(), expected.last().cloned());
    });
}

/// M1: signed integers sort by value, not by bit pattern. (32)
pub fn m1_signed_integers_sort_by_value<F: Fixture>(fixture: &F) -> Outcome {
    expect_order(fixture, &[i64::MIN, -300, -5, -1, 0, 3, 255, 256, i64::MAX]);
    expect_order(fixture, &[i8::MIN, -1, 0, 1, i8::MAX]);
    expect_order(fixture, &[i128::MIN, -1, 0, 1, i128::MAX]);
    expect_order_of_any(fixture, any::<i64>());
    Outcome::Ran
}

/// M1: unsigned integers sort by value.
pub fn m1_unsigned_integers_sort_by_value<F: Fixture>(fixture: &F) -> Outcome {
    expect_order(fixture, &[0, 1, 255, 256, 65_535, 65_536, 1 << 31, 1 << 63, u64::MAX]);
    expect_order_of_any(fixture, any::<u32>());
    Outcome::Ran
}

/// M1: floats sort in the total order of IEEE 754, with both zeros and NaN in it. (32)
pub fn m1_floats_sort_in_total_order<F: Fixture>(fixture: &F) -> Outcome {
    let floats = [
        -f64::NAN,
        f64::NEG_INFINITY,
        -1e300,
        -2.5,
        -1.0,
        -f64::MIN_POSITIVE,
        -0.0,
        0.0,
        f64::MIN_POSITIVE,
        1.0,
        2.5,
        1e300,
        f64::INFINITY,
        f64::NAN,
    ];
    expect_order(fixture, &floats.map(TotalF64));
    expect_order_of_any(fixture, any::<u64>().prop_map(|bits| TotalF64(f64::from_bits(bits))));
    Outcome::Ran
}

/// M1: texts sort by their bytes, a text before all that it begins.
pub fn m1_texts_sort_by_their_bytes<F: Fixture>(fixture: &F) -> Outcome {
    let texts = ["", "\0", "\0\0", "\u{1}", "A", "a", "a\0", "a\0a", "aa", "b", "ä", "\u{10FFFF}"];
    expect_order(fixture, &texts.map(str::to_owned));
    expect_order_of_any(fixture, "[\\x00\\x01aé]{0,4}");
    Outcome::Ran
}

/// M1: tuples sort field by field, whatever the fields before the last hold. (23)
pub fn m1_tuples_sort_field_by_field<F: Fixture>(fixture: &F) -> Outcome {
    let tuples = [
        ("", 1),
        ("", 2),
        ("\0", 0),
        ("a", i64::MIN),
        ("a", -1),
        ("a", 0),
        ("a\0", -1),
        ("aa", -9),
    ];
    expect_order(fixture, &tuples.map(|(text, number)| (text.to_owned(), number)));
    let optional = [None, Some(vec![]), Some(vec![0_u8]), Some(vec![0, 0]), Some(vec![1])];
    expect_order(fixture, &optional.map(|bytes| (bytes, 0)));
    expect_order_of_any(fixture, ("[\\x00\\x01a]{0,3}", any::<i16>()));
    Outcome::Ran
}
