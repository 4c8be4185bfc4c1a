//! L1, L2, T2 and T3 by what they cost: how often a backend calls its engine.

use keyed_state_core::{
    Engine, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, MapDescriptor, MapState,
    ReducingDescriptor, ValueDescriptor, ValueState,
};

use super::support::{Counted, WRITES, calls_of, counted, open, rows, sum};
use crate::{
    Call, EngineFixture, Failures, Outcome,
    kinds::{every_kind, merging_kinds},
    stage::{ttl, ttl_by_reads},
    support::{Home, Must, NOT_DURABLE},
};

/// L1: appending is one blind put, however long the list; a batch is one write. (92)
pub fn l1_appending_is_one_put<F: EngineFixture>(fixture: &F) -> Outcome {
    let (home, calls) = (Home::new(), Failures::new());
    let (mut backend, _) = counted(fixture, &home, &calls);
    for (name, rule) in [("forever", None), ("ttl", Some(ttl(100)))] {
        let descriptor = ListDescriptor::<u64>::new(name);
        let descriptor = match rule {
            Some(rule) => descriptor.ttl(rule),
            None => descriptor,
        };
        let id = backend.register_list(&descriptor).must();
        for length in [0, 1, 1_000] {
            backend.list(&id).must().add_all(0..length).must();
            let mut list = backend.list(&id).must();
            let made = calls_of(&calls, || list.add(7).must());
            assert_eq!((sum(&made, &[Call::Put]), sum(&made, &Call::ALL)), (1, 1));
            let made = calls_of(&calls, || list.add_all([8, 9]).must());
            assert_eq!((sum(&made, &[Call::Write]), sum(&made, &Call::ALL)), (1, 1));
            let made = calls_of(&calls, || list.add_all([]).must());
            assert_eq!(sum(&made, &WRITES), 0);
        }
    }
    Outcome::Ran
}

/// Adding to a reduced value is one read and one put, and opening a view of any kind is no call.
pub fn adding_to_a_reduced_value_is_a_read_and_a_put<F: EngineFixture>(fixture: &F) -> Outcome {
    let (home, calls) = (Home::new(), Failures::new());
    let (mut backend, _) = counted(fixture, &home, &calls);
    let sum_of = |a: u64, b: u64| Ok(a + b);
    for (name, rule) in [("ever", None), ("ttl", Some(ttl(100))), ("rw", Some(ttl_by_reads(100)))] {
        let descriptor = ReducingDescriptor::<u64, _>::new(name, sum_of);
        let descriptor = match rule {
            Some(rule) => descriptor.ttl(rule),
            None => descriptor,
        };
        let id = backend.register_reducing(&descriptor).must();
        for _ in 0..3 {
            let made = calls_of(&calls, || backend.reducing(&id).must().add(1).must());
            let expected = [Call::Get, Call::Put].map(|call| sum(&made, &[call]));
            assert_eq!((expected, sum(&made, &Call::ALL)), ([1, 1], 2), "{name}");
        }
    }
    Outcome::Ran
}

/// L2: a merge is one write of the engine, of any kind of state, however many namespaces it is of.
pub fn l2_a_merge_is_one_write<F: EngineFixture>(fixture: &F) -> Outcome {
    let (home, calls) = (Home::new(), Failures::new());
    let (mut backend, _) = counted(fixture, &home, &calls);
    for (name, rule) in [("ever", None), ("ttl", Some(ttl(100))), ("rw", Some(ttl_by_reads(100)))] {
        for kind in merging_kinds(&mut backend, name, rule) {
            for sources in 1..9 {
                for namespace in 0..=sources {
                    (0..5).try_for_each(|_| kind.add(&mut backend, namespace, "x;")).must();
                }
                let named: Vec<u64> = (1..=sources).collect();
                let made = calls_of(&calls, || kind.merge(&mut backend, 0, &named).must());
                let writes = (sum(&made, &[Call::Write]), sum(&made, &WRITES));
                assert_eq!(writes, (1, 1), "{} of {sources} sources", kind.name());
            }
        }
    }
    Outcome::Ran
}

/// L2: sources that are empty, expired, named twice or the target itself cost no write.
pub fn l2_empty_sources_cost_no_write<F: EngineFixture>(fixture: &F) -> Outcome {
    let (home, calls) = (Home::new(), Failures::new());
    let (mut backend, clock) = counted(fixture, &home, &calls);
    for rule in [None, Some(ttl(100))] {
        let name = if rule.is_some() { "ttl" } else { "forever" };
        for kind in merging_kinds(&mut backend, name, rule) {
            if rule.is_some() {
                kind.add(&mut backend, 1, "expired;").must();
                clock.advance(100);
            } else {
                kind.add(&mut backend, 1, "cleared;").must();
                kind.clear(&mut backend, 1).must();
            }
            for filled in [false, true] {
                if filled {
                    kind.add(&mut backend, 0, "t;").must();
                }
                for sources in [&[][..], &[0], &[1, 2, 3], &[2, 2, 0, 2]] {
                    let made = calls_of(&calls, || kind.merge(&mut backend, 0, sources).must());
                    assert_eq!(sum(&made, &WRITES), 0, "{} {sources:?}", kind.name());
                }
            }
        }
    }
    Outcome::Ran
}

