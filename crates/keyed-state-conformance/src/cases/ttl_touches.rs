//! T2: what prolongs a life, and by how much.

use keyed_state_core::{
    AggregatingDescriptor, Change, Error, ErrorKind, KeyedStateBackend, KeyedStateBackendExt,
    MapChange, MapDescriptor, MapState, MapStateExt, ReducingDescriptor, Touch, ValueChange,
    ValueDescriptor, ValueState, ValueStateExt,
};

use super::aggregating::Mean;
use crate::{
    Fixture, Outcome,
    kinds::every_kind,
    readers::subjects,
    stage::{TIMES, ttl, ttl_by_reads, with_ttl},
    support::{Must, NOT_DURABLE},
};

/// T2: writing anew prolongs, in every kind of state and by either time.
pub fn t2_writing_prolongs<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for time in TIMES {
            let name = format!("by {time:?}");
            let subjects = subjects(&mut stage.backend, &name, ttl(100).time(time));
            for now in [0, 99, 150, 249] {
                let backend = stage.at_time(time, now);
                for subject in &subjects {
                    assert_eq!((subject.is_listed)(backend), now > 0, "{} at {now}", subject.name);
                    (subject.write)(backend);
                }
            }
            let backend = stage.at_time(time, 348);
            assert!(subjects.iter().all(|subject| (subject.is_listed)(backend)));
            let backend = stage.at_time(time, 349);
            assert!(!subjects.iter().any(|subject| (subject.is_listed)(backend)));
        }
        Outcome::Ran
    })
}

/// T2: by default no way of reading prolongs.
pub fn t2_reading_prolongs_nothing_by_default<F: Fixture>(fixture: &F) -> Outcome {
    expect_touches(fixture, Touch::OnWrite)
}

/// T2: with a touch on read, reads of the entry itself prolong, by every way of reading; counting, asking whether there is
/// anything, keeping, and listing keys do not.
pub fn t2_reading_prolongs_if_asked_to<F: Fixture>(fixture: &F) -> Outcome {
    expect_touches(fixture, Touch::OnReadAndWrite)
}

fn expect_touches<F: Fixture>(fixture: &F, touch: Touch) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for time in TIMES {
            let name = format!("by {time:?}");
            let rule = ttl(100).touch(touch).time(time);
            let (mut key, mut now) = (0, 0);
            for subject in subjects(&mut stage.backend, &name, rule) {
                for reader in &subject.readers {
                    key += 1;
                    now += 1_000;
                    let backend = stage.at_time(time, now);
                    backend.set_current_key(&key).must();
                    (subject.write)(backend);
                    assert!((reader.finds)(stage.at_time(time, now + 60)));
                    let prolonged = touch == Touch::OnReadAndWrite && reader.touches;
                    let end = if prolonged { 160 } else { 100 };
                    let what = format!("{} of a {}, {rule:?}", reader.name, subject.name);
                    let backend = stage.at_time(time, now + end - 1);
                    assert!((subject.is_listed)(backend), "{what} must prolong to {end}");
                    let backend = stage.at_time(time, now + end);
                    assert!(!(subject.is_listed)(backend), "{what} must not go beyond {end}");
                    assert!(!(reader.finds)(backend), "{what} must not bring back");
                }
            }
        }
        Outcome::Ran
    })
}

/// T2: a look-up touches what it finds, and an iterator what it has given so far; neither touches the entries around.
pub fn t2_a_read_touches_what_it_gives_alone<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let id = MapDescriptor::<u64, u64>::new("map").ttl(ttl_by_reads(100));
        let id = stage.backend.register_map(&id).must();
        for key in 0..10_u32 {
            let start = 1_000 * i64::from(key);
            let backend = stage.at(start);
            backend.set_current_key(&u64::from(key)).must();
            backend.map(&id).must().put_all((0..6).map(|n| (n, n))).must();
            let map = stage.at(start + 60).map(&id).must();
            let touched = match key {
                0 => map.get(&2).map(|_| vec![2]),
                1 => map.contains(&3).map(|_| vec![3]),
                2 => map.get(&9).and_then(|_| map.contains(&10)).map(|_| vec![]),
                3 => map.iter().map(|iter| iter.take(2).map(|e| e.must().0).collect()),
                4 => map.iter().map(|iter| iter.rev().take(2).map(|e| e.must().0).collect()),
                5 => map.range(1..3).map(|iter| iter.map(|e| e.must().0).collect()),
                6 => map.first().map(|_| vec![0]),
                7 => map.last().map(|_| vec![5]),
                8 => map.iter().map(|_| vec![]),
                _ => map.iter().map(|mut iter| {
                    [iter.next(), iter.next_back()]
                        .map(|e| e.expect("there are six").must().0)
                        .into()
                }),
            };
            let mut touched: Vec<u64> = touched.must();
            touched.sort_unstable();
            drop(map);
            let map = stage.at(start + 100).map(&id).must();
            let left: Vec<_> = map.iter_with_touch().must().map(Must::must).collect();
            let expected: Vec<_> = touched.into_iter().map(|n| (n, n, Some(start + 60))).collect();
            assert_eq!(left, expected, "way {key} of reading");
        }
        Outcome::Ran
    })
}

