//! L2 for what only lists, only maps and only large states show, and what a merge must not leave half done.

use keyed_state_core::{
    AggregatingDescriptor, Error, ErrorKind, KeyedStateBackend, KeyedStateBackendExt,
    ListDescriptor, MapDescriptor, MapId, MapState, MapStateExt, ReducingDescriptor,
};

use super::aggregating::Mean;
use crate::{
    Fixture, Outcome,
    support::{Home, Must, Picky, entries, sorted},
};

/// Runs `run` with a map in each namespace, under a key.
fn with_maps<F: Fixture, T>(
    fixture: &F,
    run: impl FnOnce(&mut F::Backend<u64>, MapId<String, u64, u64>) -> T,
) -> T {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<String, u64, u64>::new("map")).must();
    backend.set_current_key(&1).must();
    run(&mut backend, id)
}

fn owned<const N: usize>(entries: [(&str, u64); N]) -> [(String, u64); N] {
    entries.map(|(key, value)| (key.to_owned(), value))
}

/// L2: maps become the union of their entries; the function combines those of equal keys, target's first, and is told the
/// key; entries of one map alone it never sees.
pub fn l2_maps_combine_the_values_of_equal_keys<F: Fixture>(fixture: &F) -> Outcome {
    with_maps(fixture, |backend, id| {
        backend.map_in(&id, &5).must().put_all(owned([("a", 1), ("b", 2), ("d", 4)])).must();
        backend.map_in(&id, &1).must().put_all(owned([("b", 20), ("c", 30)])).must();
        backend.map_in(&id, &2).must().put_all(owned([("b", 200), ("c", 300), ("e", 500)])).must();
        let mut asked = Vec::new();
        backend
            .merge_maps(&id, &5, &[2, 1], |key, earlier, later| {
                asked.push((key.clone(), earlier, later));
                Ok(1000 * earlier + later)
            })
            .must();
        asked.sort();
        let expected = [("b", 2, 200), ("b", 2200, 20), ("c", 300, 30)];
        assert_eq!(asked, expected.map(|(key, a, b)| (key.to_owned(), a, b)));
        let merged = [("a", 1), ("b", 2_200_020), ("c", 300_030), ("d", 4), ("e", 500)];
        assert_eq!(entries(&backend.map_in(&id, &5).must()), owned(merged));
        assert_eq!(sorted(backend.keys_and_namespaces(&id).must()), [(1, 5)]);
    });
    Outcome::Ran
}

/// L2: keys that are each other's beginnings, and the empty one, are merged as the keys that they are. (25)
pub fn l2_map_keys_that_begin_each_other_stay_apart<F: Fixture>(fixture: &F) -> Outcome {
    with_maps(fixture, |backend, id| {
        let keys = ["", "\0", "a", "a\0", "aa"];
        for (namespace, key) in (0..).zip(keys) {
            backend.map_in(&id, &namespace).must().put(key.to_owned(), namespace).must();
        }
        let never = |_: &String, _, _| Err(Error::from_function("no keys are equal"));
        backend.merge_maps(&id, &9, &[0, 1, 2, 3, 4], never).must();
        let expected = owned([("", 0), ("\0", 1), ("a", 2), ("a\0", 3), ("aa", 4)]);
        assert_eq!(entries(&backend.map_in(&id, &9).must()), expected);
    });
    Outcome::Ran
}

/// L2: a function may also give an error of a kind of its own choice, and it reaches the caller.
pub fn l2_the_error_of_a_function_is_passed_on<F: Fixture>(fixture: &F) -> Outcome {
    with_maps(fixture, |backend, id| {
        for namespace in [1, 2] {
            backend.map_in(&id, &namespace).must().put("k".to_owned(), namespace).must();
        }
        let kind = ErrorKind::InvalidArgument;
        let refuse = |_: &String, _, _| Err(Error::new(kind, "these two must not meet"));
        let error = backend.merge_maps(&id, &1, &[2], refuse).must_fail(kind);
        assert!(error.to_string().contains("these two must not meet"), "{error}");
        assert_eq!(entries(&backend.map_in(&id, &1).must()), owned([("k", 1)]));
        assert_eq!(entries(&backend.map_in(&id, &2).must()), owned([("k", 2)]));
    });
    Outcome::Ran
}

