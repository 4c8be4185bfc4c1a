//! T1, T2: entries of maps and elements of lists expire one by one, and what is read skips exactly those.

use keyed_state_core::{
    KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, MapDescriptor, MapId, MapState,
    MapStateExt, Result,
};

use crate::{
    Fixture, Outcome,
    stage::{Stage, ttl, with_ttl},
    support::{Must, entries, sorted},
};

/// Entries of the map of [`with_partly_expired`].
const SIZE: u64 = 300;

/// Runs `check` with maps of entries `0..SIZE`, of which those remain that `is_live` picks.
fn with_partly_expired<F: Fixture>(
    fixture: &F,
    check: impl Fn(&mut F::Backend<u64>, MapId<u64, u64>, &[u64]),
) -> Outcome {
    let patterns: [fn(u64) -> bool; 8] = [
        |_| true,
        |_| false,
        |n| n % 2 == 0,
        |n| n % 7 == 3,
        |n| n < 10,
        |n| n >= SIZE - 10,
        |n| (100..200).contains(&n),
        |n| !(100..200).contains(&n),
    ];
    with_ttl(fixture, |mut stage| {
        let id = MapDescriptor::<u64, u64>::new("map").ttl(ttl(100));
        let id = stage.backend.register_map(&id).must();
        let mut start = 0;
        for (key, is_live) in (0..).zip(patterns) {
            let backend = stage.at(start);
            backend.set_current_key(&key).must();
            backend.map(&id).must().put_all((0..SIZE).map(|n| (n, n))).must();
            let live: Vec<u64> = (0..SIZE).filter(|n| is_live(*n)).collect();
            let late = live.iter().map(|n| (*n, *n));
            stage.at(start + 60).map(&id).must().put_all(late).must();
            check(stage.at(start + 100), id, &live);
            check(stage.at(start + 159), id, &live);
            check(stage.at(start + 160), id, &[]);
            start += 1_000;
        }
        Outcome::Ran
    })
}

/// T1: of a map whose entries have partly expired, every read gives exactly the others.
pub fn t1_reads_skip_exactly_what_has_expired<F: Fixture>(fixture: &F) -> Outcome {
    with_partly_expired(fixture, |backend, id, live| {
        let map = backend.map(&id).must();
        let expected: Vec<_> = live.iter().map(|n| (*n, *n)).collect();
        assert_eq!(entries(&map), expected);
        let reversed: Vec<_> = map.iter().must().rev().collect::<Result<_>>().must();
        assert!(reversed.iter().rev().eq(&expected));
        assert!(map.keys().must().map(Must::must).eq(live.iter().copied()));
        assert!(map.values().must().rev().map(Must::must).eq(live.iter().rev().copied()));
        assert_eq!(map.len().must(), live.len());
        assert_eq!(map.is_empty().must(), live.is_empty());
        assert_eq!(map.first().must(), expected.first().copied());
        assert_eq!(map.last().must(), expected.last().copied());
        for n in 0..SIZE {
            assert_eq!(map.get(&n).must(), live.contains(&n).then_some(n), "{n}");
            assert_eq!(map.contains(&n).must(), live.contains(&n), "{n}");
        }
        let with_touch = map.iter_with_touch().must().map(|entry| entry.must().0);
        assert!(with_touch.eq(live.iter().copied()));
        drop(map);
        let listed = backend.keys(&id, &()).must().filter(|key| Some(key) == backend.current_key());
        assert_eq!(listed.count(), usize::from(!live.is_empty()));
    })
}

/// T1: ranges skip exactly what has expired, from either end, whatever their bounds.
pub fn t1_ranges_skip_exactly_what_has_expired<F: Fixture>(fixture: &F) -> Outcome {
    with_partly_expired(fixture, |backend, id, live| {
        let map = backend.map(&id).must();
        for (low, high) in
            [(0, 300), (0, 1), (5, 15), (99, 101), (100, 200), (150, 295), (250, 250)]
        {
            let expected = || live.iter().copied().filter(|n| (low..high).contains(n));
            let found: Vec<_> = map.range(low..high).must().map(|e| e.must().0).collect();
            assert!(found.iter().copied().eq(expected()), "{low}..{high}: {found:?}");
            let found: Vec<_> = map.range(low..high).must().rev().map(|e| e.must().0).collect();
            assert!(found.into_iter().rev().eq(expected()), "{low}..{high} in reverse");
        }
    })
}

