//! L1: what a list is, and that it keeps its order.

use keyed_state_core::{
    ErrorKind, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, ListId, MapDescriptor,
    Result, ValueDescriptor,
};

use crate::{
    Fixture, Outcome,
    kinds::every_kind,
    support::{Home, Must, NOT_DURABLE, sorted},
};

/// Runs `run` on a new backend with a list, under a key.
pub(super) fn with_list<F: Fixture, T>(
    fixture: &F,
    run: impl FnOnce(&mut F::Backend<String>, ListId<u64>) -> T,
) -> T {
    let home = Home::new();
    let mut backend = home.open::<F, String>(fixture);
    let id = backend.register_list(&ListDescriptor::<u64>::new("list")).must();
    backend.set_current_key(&"key".to_owned()).must();
    run(&mut backend, id)
}

/// L1: elements come in the order in which they were appended, one by one and in batches, over flushes, compactions and
/// opening again. (93)
pub fn l1_elements_keep_the_order_of_appending<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let capabilities = backend.capabilities();
    let descriptor = ListDescriptor::<u64>::new("list");
    let mut expected = Vec::new();
    for round in 0..12 {
        let id = backend.register_list(&descriptor).must();
        backend.set_current_key(&1).must();
        let mut list = backend.list(&id).must();
        // Descending, so that no order but that of appending gives them back.
        let elements: Vec<u64> = (0..50).map(|n| 1_000 - 10 * round - n).collect();
        let (one_by_one, batch) = elements.split_at(20);
        one_by_one.iter().try_for_each(|element| list.add(*element)).must();
        list.add_all(batch.iter().copied()).must();
        expected.extend(elements);
        assert_eq!(list.to_vec().must(), expected, "round {round}");
        drop(list);
        match round % 4 {
            0 => backend.flush().must(),
            1 if capabilities.compact => backend.compact().must(),
            2 if capabilities.durable => backend = home.reopen(fixture, backend),
            _ => {}
        }
        let id = backend.register_list(&descriptor).must();
        backend.set_current_key(&1).must();
        assert_eq!(backend.list(&id).must().to_vec().must(), expected, "after round {round}");
    }
    Outcome::Ran
}

/// L1: what is appended after a clear is alone, whatever is flushed, compacted or opened again in between. (7)
pub fn l1_what_is_appended_after_clear_is_alone<F: Fixture>(fixture: &F) -> Outcome {
    for strategy in fixture.strategies() {
        let home = Home::new();
        let mut backend = home.open::<F, u64>(fixture);
        let capabilities = backend.capabilities();
        let descriptor = ListDescriptor::<u64>::new("list").clear_strategy(strategy);
        let mut id = backend.register_list(&descriptor).must();
        backend.set_current_key(&1).must();
        for round in 0..3 {
            backend.list(&id).must().add_all([10 + round, 20 + round]).must();
            backend.flush().must();
            backend.list(&id).must().clear().must();
            assert!(backend.list(&id).must().is_empty().must());
            backend.list(&id).must().add(30 + round).must();
            let expect = |backend: &mut F::Backend<u64>, id| {
                let found = backend.list(&id).must().to_vec().must();
                assert_eq!(found, [30 + round], "cleared by {strategy}");
            };
            expect(&mut backend, id);
            backend.flush().must();
            expect(&mut backend, id);
            if capabilities.compact {
                backend.compact().must();
                expect(&mut backend, id);
            }
            if capabilities.durable {
                backend = home.reopen(fixture, backend);
                id = backend.register_list(&descriptor).must();
                backend.set_current_key(&1).must();
                expect(&mut backend, id);
            }
            backend.list(&id).must().clear().must();
        }
    }
    Outcome::Ran
}

/// L1: what is appended after opening again comes last, also if the last elements before were removed: numbers are never
/// given twice.
pub fn l1_numbers_go_on_when_opened_again<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    if !backend.capabilities().durable {
        return Outcome::Skipped(NOT_DURABLE);
    }
    let (one, other) = (ListDescriptor::<u64>::new("one"), ListDescriptor::<u64>::new("other"));
    let mut expected = Vec::new();
    for round in 0..4 {
        let (one, other) =
            (backend.register_list(&one).must(), backend.register_list(&other).must());
        backend.set_current_key(&1).must();
        backend.list(&one).must().add_all([100 - round, 200 - round]).must();
        expected.extend([100 - round, 200 - round]);
        // The latest numbers are those of elements that are gone when the backend closes.
        backend.list(&other).must().add_all(0..50).must();
        backend.list(&other).must().clear().must();
        backend.list(&one).must().add(7).must();
        backend.list(&one).must().retain(|element| *element != 7).must();
        backend = home.reopen(fixture, backend);
    }
    let id = backend.register_list(&one).must();
    backend.set_current_key(&1).must();
    assert_eq!(backend.list(&id).must().to_vec().must(), expected);
    Outcome::Ran
}

/// L1: a list has no size limit: appending costs no read and no rewriting of what is there. (92)
pub fn l1_a_list_grows_without_limit<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_list(&ListDescriptor::<Vec<u8>>::new("list")).must();
    backend.set_current_key(&1).must();
    let element = |n: u16| [n.to_be_bytes().to_vec(), vec![0; 1000]].concat();
    let mut list = backend.list(&id).must();
    for n in 0..8_000 {
        list.add(element(n)).must();
    }
    list.add_all((8_000..16_000).map(element)).must();
    assert_eq!(list.len().must(), 16_000);
    let mut next = 0;
    for found in list.iter().must() {
        assert!(found.must() == element(next), "element {next} is another");
        next += 1;
    }
    assert_eq!(next, 16_000);
    assert_eq!(list.iter().must().next_back().transpose().must(), Some(element(15_999)));
    Outcome::Ran
}

