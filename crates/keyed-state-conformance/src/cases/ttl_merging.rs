//! T1, T2: merging namespaces of states with TTL.

use keyed_state_core::{
    Clock as _, ErrorKind, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, MapDescriptor,
    MapState,
};

use super::merging::{add, expect};
use crate::{
    Fixture, Outcome,
    kinds::{FAILS, merging_kinds},
    stage::{TIMES, ttl, ttl_by_reads, with_ttl},
    support::{Must, NOT_DURABLE, entries},
};

/// T1: parts that have expired are not merged: any of a target and two sources. (69, 78)
pub fn t1_expired_parts_are_not_merged<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for time in TIMES {
            let rule = Some(ttl(100).time(time));
            let kinds = merging_kinds(&mut stage.backend, &format!("by {time:?}"), rule);
            let parts = [(5, "t;"), (2, "s2;"), (1, "s1;")];
            for live in 0..8 {
                let start = 1_000 * i64::from(live);
                let is_live = |part: usize| live >> part & 1 == 1;
                for kind in &kinds {
                    let backend = stage.at_time(time, start);
                    for (part, (namespace, text)) in parts.into_iter().enumerate() {
                        if !is_live(part) {
                            kind.add(backend, namespace, text).must();
                        }
                    }
                }
                for kind in &kinds {
                    let backend = stage.at_time(time, start + 50);
                    for (part, (namespace, text)) in parts.into_iter().enumerate() {
                        if is_live(part) {
                            kind.add(backend, namespace, text).must();
                        }
                    }
                }
                let merged: String = parts
                    .into_iter()
                    .enumerate()
                    .filter(|(part, _)| is_live(*part))
                    .map(|(_, (_, text))| text)
                    .collect();
                let expected = [(5, merged.as_str())];
                let expected = if live == 0 { &[][..] } else { &expected };
                for kind in &kinds {
                    let backend = stage.at_time(time, start + 100);
                    kind.merge(backend, 5, &[2, 1]).must();
                    expect(backend, kind.as_ref(), expected);
                }
                for kind in &kinds {
                    expect(stage.at_time(time, start + 149), kind.as_ref(), expected);
                }
                for kind in &kinds {
                    expect(stage.at_time(time, start + 150), kind.as_ref(), &[]);
                }
            }
        }
        Outcome::Ran
    })
}

/// T1: a function is never asked about what has expired, so it cannot fail over it.
pub fn t1_functions_never_see_what_has_expired<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for kind in merging_kinds(&mut stage.backend, "s", Some(ttl(100))) {
            if !kind.combines() {
                continue;
            }
            stage.clock.advance(1_000);
            add(&mut stage.backend, kind.as_ref(), &[(2, FAILS)]);
            stage.clock.advance(50);
            add(&mut stage.backend, kind.as_ref(), &[(5, "t;"), (1, "s1;")]);
            kind.merge(&mut stage.backend, 5, &[1, 2]).must_fail(ErrorKind::Function);
            stage.clock.advance(50);
            kind.merge(&mut stage.backend, 5, &[1, 2]).must();
            expect(&mut stage.backend, kind.as_ref(), &[(5, "t;s1;")]);
        }
        Outcome::Ran
    })
}

/// T2: a merged value has the newest touch of its parts, whichever part that is; merging itself touches nothing, also where
/// reading does.
pub fn t2_a_merged_value_has_the_newest_touch_of_its_parts<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let mut start = 0;
        for (name, rule) in [("by writes", ttl(100)), ("by reads", ttl_by_reads(100))] {
            for kind in merging_kinds(&mut stage.backend, name, Some(rule)) {
                if !kind.combines() {
                    continue;
                }
                for order in [[5, 1, 2], [1, 2, 5], [2, 5, 1], [5, 2, 1]] {
                    start += 1_000;
                    for (later, namespace) in (0..).zip(order) {
                        let backend = stage.at(start + 20 * later);
                        kind.add(backend, namespace, &format!("{namespace};")).must();
                    }
                    kind.merge(stage.at(start + 70), 5, &[1, 2]).must();
                    let pairs = kind.pairs(stage.at(start + 139)).must();
                    assert_eq!(pairs, [(1, 5)], "{} {name}, {order:?}", kind.name());
                    let pairs = kind.pairs(stage.at(start + 140)).must();
                    assert_eq!(pairs, [], "{} {name}, {order:?}", kind.name());
                }
            }
        }
        Outcome::Ran
    })
}

/// T2: a merge that fails leaves every life as long as it was, also where reading prolongs.
pub fn t2_a_failed_merge_prolongs_nothing<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let kinds = merging_kinds(&mut stage.backend, "s", Some(ttl_by_reads(100)));
        for (start, kind) in (1..).zip(&kinds).map(|(number, kind)| (1_000 * number, kind)) {
            if !kind.combines() {
                continue;
            }
            add(stage.at(start), kind.as_ref(), &[(5, "t;"), (1, "s1;")]);
            add(stage.at(start + 20), kind.as_ref(), &[(2, FAILS)]);
            kind.merge(stage.at(start + 60), 5, &[1, 2]).must_fail(ErrorKind::Function);
            for (later, live) in [(99, &[1, 2, 5][..]), (100, &[2]), (119, &[2]), (120, &[])] {
                let pairs = kind.pairs(stage.at(start + later)).must();
                let live = live.iter().map(|namespace| (1, *namespace));
                assert!(pairs.into_iter().eq(live), "{}, {later} ms later", kind.name());
            }
        }
        Outcome::Ran
    })
}