/// T2: a touch by a read is kept over flushing, compacting and opening again.
pub fn t2_a_touch_by_a_read_is_kept<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        if !stage.is_durable() {
            return Outcome::Skipped(NOT_DURABLE);
        }
        let compact = stage.backend.capabilities().compact;
        for round in 0..3 {
            let start = 1_000 * round;
            let name = format!("in round {round}");
            let kinds = every_kind(&mut stage.backend, &name, Some(ttl_by_reads(100)));
            let backend = stage.at(start);
            for kind in &kinds {
                kind.add(backend, 0, "x;").must();
            }
            let backend = stage.at(start + 60);
            for kind in &kinds {
                assert_eq!(kind.read(backend, 0).must(), "x;");
            }
            match round {
                0 => backend.flush().must(),
                1 if compact => backend.compact().must(),
                _ => {}
            }
            stage = stage.reopen_at(fixture, start + 159);
            let kinds = every_kind(&mut stage.backend, &name, Some(ttl_by_reads(100)));
            for kind in &kinds {
                assert_eq!(kind.keys(&mut stage.backend, 0).must(), [1], "{}", kind.name());
            }
            let backend = stage.at(start + 160);
            for kind in &kinds {
                assert_eq!(kind.keys(backend, 0).must(), [], "{}", kind.name());
            }
        }
        Outcome::Ran
    })
}

/// T2: a reduced or aggregated value to which nothing could be added lives no longer for it, also where reading prolongs.
pub fn t2_a_failed_write_prolongs_nothing<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for (start, name, rule) in
            [(0, "by writes", ttl(100)), (1_000, "by reads too", ttl_by_reads(100))]
        {
            let fails = |_: u64, _: u64| Err(Error::from_function("nothing can be added"));
            let reducing = ReducingDescriptor::<u64, _>::new(format!("reducing, {name}"), fails);
            let reducing = stage.backend.register_reducing(&reducing.ttl(rule)).must();
            let mean = AggregatingDescriptor::<Mean>::new(format!("aggregating, {name}"), Mean);
            let mean = stage.backend.register_aggregating(&mean.ttl(rule)).must();

            let backend = stage.at(start);
            backend.reducing(&reducing).must().add(1).must();
            backend.aggregating(&mean).must().add(1).must();

            let backend = stage.at(start + 60);
            backend.reducing(&reducing).must().add(2).must_fail(ErrorKind::Function);
            backend.aggregating(&mean).must().add(Mean::FAILS).must_fail(ErrorKind::Function);

            let backend = stage.at(start + 100);
            assert_eq!(backend.reducing(&reducing).must().get().must(), None, "{name}");
            assert_eq!(backend.aggregating(&mean).must().get().must(), None, "{name}");
        }
        Outcome::Ran
    })
}

/// T2: a change may say when its entry was last touched, in the past, ahead, or longer ago than it may live; otherwise it
/// is now.
pub fn t2_a_change_may_say_when_it_was_touched<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let map = MapDescriptor::<u64, u64, u64>::new("map").ttl(ttl(100));
        let map = stage.backend.register_map(&map).must();
        let value = ValueDescriptor::<u64, u64>::new("value").ttl(ttl(100));
        let value = stage.backend.register_value(&value).must();
        let touches = [None, Some(950), Some(1_000), Some(1_030), Some(900), Some(i64::MIN)];
        let backend = stage.at(1_000);
        for (number, touched_ms) in (0..).zip(touches) {
            let change = Change::Set { value: number, touched_ms };
            let in_map = MapChange { namespace: 0, key: number, change: change.clone() };
            backend.change_map(&map, vec![in_map]).must();
            backend.change_value(&value, vec![ValueChange { namespace: number, change }]).must();
        }
        for (now, expected) in [
            (1_000, vec![(0, 1_000), (1, 950), (2, 1_000), (3, 1_030)]),
            (1_049, vec![(0, 1_000), (1, 950), (2, 1_000), (3, 1_030)]),
            (1_050, vec![(0, 1_000), (2, 1_000), (3, 1_030)]),
            (1_100, vec![(3, 1_030)]),
            (1_130, vec![]),
        ] {
            let backend = stage.at(now);
            let state = backend.map_in(&map, &0).must();
            let found = state.iter_with_touch().must().map(|entry| {
                let (key, value, touched_ms) = entry.must();
                assert_eq!(key, value);
                (key, touched_ms.expect("the state has a TTL"))
            });
            assert_eq!(found.collect::<Vec<_>>(), expected, "at {now}");
            drop(state);
            for number in 0..6 {
                let live = expected.iter().find(|(key, _)| *key == number);
                let live = live.map(|(_, touched_ms)| (number, Some(*touched_ms)));
                let state = backend.map_in(&map, &0).must();
                assert_eq!(state.get_with_touch(&number).must(), live);
                drop(state);
                let state = backend.value_in(&value, &number).must();
                assert_eq!(state.get_with_touch().must(), live);
                assert_eq!(state.is_set().must(), live.is_some());
            }
        }
        Outcome::Ran
    })
}

/// T2: `update` reads, and so may prolong what it leaves, but what it writes counts from now.
pub fn t2_updating_counts_from_now<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let map = MapDescriptor::<u64, u64>::new("map").ttl(ttl(100));
        let map = stage.backend.register_map(&map).must();
        let value = ValueDescriptor::<u64>::new("value").ttl(ttl(100));
        let value = stage.backend.register_value(&value).must();
        // At 249 and at 440 what the update before wrote has just expired.
        for (now, expected) in [(0, 1), (50, 2), (149, 3), (249, 1), (340, 2), (440, 1)] {
            let backend = stage.at(now);
            let add = |found: Option<u64>| Some(found.unwrap_or(0) + 1);
            backend.map(&map).must().update(7, add).must();
            backend.value(&value).must().update(add).must();
            let found = backend.map(&map).must().get_with_touch(&7).must();
            assert_eq!(found, Some((expected, Some(now))));
            let found = backend.value(&value).must().get_with_touch().must();
            assert_eq!(found, Some((expected, Some(now))));
        }
        Outcome::Ran
    })
}
