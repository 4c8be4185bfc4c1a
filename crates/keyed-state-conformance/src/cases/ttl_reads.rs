//! T1: what has expired is absent to every read.

use std::time::Duration;

use keyed_state_core::{
    KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, MapDescriptor, MapState, MapStateExt,
    Ttl, ValueDescriptor, ValueState, ValueStateExt,
};

use crate::{
    Fixture, Outcome,
    kinds::every_kind,
    readers::subjects,
    stage::{TIMES, ttl, with_ttl, with_ttl_from},
    support::{Must, entries},
};

/// T1: in every kind of state and by either time, an entry is there until just before its deadline, and gone at it. (74, 82)
pub fn t1_an_entry_expires_exactly_at_its_deadline<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl_from(fixture, -2_000, |mut stage| {
        for time in TIMES {
            let rule = ttl(100).time(time);
            let kinds = every_kind(&mut stage.backend, &format!("by {time:?}"), Some(rule));
            for (namespace, written) in (0..).zip([-2_000, -1_000, -50, 1_000, 5_000]) {
                let backend = stage.at_time(time, written);
                for kind in &kinds {
                    kind.add(backend, namespace, "x;").must();
                }
                for (now, text, keys) in
                    [(written + 99, "x;", &[1][..]), (written + 100, "", &[][..])]
                {
                    let backend = stage.at_time(time, now);
                    for kind in &kinds {
                        let name = kind.name();
                        assert_eq!(
                            kind.read(backend, namespace).must(),
                            text,
                            "{name} by {rule:?}"
                        );
                        assert_eq!(
                            kind.keys(backend, namespace).must(),
                            keys,
                            "{name} by {rule:?}"
                        );
                    }
                }
            }
        }
        Outcome::Ran
    })
}

/// T1: no way of reading finds what has expired, though it be the first to look; until then every way does. (64, 67, 79)
pub fn t1_no_read_finds_what_has_expired<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let (mut key, mut now) = (0, 0);
        for subject in subjects(&mut stage.backend, "s", ttl(100)) {
            for reader in &subject.readers {
                let what = format!("{} of a {}", reader.name, subject.name);
                // A key of its own each time, so that no other has looked before.
                for (later, there) in [(99, true), (100, false), (1_000, false)] {
                    key += 1;
                    let backend = stage.at(now);
                    backend.set_current_key(&key).must();
                    assert!(!(reader.finds)(backend), "{what}, new");
                    (subject.write)(backend);
                    now += later;
                    let found = (reader.finds)(stage.at(now));
                    assert_eq!(found, there, "{what}, {later} ms later");
                }
            }
        }
        Outcome::Ran
    })
}

/// T1: no read changes what another one says: each pair of readers, one before and after the other. (64)
pub fn t1_a_read_never_changes_what_another_says<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let (mut key, mut now) = (0, 0);
        for subject in subjects(&mut stage.backend, "s", ttl(100)) {
            for one in &subject.readers {
                for other in &subject.readers {
                    key += 1;
                    let backend = stage.at(now);
                    backend.set_current_key(&key).must();
                    (subject.write)(backend);
                    now += 100;
                    let backend = stage.at(now);
                    let found = [one, other, one].map(|reader| (reader.finds)(backend));
                    let what = format!("{} and {} of a {}", one.name, other.name, subject.name);
                    assert_eq!(found, [false; 3], "{what}");
                }
            }
        }
        Outcome::Ran
    })
}

/// T1, M10: after a value has expired its default shows, and nothing is set. (60)
pub fn t1_a_default_shows_when_the_value_has_expired<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let value = ValueDescriptor::<u64>::new("value").default_value(42).ttl(ttl(100));
        let id = stage.backend.register_value(&value).must();
        for now in [0, 500, 1_000] {
            let backend = stage.at(now);
            assert_eq!(backend.value(&id).must().get().must(), Some(42));
            backend.value(&id).must().set(1).must();
            assert_eq!(stage.at(now + 99).value(&id).must().get().must(), Some(1));
            let value = stage.at(now + 100).value(&id).must();
            assert!(!value.is_set().must());
            assert_eq!(value.get().must(), Some(42));
            assert_eq!(value.get_with_touch().must(), None, "a default was never touched");
            drop(value);
            assert_eq!(stage.backend.keys(&id, &()).must().count(), 0);
            let mut value = stage.backend.value(&id).must();
            value.update(|found| found.map(|n| n + 1)).must();
            assert_eq!(value.get().must(), Some(43));
            value.clear().must();
        }
        Outcome::Ran
    })
}

/// T1: what is added after expiry is alone: nothing is combined with what has expired, whether or not it was looked at.
pub fn t1_what_has_expired_is_never_built_upon<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let kinds = every_kind(&mut stage.backend, "s", Some(ttl(100)));
        for (namespace, looked_at) in [(0, false), (1, true)] {
            let start = i64::from(looked_at) * 1_000;
            for round in 0..4 {
                let backend = stage.at(start + 100 * round);
                for kind in &kinds {
                    if looked_at {
                        assert_eq!(kind.read(backend, namespace).must(), "", "{}", kind.name());
                    }
                    kind.add(backend, namespace, &format!("{round};")).must();
                    assert_eq!(kind.read(backend, namespace).must(), format!("{round};"));
                }
            }
        }
        let map = MapDescriptor::<u64, u64>::new("counts").ttl(ttl(100));
        let map = stage.backend.register_map(&map).must();
        for now in [2_000, 2_100, 2_200] {
            stage.at(now).map(&map).must().update(1, |found| Some(found.unwrap_or(0) + 1)).must();
            assert_eq!(entries(&stage.backend.map(&map).must()), [(1, 1)]);
        }
        Outcome::Ran
    })
}

