//! F1 for lists, merges and TTL: an engine's error reaches the caller, and what cannot be done wholly is not done at all.

use keyed_state_core::{
    Engine, EngineMap, ErrorKind, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor,
    MapDescriptor, MapId, MapState, Result, ValueDescriptor, ValueId, ValueState,
};

use super::support::{Counted, counted};
use crate::{
    Call, EngineFixture, Failures, Outcome,
    cases::merging::{Texts, add, expect},
    kinds::merging_kinds,
    stage::{ttl, ttl_by_reads},
    support::{Home, Must, entries},
};

/// F1, L2: a merge during which the engine fails, at whichever call, changes nothing in any namespace, and works when the
/// engine does.
pub fn f1_a_failed_merge_changes_nothing<F: EngineFixture>(fixture: &F) -> Outcome {
    let (home, failures) = (Home::new(), Failures::new());
    let (mut backend, _) = counted(fixture, &home, &failures);
    for (name, rule) in [("forever", None), ("ttl", Some(ttl(100)))] {
        for kind in merging_kinds(&mut backend, name, rule) {
            let before: Texts<'_> = &[(1, "a;a2;"), (2, "b;"), (5, "t;")];
            add(&mut backend, kind.as_ref(), before);
            let mut failed = 0;
            for call in [Call::Get, Call::Scan, Call::Next, Call::Write] {
                for nth in 1..=8 {
                    failures.fail(call, nth);
                    let merged = kind.merge(&mut backend, 5, &[1, 2]);
                    failures.heal();
                    if let Err(error) = merged {
                        assert_eq!(error.kind(), ErrorKind::Storage, "{error:?}");
                        failed += 1;
                        expect(&mut backend, kind.as_ref(), before);
                    } else {
                        expect(&mut backend, kind.as_ref(), &[(5, "t;a;a2;b;")]);
                        kind.clear(&mut backend, 5).must();
                        add(&mut backend, kind.as_ref(), before);
                    }
                }
            }
            assert!(failed >= 3, "{} is merged without calls that can fail", kind.name());
            kind.merge(&mut backend, 5, &[1, 2]).must();
            expect(&mut backend, kind.as_ref(), &[(5, "t;a;a2;b;")]);
        }
    }
    Outcome::Ran
}

/// F1, M7: appending and updating during which the engine fails leave the list as it was.
pub fn f1_a_failed_change_of_a_list_changes_nothing<F: EngineFixture>(fixture: &F) -> Outcome {
    let (home, failures) = (Home::new(), Failures::new());
    let (mut backend, _) = counted(fixture, &home, &failures);
    let id = backend.register_list(&ListDescriptor::<u64>::new("list")).must();
    backend.list(&id).must().add_all([1, 2, 3]).must();
    let mut list = backend.list(&id).must();
    for (call, nth) in [(Call::Put, 1), (Call::Write, 1), (Call::Scan, 1), (Call::Next, 2)] {
        failures.fail(call, nth);
        let outcomes = [
            list.add(9),
            list.add_all([7, 8]),
            list.update([5, 6]),
            list.retain(|element| *element != 2),
        ];
        failures.heal();
        let reached = match call {
            Call::Put => [true, false, false, false],
            Call::Write => [false, true, true, true],
            _ => [false, false, true, true],
        };
        let mut expected = vec![1, 2, 3];
        for (way, (outcome, reached)) in outcomes.into_iter().zip(reached).enumerate() {
            if reached {
                outcome.must_fail(ErrorKind::Storage);
                continue;
            }
            outcome.must();
            match way {
                0 => expected.push(9),
                1 => expected.extend([7, 8]),
                2 => expected = vec![5, 6],
                _ => expected.retain(|element| *element != 2),
            }
        }
        assert_eq!(list.to_vec().must(), expected, "{call:?} failed");
        list.update([1, 2, 3]).must();
    }
    Outcome::Ran
}

/// A backend with a map and a value whose reads touch, both written at 0 and read at 60.
fn touched<F: EngineFixture>(
    fixture: &F,
    home: &Home,
    failures: &Failures,
) -> (Counted, MapId<u64, u64>, ValueId<u64>) {
    let (mut backend, clock) = counted(fixture, home, failures);
    let map = MapDescriptor::<u64, u64>::new("map").ttl(ttl_by_reads(100));
    let map = backend.register_map(&map).must();
    let value = ValueDescriptor::<u64>::new("value").ttl(ttl_by_reads(100));
    let value = backend.register_value(&value).must();
    backend.map(&map).must().put_all([(1, 10), (2, 20)]).must();
    backend.value(&value).must().set(1).must();
    clock.set(60);
    assert_eq!(backend.value(&value).must().get().must(), Some(1));
    assert_eq!(entries(&backend.map(&map).must()), [(1, 10), (2, 20)]);
    (backend, map, value)
}