/// T2: elements of lists keep their touches when their lists are merged, and so expire one by one. (78)
pub fn t2_elements_keep_their_touches_in_a_merge<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for (name, rule) in [("by writes", ttl(100)), ("by reads", ttl_by_reads(100))] {
            let id = ListDescriptor::<u32, u64>::new(name).ttl(rule);
            let id = stage.backend.register_list(&id).must();
            let start = stage.clock.now_ms() + 1_000;
            for (element, namespace) in [(0, 1), (10, 0), (20, 2), (30, 1), (40, 0)] {
                let list = stage.at(start + i64::from(element)).list_in(&id, &namespace);
                list.must().add(element).must();
            }
            stage.at(start + 60).merge_lists(&id, &0, &[2, 1]).must();
            for (later, expected) in [
                (99, &[10, 40, 20, 0, 30][..]),
                (100, &[10, 40, 20, 30]),
                (110, &[40, 20, 30]),
                (120, &[40, 30]),
                (130, &[40]),
                (140, &[]),
            ] {
                // `retain` touches nothing, so that looking does not prolong.
                let mut found = Vec::new();
                let keep = |element: &u32| {
                    found.push(*element);
                    true
                };
                stage.at(start + later).list_in(&id, &0).must().retain(keep).must();
                assert_eq!(found, expected, "{name}, {later} ms later");
            }
        }
        Outcome::Ran
    })
}

/// T2: entries of maps that meet have the newest touch of the two; those of one map alone keep their own.
pub fn t2_entries_of_merged_maps_keep_or_join_their_touches<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for (name, rule) in [("by writes", ttl(100)), ("by reads", ttl_by_reads(100))] {
            let id = MapDescriptor::<u64, u64, u64>::new(name).ttl(rule);
            let id = stage.backend.register_map(&id).must();
            let start = stage.clock.now_ms() + 1_000;
            // Of key 3 the target's part has expired when they are merged, of key 4 the source's.
            for (later, namespace, keys) in [
                (0, 0, &[3][..]),
                (0, 1, &[4]),
                (60, 0, &[0, 1]),
                (70, 1, &[1, 2, 3]),
                (80, 0, &[2, 4]),
            ] {
                let part = keys.iter().map(|key| (*key, 1));
                stage.at(start + later).map_in(&id, &namespace).must().put_all(part).must();
            }
            let backend = stage.at(start + 100);
            backend.merge_maps(&id, &0, &[1], |_, a, b| Ok(a + b)).must();
            let map = backend.map_in(&id, &0).must();
            let found: Vec<_> = map.iter_with_touch().must().map(Must::must).collect();
            let expected = [(0, 1, 60), (1, 2, 70), (2, 2, 80), (3, 1, 70), (4, 1, 80)];
            assert_eq!(found, expected.map(|(k, v, later)| (k, v, Some(start + later))), "{name}");
            drop(map);
            assert!(backend.map_in(&id, &1).must().is_empty().must());
            let left: Vec<_> = stage
                .at(start + 170)
                .map_in(&id, &0)
                .must()
                .iter_with_touch()
                .must()
                .map(|entry| entry.must().0)
                .collect();
            assert_eq!(left, [2, 4], "{name}");
            stage.backend.map_in(&id, &0).must().clear().must();
            assert_eq!(entries(&stage.backend.map_in(&id, &0).must()), []);
        }
        Outcome::Ran
    })
}

/// T2: what a merge made of touches holds over flushing, compacting and opening again.
pub fn t2_touches_of_a_merge_are_kept<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        if !stage.is_durable() {
            return Outcome::Skipped(NOT_DURABLE);
        }
        for kind in merging_kinds(&mut stage.backend, "s", Some(ttl(100))) {
            let name = kind.name();
            stage.clock.set(0);
            add(&mut stage.backend, kind.as_ref(), &[(5, name), (1, "gone;")]);
        }
        for kind in merging_kinds(&mut stage.backend, "s", Some(ttl(100))) {
            add(stage.at(70), kind.as_ref(), &[(2, "s2;")]);
        }
        for kind in merging_kinds(&mut stage.backend, "s", Some(ttl(100))) {
            kind.clear(stage.at(80), 1).must();
            kind.merge(&mut stage.backend, 5, &[1, 2]).must();
        }
        let mut stage = stage.reopen_at(fixture, 99);
        for kind in merging_kinds(&mut stage.backend, "s", Some(ttl(100))) {
            expect(&mut stage.backend, kind.as_ref(), &[(5, &format!("{}s2;", kind.name()))]);
        }
        if stage.backend.capabilities().compact {
            stage.at(100).compact().must();
        }
        for kind in merging_kinds(&mut stage.backend, "s", Some(ttl(100))) {
            // In a list the two stay apart, and the first has expired.
            let left = if kind.combines() { kind.name() } else { "" };
            expect(stage.at(169), kind.as_ref(), &[(5, &format!("{left}s2;"))]);
        }
        for kind in merging_kinds(&mut stage.backend, "s", Some(ttl(100))) {
            expect(stage.at(170), kind.as_ref(), &[]);
        }
        Outcome::Ran
    })
}
