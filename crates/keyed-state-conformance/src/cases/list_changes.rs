//! L1, M7: replacing and removing elements of a list, and batches of them.

use keyed_state_core::{
    ErrorKind, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, Result,
};

use super::lists::with_list;
use crate::{
    Fixture, Outcome,
    support::{Home, Must, Picky, panics, quiet_panic, sorted},
};

/// L1: `update` replaces every element, by more, as many, or fewer.
pub fn l1_update_replaces_every_element<F: Fixture>(fixture: &F) -> Outcome {
    with_list(fixture, |backend, id| {
        let mut list = backend.list(&id).must();
        for elements in [vec![3, 1, 2], vec![9], vec![4, 4, 8, 1], (0..500).rev().collect()] {
            list.update(elements.iter().copied()).must();
            assert_eq!(list.to_vec().must(), elements);
            list.add(77).must();
            assert_eq!(list.iter().must().next_back().transpose().must(), Some(77));
            assert_eq!(list.len().must(), elements.len() + 1);
        }
    });
    Outcome::Ran
}

/// L1: updating with nothing is clearing.
pub fn l1_updating_with_nothing_is_clearing<F: Fixture>(fixture: &F) -> Outcome {
    for strategy in fixture.strategies() {
        let home = Home::new();
        let mut backend = home.open::<F, u64>(fixture);
        let descriptor = ListDescriptor::<u64>::new("list").clear_strategy(strategy);
        let id = backend.register_list(&descriptor).must();
        for key in 0..3 {
            backend.set_current_key(&key).must();
            backend.list(&id).must().add_all(0..5).must();
        }
        backend.set_current_key(&1).must();
        backend.list(&id).must().update([]).must();
        assert!(backend.list(&id).must().is_empty().must());
        assert_eq!(sorted(backend.keys(&id, &()).must()), [0, 2]);
        backend.list(&id).must().add(1).must();
        assert_eq!(backend.list(&id).must().to_vec().must(), [1]);
    }
    Outcome::Ran
}

/// L1: updating a list with what was read from it keeps it as it is; its order stays that of the last update.
pub fn l1_a_list_may_be_sorted_by_update<F: Fixture>(fixture: &F) -> Outcome {
    with_list(fixture, |backend, id| {
        let mut list = backend.list(&id).must();
        list.add_all([3, 1, 2]).must();
        let found = list.to_vec().must();
        list.update(found).must();
        assert_eq!(list.to_vec().must(), [3, 1, 2]);
        list.update(sorted(list.to_vec().must())).must();
        assert_eq!(list.to_vec().must(), [1, 2, 3]);
    });
    Outcome::Ran
}

/// M3: `retain` visits every element once, in order, and removes the others alone.
pub fn m3_retain_visits_every_element_once<F: Fixture>(fixture: &F) -> Outcome {
    with_list(fixture, |backend, id| {
        let mut list = backend.list(&id).must();
        let elements: Vec<u64> = (0..300).map(|n| n * 389 % 300).collect();
        list.add_all(elements.iter().copied()).must();
        let mut visited = Vec::new();
        list.retain(|element| {
            visited.push(*element);
            element % 3 == 0
        })
        .must();
        assert_eq!(visited, elements);
        let expected: Vec<u64> = elements.into_iter().filter(|n| n % 3 == 0).collect();
        assert_eq!(list.to_vec().must(), expected);
        list.add(1).must();
        assert_eq!(list.iter().must().next_back().transpose().must(), Some(1));
    });
    Outcome::Ran
}

/// M6: null is an element like any other. (57)
pub fn m6_null_is_an_element<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_list(&ListDescriptor::<Option<u64>>::new("list")).must();
    backend.set_current_key(&1).must();
    let mut list = backend.list(&id).must();
    list.add(Some(1)).must();
    list.add(None).must();
    list.add_all([None, Some(2)]).must();
    assert_eq!(list.to_vec().must(), [Some(1), None, None, Some(2)]);
    list.update([None]).must();
    assert_eq!(list.to_vec().must(), [None]);
    assert!(!list.is_empty().must());
    Outcome::Ran
}