/// T2: reads that touch nothing write nothing; touches are held back until the next access and written as one batch; what was
/// touched at the same time already is not written again.
pub fn t2_touches_are_written_as_one_batch<F: EngineFixture>(fixture: &F) -> Outcome {
    let (home, calls) = (Home::new(), Failures::new());
    let (mut backend, clock) = counted(fixture, &home, &calls);
    let by_writes = MapDescriptor::<u64, u64>::new("writes").ttl(ttl(100));
    let by_writes = backend.register_map(&by_writes).must();
    let by_reads = MapDescriptor::<u64, u64>::new("reads").ttl(ttl_by_reads(100));
    let by_reads = backend.register_map(&by_reads).must();
    let read = |backend: &mut Counted, id| {
        let made = calls_of(&calls, || {
            let map = backend.map(&id).must();
            assert_eq!(map.iter().must().count(), 20);
            assert!(map.contains(&7).must() && map.first().must().is_some());
            assert_eq!((map.get(&7).must(), map.len().must()), (Some(7), 20));
        });
        assert_eq!(sum(&made, &WRITES), 0, "a read has no `&mut`");
        // The next access to any state is when touches are written.
        let made = calls_of(&calls, || {
            backend.map(&by_writes).must();
        });
        (sum(&made, &[Call::Write]), sum(&made, &WRITES))
    };
    for id in [by_writes, by_reads] {
        backend.map(&id).must().put_all((0..20).map(|n| (n, n))).must();
        assert_eq!(read(&mut backend, id), (0, 0), "what was written now is touched now");
    }
    clock.advance(1);
    assert_eq!(read(&mut backend, by_writes), (0, 0));
    assert_eq!(read(&mut backend, by_reads), (1, 1));
    assert_eq!(read(&mut backend, by_reads), (0, 0), "it was touched at this time already");
    Outcome::Ran
}

/// T3: removing what has expired costs little at each access: a few rows, of however many; with compaction filters nothing.
pub fn t3_removal_costs_little_at_each_access<F: EngineFixture>(fixture: &F) -> Outcome {
    const ACCESSES: u64 = 3_200;
    let (home, calls) = (Home::new(), Failures::new());
    let (mut backend, clock) = counted(fixture, &home, &calls);
    let id = backend.register_value(&ValueDescriptor::<u64, u64>::new("s").ttl(ttl(100))).must();
    for namespace in 0..5_000 {
        backend.value_in(&id, &namespace).must().set(1).must();
    }
    clock.set(100);
    let mut most = 0;
    let mut access = || {
        let made = calls_of(&calls, || {
            backend.value_in(&id, &0).must();
        });
        most = most.max(sum(&made, &[Call::Next]));
        made
    };
    let mut total = [0; Call::ALL.len()];
    for _ in 0..ACCESSES {
        total.iter_mut().zip(access()).for_each(|(total, made)| *total += made);
    }
    let (scans, steps) = (sum(&total, &[Call::Scan]), sum(&total, &[Call::Next]));
    if backend.capabilities().compaction_filter {
        assert_eq!((scans, sum(&total, &WRITES)), (0, 0));
    } else {
        assert!(most <= 200, "{most} rows were looked at in one access");
        assert!(steps <= 4 * ACCESSES && scans <= ACCESSES, "{steps} steps of {scans} scans");
        assert!(sum(&total, &WRITES) <= scans, "more than a batch a scan");
    }
    Outcome::Ran
}

/// T3: after expiry and removal the engine holds no row of any kind of state, and after clearing neither. (80)
pub fn t3_nothing_is_left_in_the_engine<F: EngineFixture>(fixture: &F) -> Outcome {
    let (home, calls) = (Home::new(), Failures::new());
    let (mut backend, clock) = counted(fixture, &home, &calls);
    let capabilities = backend.capabilities();
    if !capabilities.durable {
        return Outcome::Skipped(NOT_DURABLE);
    }
    let kinds = every_kind(&mut backend, "s", Some(ttl(100)));
    for kind in &kinds {
        for key in 0..300 {
            backend.set_current_key(&key).must();
            kind.add(&mut backend, key % 2, "x;").must();
            if key % 3 == 0 {
                kind.clear(&mut backend, key % 2).must();
            }
        }
    }
    clock.set(100);
    match (capabilities.compaction_filter, capabilities.compact) {
        (true, true) => backend.compact().must(),
        (true, false) => return Outcome::Ran,
        (false, _) => {
            for kind in &kinds {
                (0..2_000).for_each(|_| drop(kind.read(&mut backend, 7).must()));
            }
        }
    }
    backend.close().must();
    let (mut engine, _) = open(fixture, &home);
    for kind in kinds {
        let table = engine.open_table(&format!("state.{}-s", kind.name())).must();
        assert_eq!(rows(&engine, table), [], "of the {} state", kind.name());
    }
    Outcome::Ran
}