/// F1, T2: a touch that cannot be written fails the access that was to write it, and stays to be written by the next.
pub fn f1_a_failed_touch_reaches_the_caller<F: EngineFixture>(fixture: &F) -> Outcome {
    type Access = fn(&mut Counted, MapId<u64, u64>, ValueId<u64>) -> Result<()>;
    let accesses: [Access; 7] = [
        |backend, map, _| backend.map(&map).map(drop),
        |backend, _, value| backend.value(&value).map(drop),
        |backend, map, _| backend.keys(&map, &()).map(drop),
        |backend, map, _| backend.expired_entries(&map).map(drop),
        |backend, map, _| backend.change_map(&map, vec![]),
        |backend, _, value| backend.change_value(&value, vec![]),
        |backend, _, _| backend.flush(),
    ];
    for (number, access) in accesses.into_iter().enumerate() {
        let (home, failures) = (Home::new(), Failures::new());
        let (mut backend, map, value) = touched(fixture, &home, &failures);
        failures.fail(Call::Write, 1);
        access(&mut backend, map, value).must_fail(ErrorKind::Storage);
        failures.heal();
        access(&mut backend, map, value).must();
        let found: Vec<_> =
            backend.map(&map).must().iter_with_touch().must().map(Must::must).collect();
        assert_eq!(found, [(1, 10, Some(60)), (2, 20, Some(60))], "access {number}");
        let found = backend.value(&value).must().get_with_touch().must();
        assert_eq!(found, Some((1, Some(60))), "access {number}");
    }
    Outcome::Ran
}

/// F1, T2: a write that fails at the touches to be written before it changes nothing, and no touch is lost by it.
pub fn f1_a_write_that_fails_at_its_touches_changes_nothing<F: EngineFixture>(
    fixture: &F,
) -> Outcome {
    type Write = fn(&mut EngineMap<'_, Box<dyn Engine>, u64, u64>) -> Result<()>;
    let writes: [(Write, &[(u64, u64)]); 6] = [
        (|map| map.put(1, 11), &[(1, 11), (2, 20)]),
        (|map| map.put_all([(1, 11), (3, 33)]), &[(1, 11), (2, 20), (3, 33)]),
        (|map| map.replace_all([(3, 33)]), &[(3, 33)]),
        (|map| map.remove(&1), &[(2, 20)]),
        (|map| map.retain(|_, _| false), &[]),
        (|map| map.clear(), &[]),
    ];
    for (write, expected) in writes {
        let (home, failures) = (Home::new(), Failures::new());
        let (mut backend, clock) = counted(fixture, &home, &failures);
        let map = MapDescriptor::<u64, u64>::new("map").ttl(ttl_by_reads(100));
        let map = backend.register_map(&map).must();
        backend.map(&map).must().put_all([(1, 10), (2, 20)]).must();
        clock.set(60);
        let mut state = backend.map(&map).must();
        assert_eq!(entries(&state), [(1, 10), (2, 20)]);
        failures.fail(Call::Write, 1);
        write(&mut state).must_fail(ErrorKind::Storage);
        failures.heal();
        let mut state = backend.map(&map).must();
        let found: Vec<_> = state.iter_with_touch().must().map(Must::must).collect();
        assert_eq!(found, [(1, 10, Some(60)), (2, 20, Some(60))]);
        write(&mut state).must();
        assert_eq!(entries(&state), expected);
    }
    Outcome::Ran
}

/// F1, T3: a clean-up that fails at an access is an error of that access, and takes nothing that lives.
pub fn f1_a_failed_clean_up_reaches_the_caller<F: EngineFixture>(fixture: &F) -> Outcome {
    let (home, failures) = (Home::new(), Failures::new());
    let (mut backend, clock) = counted(fixture, &home, &failures);
    if backend.capabilities().compaction_filter {
        // Compactions clean up, and their errors are the engine's.
        return Outcome::Ran;
    }
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("map").ttl(ttl(100))).must();
    backend.map(&id).must().put_all((0..200).map(|n| (n, n))).must();
    clock.set(50);
    backend.map(&id).must().put_all((0..200).step_by(2).map(|n| (n, n))).must();
    clock.set(100);
    for call in [Call::Scan, Call::Next, Call::Write] {
        failures.fail(call, 1);
        let failed = (0..1_000).filter(|_| {
            let outcome = backend.map(&id).map(drop);
            outcome.is_err_and(|error| error.kind() == ErrorKind::Storage)
        });
        assert!(failed.count() > 0, "{call:?} was not made by any access");
        failures.heal();
        let left = entries(&backend.map(&id).must());
        assert!(left.into_iter().eq((0..200).step_by(2).map(|n| (n, n))), "{call:?} failed");
    }
    Outcome::Ran
}