/// T1, M1: the two ends of an iterator meet among entries that have expired.
pub fn t1_both_ends_meet_among_what_has_expired<F: Fixture>(fixture: &F) -> Outcome {
    with_partly_expired(fixture, |backend, id, live| {
        let map = backend.map(&id).must();
        for stride in [2, 3, 7, 50] {
            for backward_first in [false, true] {
                let mut iter = map.iter().must();
                let (mut front, mut back) = (Vec::new(), Vec::new());
                for step in 0_u32.. {
                    let backward = (step % stride == 0) == backward_first;
                    let item = if backward { iter.next_back() } else { iter.next() };
                    let Some(item) = item else { break };
                    let end = if backward { &mut back } else { &mut front };
                    end.push(item.must().0);
                }
                assert!(iter.next().is_none() && iter.next_back().is_none());
                front.extend(back.into_iter().rev());
                assert_eq!(front, live, "every {stride}th step");
            }
        }
    })
}

/// T2: each entry of a map has its own time, whatever way it was written.
pub fn t2_each_entry_of_a_map_has_its_own_time<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let id = MapDescriptor::<u64, u64>::new("map").ttl(ttl(100));
        let id = stage.backend.register_map(&id).must();
        stage.at(0).map(&id).must().put_all((0..4).map(|n| (n, 0))).must();
        stage.at(30).map(&id).must().put(1, 30).must();
        stage.at(60).map(&id).must().put_all([(2, 60), (4, 60)]).must();
        stage.at(90).map(&id).must().update(3, |found| found.map(|_| 90)).must();
        let (a, b, c, d) = ((1, 30), (2, 60), (3, 90), (4, 60));
        for (now, expected) in [
            (99, vec![(0, 0), a, b, c, d]),
            (100, vec![a, b, c, d]),
            (129, vec![a, b, c, d]),
            (130, vec![b, c, d]),
            (160, vec![c]),
            (189, vec![c]),
            (190, vec![]),
        ] {
            assert_eq!(entries(&stage.at(now).map(&id).must()), expected, "at {now}");
        }
        Outcome::Ran
    })
}

/// T2: each element of a list has its own time; what is left keeps its order, and what is appended comes last.
pub fn t2_each_element_of_a_list_has_its_own_time<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let id = ListDescriptor::<u64>::new("list").ttl(ttl(100));
        let id = stage.backend.register_list(&id).must();
        stage.at(0).list(&id).must().add(9).must();
        stage.at(30).list(&id).must().add_all([8, 7]).must();
        stage.at(60).list(&id).must().add(6).must();
        let mut read = |now| {
            let list = stage.at(now).list(&id).must();
            let found = list.to_vec().must();
            assert_eq!(list.len().must(), found.len());
            assert_eq!(list.is_empty().must(), found.is_empty());
            found
        };
        assert_eq!(read(99), [9, 8, 7, 6]);
        assert_eq!(read(100), [8, 7, 6]);
        assert_eq!(read(130), [6]);
        stage.at(130).list(&id).must().add(5).must();
        // Keeping an element prolongs nothing.
        stage.at(140).list(&id).must().retain(|_| true).must();
        let list = stage.at(159).list(&id).must();
        assert_eq!(list.to_vec().must(), [6, 5]);
        drop(list);
        assert_eq!(stage.at(160).list(&id).must().to_vec().must(), [5]);
        // An update writes every element anew.
        stage.at(200).list(&id).must().update([1, 2]).must();
        assert_eq!(stage.at(299).list(&id).must().to_vec().must(), [1, 2]);
        assert!(stage.at(300).list(&id).must().is_empty().must());
        Outcome::Ran
    })
}

/// T2: namespaces and keys expire apart.
pub fn t2_keys_and_namespaces_expire_apart<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage: Stage<F>| {
        let id = MapDescriptor::<u64, u64, u64>::new("map").ttl(ttl(100));
        let id = stage.backend.register_map(&id).must();
        let places = || (0..3).flat_map(|key| (0..3).map(move |namespace| (key, namespace)));
        for (number, (key, namespace)) in (0..).zip(places()) {
            let backend = stage.at(10 * number);
            backend.set_current_key(&key).must();
            backend.map_in(&id, &namespace).must().put(1, 1).must();
        }
        for (expired, now) in (0..=9).zip((90..).step_by(10)) {
            let backend = stage.at(now);
            let live: Vec<_> = places().skip(expired).collect();
            assert_eq!(sorted(backend.keys_and_namespaces(&id).must()), live);
            for namespace in 0..3 {
                let keys = live.iter().filter(|(_, n)| *n == namespace).map(|(key, _)| *key);
                assert!(sorted(backend.keys(&id, &namespace).must()).into_iter().eq(keys));
            }
        }
        Outcome::Ran
    })
}