/// T1: clearing, removing and retaining work on what has expired as on what is there, and leave no trace of it.
pub fn t1_what_has_expired_can_be_cleared<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let map = MapDescriptor::<u64, u64>::new("map").ttl(ttl(100));
        let map = stage.backend.register_map(&map).must();
        for key in 0..8_u32 {
            let backend = stage.at(i64::from(key) * 1_000);
            backend.set_current_key(&u64::from(key)).must();
            backend.map(&map).must().put_all((0..5).map(|n| (n, n))).must();
            let mut state = stage.at(i64::from(key) * 1_000 + 100).map(&map).must();
            match key {
                0 => state.clear().must(),
                1 => (0..5).try_for_each(|n| state.remove(&n)).must(),
                2 => state.retain(|_, _| panic!("nothing is there to be asked about")).must(),
                3 => state.replace_all([]).must(),
                4 => state.put_all([]).must(),
                5 => state.update(1, |found| found).must(),
                6 => state.replace_all([(9, 9)]).must(),
                _ => state.clear().and_then(|()| state.put(3, 30)).must(),
            }
            let expected = match key {
                6 => vec![(9, 9)],
                7 => vec![(3, 30)],
                _ => vec![],
            };
            assert_eq!(entries(&state), expected, "key {key}");
            drop(state);
            let listed = stage.backend.keys(&map, &()).must().count();
            assert_eq!(listed, expected.len(), "key {key}");
            let late = stage.at(i64::from(key) * 1_000 + 200).map(&map).must().len().must();
            assert_eq!(late, 0);
        }
        Outcome::Ran
    })
}

/// T1: states expire each by its own TTL, and those without one never do.
pub fn t1_each_state_has_a_ttl_of_its_own<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let lives = [Some(10), Some(20), Some(1_000), None];
        let states: Vec<_> = (0..)
            .zip(lives)
            .map(|(number, life): (u32, _)| {
                every_kind(&mut stage.backend, &number.to_string(), life.map(ttl))
            })
            .collect();
        for kind in states.iter().flatten() {
            kind.add(&mut stage.backend, 0, "x;").must();
        }
        for now in [9, 10, 19, 20, 999, 1_000, i64::MAX] {
            let backend = stage.at(now);
            for (kinds, life) in states.iter().zip(lives) {
                let there = life.is_none_or(|life| now.cast_unsigned() < life);
                for kind in kinds {
                    let text = kind.read(backend, 0).must();
                    assert_eq!(!text.is_empty(), there, "{} of {life:?} at {now}", kind.name());
                    assert_eq!(kind.pairs(backend).must().len(), usize::from(there));
                }
            }
        }
        Outcome::Ran
    })
}

/// T1: a view reads as of the moment at which it was made.
pub fn t1_a_view_has_one_moment<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let map = MapDescriptor::<u64, u64>::new("map").ttl(ttl(100));
        let map = stage.backend.register_map(&map).must();
        let list = stage.backend.register_list(&ListDescriptor::new("list").ttl(ttl(100))).must();
        stage.at(0).map(&map).must().put_all([(1, 1), (2, 2)]).must();
        stage.at(0).list(&list).must().add_all([1, 2]).must();
        let clock = stage.clock.clone();
        let view = stage.at(99).map(&map).must();
        let mut iter = view.iter().must();
        assert!(iter.next().is_some());
        clock.set(500);
        assert_eq!(iter.next().transpose().must(), Some((2, 2)));
        assert_eq!((view.len().must(), view.get(&1).must()), (2, Some(1)));
        drop(iter);
        drop(view);
        assert!(stage.backend.map(&map).must().is_empty().must());
        assert_eq!(stage.backend.list(&list).must().to_vec().must(), [0; 0]);
        Outcome::Ran
    })
}

/// T1: deadlines stop at the end of time instead of passing over it, and times may be anything.
pub fn t1_deadlines_stop_at_the_end_of_time<F: Fixture>(fixture: &F) -> Outcome {
    let last = i64::MAX - 1;
    let for_ever = Duration::from_millis(i64::MAX.cast_unsigned());
    for time in TIMES {
        for (written, life, later) in [
            (i64::MIN + 1, Duration::from_millis(5), i64::MIN + 5),
            (i64::MIN + 1, for_ever, -1),
            (i64::MIN + 1, Duration::MAX, -1),
            (0, for_ever, last),
            (0, Duration::MAX, last),
            (5, Duration::from_millis(i64::MAX.cast_unsigned() - 1), last),
            (last - 10, Duration::from_millis(100), last),
            (last, Duration::from_millis(1), last),
            (last, Duration::MAX, last),
        ] {
            let outcome = with_ttl_from(fixture, written, |mut stage| {
                let rule = Ttl::new(life).time(time);
                let kinds = every_kind(&mut stage.backend, "s", Some(rule));
                let backend = stage.at_time(time, written);
                for kind in &kinds {
                    kind.add(backend, 0, "x;").must();
                    assert_eq!(kind.read(backend, 0).must(), "x;", "{rule:?}");
                }
                let backend = stage.at_time(time, later);
                for kind in &kinds {
                    let found = kind.read(backend, 0).must();
                    assert_eq!(found, "x;", "{}: {written} to {later}, {rule:?}", kind.name());
                }
                Outcome::Ran
            });
            if let Outcome::Skipped(_) = outcome {
                return outcome;
            }
        }
    }
    Outcome::Ran
}