/// M9: what happens to elements outside does not reach the list: its iterator gives them away. (54, 62)
pub fn m9_elements_go_in_and_out_by_ownership<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_list(&ListDescriptor::<Vec<u8>>::new("list")).must();
    backend.set_current_key(&1).must();
    let mut list = backend.list(&id).must();
    let mut mine = [vec![1], vec![2]];
    list.add_all(mine.iter().cloned()).must();
    mine[0].push(9);
    let mut found = list.to_vec().must();
    found[0].push(8);
    found.remove(1);
    assert_eq!(list.iter().must().count(), 2);
    assert_eq!(list.to_vec().must(), [vec![1], vec![2]]);
    Outcome::Ran
}

/// M7: an element that cannot be encoded, in the midst of a batch, leaves the list as it was; a backend that encodes
/// nothing takes the whole batch.
pub fn m7_a_codec_error_in_a_list_leaves_what_was_there<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_list(&ListDescriptor::<Picky>::new("list")).must();
    backend.set_current_key(&1).must();
    let mut list = backend.list(&id).must();
    let before = [Picky(1), Picky(2)];
    let batch = [Picky(3), Picky(Picky::CANNOT_ENCODE), Picky(4)];
    list.add_all(before.clone()).must();
    match list.add_all(batch.clone()) {
        Ok(()) => assert_eq!(list.to_vec().must(), [&before[..], &batch[..]].concat()),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Codec);
            assert_eq!(list.to_vec().must(), before);
            list.add(Picky(Picky::CANNOT_ENCODE)).must_fail(ErrorKind::Codec);
            assert_eq!(list.to_vec().must(), before);
            list.update(batch.clone()).must_fail(ErrorKind::Codec);
            assert_eq!(list.to_vec().must(), before);
        }
    }
    // Nothing of the failed batches is left to go with a later one.
    list.update([Picky(5)]).must();
    list.add(Picky(6)).must();
    assert_eq!(list.to_vec().must(), [Picky(5), Picky(6)]);
    Outcome::Ran
}

/// F2: a stored element that does not decode is an error where it is read, and ends the iteration; a backend that encodes
/// nothing reads it.
pub fn f2_an_element_that_does_not_decode_is_an_error<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_list(&ListDescriptor::<Picky>::new("list")).must();
    backend.set_current_key(&1).must();
    let mut list = backend.list(&id).must();
    let elements = [Picky(1), Picky(Picky::CANNOT_DECODE), Picky(3)];
    list.add_all(elements.clone()).must();
    match list.to_vec() {
        Ok(found) => assert_eq!(found, elements),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Codec);
            let found: Vec<Result<Picky>> = list.iter().must().collect();
            assert!(found.len() == 2 && found[0].is_ok() && found[1].is_err());
            list.retain(|_| false).must_fail(ErrorKind::Codec);
            assert_eq!(list.len().must(), 3, "a failed retain must remove nothing");
        }
    }
    list.update([Picky(4)]).must();
    assert_eq!(list.to_vec().must(), [Picky(4)]);
    Outcome::Ran
}

/// M7: a caller's code that panics in the midst of a batch leaves the list as it was.
pub fn m7_a_panic_in_a_list_leaves_what_was_there<F: Fixture>(fixture: &F) -> Outcome {
    with_list(fixture, |backend, id| {
        let mut list = backend.list(&id).must();
        list.add_all([1, 2]).must();
        let batch = || (1..5).map(|n| if n < 3 { 10 * n } else { quiet_panic() });
        assert!(panics(|| list.add_all(batch())));
        assert_eq!(list.to_vec().must(), [1, 2]);
        assert!(panics(|| list.update(batch())));
        assert_eq!(list.to_vec().must(), [1, 2]);
        assert!(panics(|| list.retain(|element| if *element == 1 {
            false
        } else {
            quiet_panic()
        })));
        assert_eq!(list.to_vec().must(), [1, 2]);
        list.add(3).must();
        assert_eq!(list.to_vec().must(), [1, 2, 3]);
    });
    Outcome::Ran
}