/// L2, M7: a merged value that cannot be encoded changes nothing in any namespace; a backend that encodes nothing merges.
pub fn l2_a_merged_value_without_byte_form_changes_nothing<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let map = backend.register_map(&MapDescriptor::<u64, Picky, u64>::new("map")).must();
    let sum = |a: Picky, b: Picky| Ok(Picky(a.0 + b.0));
    let sum_descriptor = ReducingDescriptor::<Picky, _, u64>::new("sum", sum);
    let reducing = backend.register_reducing(&sum_descriptor).must();
    backend.set_current_key(&1).must();
    // Of the map's entries the one in the middle has no byte form when merged: 6 and 7 are 13.
    let maps = [vec![(1, 1), (2, 6), (3, 3)], vec![(1, 1), (2, 7), (3, 3), (4, 4)]];
    for (namespace, entries) in (0..).zip(&maps) {
        let entries = entries.iter().map(|(key, value)| (*key, Picky(*value)));
        backend.map_in(&map, &namespace).must().put_all(entries).must();
        backend.reducing_in(&reducing, &namespace).must().add(Picky(6 + namespace)).must();
    }
    let merged = backend.merge_maps(&map, &0, &[1], |_, a, b| sum(a, b));
    if let Err(error) = merged {
        assert_eq!(error.kind(), ErrorKind::Codec);
        for (namespace, expected) in (0..).zip(&maps) {
            let found = entries(&backend.map_in(&map, &namespace).must());
            let found = found.into_iter().map(|(key, Picky(value))| (key, value));
            assert!(found.eq(expected.iter().copied()), "namespace {namespace}");
        }
        backend.merge_reducing(&reducing, &0, &[1]).must_fail(ErrorKind::Codec);
        for namespace in 0..2 {
            let found = backend.reducing_in(&reducing, &namespace).must().get().must();
            assert_eq!(found, Some(Picky(6 + namespace)));
        }
    } else {
        assert_eq!(backend.map_in(&map, &0).must().get(&2).must(), Some(Picky(13)));
        assert!(backend.map_in(&map, &1).must().is_empty().must());
    }
    Outcome::Ran
}

/// L2: an accumulator's merge is asked for the accumulators in order, and their result is not.
pub fn l2_accumulators_are_merged_not_results<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let descriptor = AggregatingDescriptor::<Mean, u64>::new("mean", Mean);
    let id = backend.register_aggregating(&descriptor).must();
    backend.set_current_key(&1).must();
    // The result of this one alone is an error.
    backend.aggregating_in(&id, &1).must().add(-4).must();
    backend.aggregating_in(&id, &1).must().get().map(drop).must_fail(ErrorKind::Function);
    for input in [10, 20] {
        backend.aggregating_in(&id, &2).must().add(input).must();
    }
    backend.merge_aggregating(&id, &3, &[1, 2]).must();
    let merged = backend.aggregating_in(&id, &3).must().get().must();
    assert_eq!(merged.as_deref(), Some("26 / 3"));
    backend.aggregating_in(&id, &3).must().add(4).must();
    let merged = backend.aggregating_in(&id, &3).must().get().must();
    assert_eq!(merged.as_deref(), Some("30 / 4"));
    Outcome::Ran
}

/// L2: lists of thousands are merged whole and in order, and go on in order.
pub fn l2_long_lists_are_merged_in_order<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_list(&ListDescriptor::<u64, u64>::new("list")).must();
    backend.set_current_key(&1).must();
    for namespace in (0..4).rev() {
        let elements = (0..3000).map(|n| 3000 * namespace + n);
        backend.list_in(&id, &namespace).must().add_all(elements).must();
    }
    backend.merge_lists(&id, &0, &[1, 2, 3]).must();
    let mut list = backend.list_in(&id, &0).must();
    assert!(list.to_vec().must().into_iter().eq(0..12_000));
    list.add_all(12_000..12_010).must();
    assert!(list.to_vec().must().into_iter().eq(0..12_010));
    assert!(list.iter().must().rev().map(Must::must).eq((0..12_010).rev()));
    Outcome::Ran
}

/// L2: large maps are merged whole, whichever side is the larger.
pub fn l2_large_maps_are_merged_whole<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64, u64>::new("map")).must();
    backend.set_current_key(&1).must();
    backend.map_in(&id, &0).must().put_all((0..2000).map(|n| (2 * n, 1))).must();
    backend.map_in(&id, &1).must().put_all((0..2000).map(|n| (3 * n, 1))).must();
    backend.merge_maps(&id, &0, &[1], |_, a, b| Ok(a + b)).must();
    let merged = backend.map_in(&id, &0).must();
    let expected = (0..6000_u64).filter_map(|n| {
        let parts = u64::from(n < 4000 && n % 2 == 0) + u64::from(n % 3 == 0);
        (parts > 0).then_some((n, parts))
    });
    assert!(entries(&merged).into_iter().eq(expected));
    assert_eq!(merged.values().must().filter(|v| matches!(v, Ok(2))).count(), 667);
    drop(merged);
    assert!(backend.map_in(&id, &1).must().is_empty().must());
    Outcome::Ran
}