/// L1: elements that are equal stay apart.
pub fn l1_equal_elements_are_all_kept<F: Fixture>(fixture: &F) -> Outcome {
    with_list(fixture, |backend, id| {
        let mut list = backend.list(&id).must();
        list.add_all([5, 5, 5]).must();
        list.add(5).must();
        assert_eq!(list.to_vec().must(), [5; 4]);
        assert_eq!(list.len().must(), 4);
    });
    Outcome::Ran
}

/// L1: lists iterate from either end, and the ends meet.
pub fn l1_lists_iterate_from_both_ends<F: Fixture>(fixture: &F) -> Outcome {
    with_list(fixture, |backend, id| {
        let mut list = backend.list(&id).must();
        list.add_all((0..300).rev()).must();
        let reversed: Vec<u64> = list.iter().must().rev().collect::<Result<_>>().must();
        assert!(reversed.into_iter().eq(0..300));
        let mut iter = list.iter().must();
        for n in 0..150 {
            assert_eq!(iter.next().transpose().must(), Some(299 - n));
            assert_eq!(iter.next_back().transpose().must(), Some(n));
        }
        assert!(iter.next().is_none() && iter.next_back().is_none() && iter.next().is_none());
    });
    Outcome::Ran
}

/// M2: lists of other keys, namespaces and states are others.
pub fn m2_a_list_belongs_to_its_key_and_namespace<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let list = |name| ListDescriptor::<u64, String>::new(name);
    let states = ["list", "list 2"].map(|name| backend.register_list(&list(name)).must());
    let spaces = ["", "a", "aa"].map(str::to_owned);
    // Interleaved, so that consecutive numbers lie in different lists.
    for round in 0..3 {
        for key in 0..10 {
            backend.set_current_key(&key).must();
            for (s, state) in (0..).zip(&states) {
                for (n, space) in (0..).zip(&spaces) {
                    let element = 1000 * s + 100 * n + 10 * key + round;
                    backend.list_in(state, space).must().add(element).must();
                }
            }
        }
    }
    backend.set_current_key(&3).must();
    backend.list_in(&states[0], &spaces[1]).must().clear().must();
    for key in 0..10 {
        backend.set_current_key(&key).must();
        for (s, state) in (0..).zip(&states) {
            for (n, space) in (0..).zip(&spaces) {
                let cleared = (s, n, key) == (0, 1, 3);
                let elements = (0..3).map(|round| 1000 * s + 100 * n + 10 * key + round);
                let expected: Vec<u64> = if cleared { vec![] } else { elements.collect() };
                let found = backend.list_in(state, space).must().to_vec().must();
                assert_eq!(found, expected);
            }
        }
    }
    assert_eq!(backend.keys_and_namespaces(&states[0]).must().count(), 29);
    assert_eq!(backend.keys(&states[0], &spaces[1]).must().count(), 9);
    Outcome::Ran
}

/// M4, M8: lists never written, emptied and cleared read alike and are not listed. (45, 46)
pub fn m8_absent_emptied_and_cleared_lists_read_alike<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_list(&ListDescriptor::<u64>::new("list")).must();
    for key in 0..6 {
        backend.set_current_key(&key).must();
        let mut list = backend.list(&id).must();
        match key {
            0 => {}
            1 => list.add_all([]).must(),
            2 => list.add_all([1, 2]).and_then(|()| list.clear()).must(),
            3 => list.add_all([1, 2]).and_then(|()| list.update([])).must(),
            4 => list.add_all([1, 2]).and_then(|()| list.retain(|_| false)).must(),
            _ => list.update([]).must(),
        }
        assert!(list.is_empty().must());
        assert_eq!(list.len().must(), 0);
        assert_eq!(list.to_vec().must(), []);
        assert!(list.iter().must().next().is_none());
        assert!(list.iter().must().next_back().is_none());
    }
    assert_eq!(backend.keys(&id, &()).must().count(), 0);
    backend.list(&id).must().add(1).must();
    assert_eq!(sorted(backend.keys_and_namespaces(&id).must()), [(5, ())]);
    Outcome::Ran
}

/// K3: a name that one kind of state has is refused to every other, though they may be stored alike, after opening again
/// too. (63)
pub fn k3_every_kind_of_state_has_names_of_its_own<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let rounds = if backend.capabilities().durable { 2 } else { 1 };
    for _ in 0..rounds {
        every_kind(&mut backend, "s", None);
        let kinds = ["value", "map", "list", "reducing", "aggregating"];
        for name in kinds.map(|kind| format!("{kind}-s")) {
            let taken = [
                backend.register_value(&ValueDescriptor::<String, u64>::new(&name)).map(drop),
                backend.register_map(&MapDescriptor::<u64, String, u64>::new(&name)).map(drop),
                backend.register_list(&ListDescriptor::<String, u64>::new(&name)).map(drop),
            ];
            for (outcome, kind) in taken.into_iter().zip(["value", "map", "list"]) {
                if name.starts_with(kind) {
                    outcome.must();
                    continue;
                }
                let text = outcome.must_fail(ErrorKind::StateMismatch).to_string();
                let stored = name.strip_suffix("-s").expect("as made above");
                assert!(text.contains(&format!("{stored}<")), "{text}");
                assert!(text.contains(&format!("{kind}<")), "{text}");
            }
        }
        if rounds > 1 {
            backend = home.reopen(fixture, backend);
        }
    }
    Outcome::Ran
}
