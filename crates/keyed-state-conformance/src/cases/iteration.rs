//! M1, M3, M8: iterating over a map, forward, in reverse and in ranges, and `retain`.

use std::ops::Bound;

use keyed_state_core::{
    BackendOptions, ErrorKind, KeyedStateBackend, KeyedStateBackendExt, MapDescriptor, MapState,
    MapStateExt, MaxParallelism,
};

use super::maps::with_map;
use crate::{
    Fixture, Outcome,
    support::{Home, Must, entries},
};

/// Sizes around those of buffers that engines and backends read ahead with.
const SIZES: [u64; 10] = [0, 1, 2, 127, 128, 129, 255, 256, 257, 1000];

/// M1: every entry comes once, in ascending order and in reverse, at every size; and `first`, `last` and
/// `len` agree. (34, 35, 51)
pub fn m1_iteration_gives_every_entry_once_in_order<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    for size in SIZES {
        backend.set_current_key(&size).must();
        // Put in an order that is neither ascending nor descending: 389 and the sizes have no common factor.
        backend.map(&id).must().put_all((0..size).map(|n| (n * 389 % size, n))).must();
        let map = backend.map(&id).must();
        let keys: Vec<u64> = map.keys().must().collect::<Result<_, _>>().must();
        assert!(keys.into_iter().eq(0..size), "forward at {size} entries");
        let keys: Vec<u64> = map.keys().must().rev().collect::<Result<_, _>>().must();
        assert!(keys.into_iter().eq((0..size).rev()), "backward at {size} entries");
        assert_eq!(map.len().must() as u64, size);
        assert_eq!(map.is_empty().must(), size == 0);
        assert_eq!(map.first().must().map(|(key, _)| key), (size > 0).then_some(0));
        assert_eq!(map.last().must().map(|(key, _)| key), size.checked_sub(1));
        assert_eq!(map.values().must().count() as u64, size);
    }
    Outcome::Ran
}

/// M1: the two ends of an iterator meet and give every entry once between them.
pub fn m1_both_ends_meet<F: Fixture>(fixture: &F) -> Outcome {
    with_map(fixture, |backend, id| {
        let mut map = backend.map(&id).must();
        map.put_all((0..200).map(|n| (n, n))).must();
        for stride in [2_u64, 3, 7, 199] {
            let mut iter = map.iter().must();
            let (mut front, mut back) = (Vec::new(), Vec::new());
            for step in 0.. {
                let from_back = step % stride == 0;
                let item = if from_back { iter.next_back() } else { iter.next() };
                let Some(item) = item else { break };
                let end = if from_back { &mut back } else { &mut front };
                end.push(item.must().0);
            }
            front.extend(back.into_iter().rev());
            assert!(front.into_iter().eq(0..200), "every {stride}th step from the back");
            assert!(iter.next().is_none() && iter.next_back().is_none());
        }
    });
    Outcome::Ran
}

/// M1: a range gives exactly the entries within its bounds, ascending and in reverse, whatever the bounds. (51)
pub fn m1_ranges_give_exactly_what_lies_within<F: Fixture>(fixture: &F) -> Outcome {
    fn within(bound: Bound<u64>, key: u64, below: bool) -> bool {
        match bound {
            Bound::Included(bound) => bound == key || (bound < key) == below,
            Bound::Excluded(bound) => bound != key && (bound < key) == below,
            Bound::Unbounded => true,
        }
    }

    with_map(fixture, |backend, id| {
        let mut map = backend.map(&id).must();
        // Even keys, so that bounds lie on entries and between them.
        map.put_all((1..=5).map(|n| (2 * n, n))).must();
        let bounds = |n| [Bound::Included(n), Bound::Excluded(n), Bound::Unbounded];
        for (low, high) in (0..=12).flat_map(|low| (low..=12).map(move |high| (low, high))) {
            for (start, end) in
                bounds(low).into_iter().flat_map(|s| bounds(high).map(move |e| (s, e)))
            {
                let expected: Vec<u64> = (1..=5)
                    .map(|n| 2 * n)
                    .filter(|key| within(start, *key, true) && within(end, *key, false))
                    .collect();
                let range = map.range((start, end)).must();
                let found: Vec<(u64, u64)> = range.collect::<Result<_, _>>().must();
                assert!(found.iter().map(|(key, _)| key).eq(&expected), "{start:?}, {end:?}");
                let range = map.range((start, end)).must().rev();
                let found: Vec<(u64, u64)> = range.collect::<Result<_, _>>().must();
                assert!(found.iter().rev().map(|(key, _)| key).eq(&expected), "{start:?}, {end:?}");
            }
        }
    });
    Outcome::Ran
}

/// M1, F2: a range whose start is above its end is an error, never a panic; an empty one is just empty.
pub fn m1_an_inverted_range_is_an_error<F: Fixture>(fixture: &F) -> Outcome {
    with_map(fixture, |backend, id| {
        let mut map = backend.map(&id).must();
        map.put_all((0..5).map(|n| (n, n))).must();
        for inverted in [
            (Bound::Included(3), Bound::Included(2)),
            (Bound::Excluded(3), Bound::Excluded(2)),
            (Bound::Included(u64::MAX), Bound::Excluded(0)),
        ] {
            map.range(inverted).map(drop).must_fail(ErrorKind::InvalidArgument);
        }
        for empty in [
            (Bound::Included(3), Bound::Excluded(3)),
            (Bound::Excluded(3), Bound::Included(3)),
            (Bound::Excluded(3), Bound::Excluded(3)),
            (Bound::Excluded(2), Bound::Excluded(3)),
            (Bound::Included(5), Bound::Unbounded),
        ] {
            assert!(map.range(empty).must().next().is_none(), "{empty:?}");
            assert!(map.range(empty).must().next_back().is_none(), "{empty:?}");
        }
    });
    Outcome::Ran
}

/// M1: `first` and `last` look at one map only, also where it is the first or last of its store. (34)
pub fn m1_first_and_last_stay_in_their_map<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let options = BackendOptions::new().max_parallelism(MaxParallelism::ONE);
    let mut backend = home.open_with::<F, Vec<u8>>(fixture, options);
    let id = backend.register_map(&MapDescriptor::<Vec<u8>, u64>::new("map")).must();
    let keys = [vec![], vec![0x00], vec![0x61], vec![0xFF], vec![0xFF, 0xFF]];
    for (n, key) in (0_u64..).zip(&keys).filter(|(n, _)| n % 2 == 0) {
        backend.set_current_key(key).must();
        backend.map(&id).must().put_all([(vec![], n), (vec![0xFF; 3], n + 100)]).must();
    }
    for (n, key) in (0_u64..).zip(&keys) {
        backend.set_current_key(key).must();
        let map = backend.map(&id).must();
        let (first, last) = (map.first().must(), map.last().must());
        assert_eq!(first, (n % 2 == 0).then_some((vec![], n)), "{key:02x?}");
        assert_eq!(last, (n % 2 == 0).then_some((vec![0xFF; 3], n + 100)), "{key:02x?}");
    }
    Outcome::Ran
}

/// M3: `retain` visits every entry once, in order, and removes exactly what it is told to. (36)
pub fn m3_retain_visits_every_entry_once<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    for size in SIZES {
        backend.set_current_key(&size).must();
        backend.map(&id).must().put_all((0..size).map(|n| (n, n))).must();
        let mut map = backend.map(&id).must();
        let mut visited = Vec::new();
        map.retain(|key, value| {
            assert_eq!(key, value);
            visited.push(*key);
            key % 3 == 0
        })
        .must();
        assert!(visited.into_iter().eq(0..size), "visited at {size} entries");
        let left = entries(&map);
        assert!(left.into_iter().map(|(key, _)| key).eq((0..size).step_by(3)), "left of {size}");
        map.retain(|_, _| false).must();
        assert!(map.is_empty().must());
    }
    Outcome::Ran
}

/// M3: removing one entry while walking never hides another, at every position near a buffer's size. (36)
pub fn m3_removing_one_entry_never_hides_the_next<F: Fixture>(fixture: &F) -> Outcome {
    with_map(fixture, |backend, id| {
        let mut map = backend.map(&id).must();
        for position in [0, 1, 15, 16, 17, 126, 127, 128, 129, 255, 256, 257, 299] {
            map.put_all((0..300).map(|n| (n, n))).must();
            let mut visited = 0;
            map.retain(|key, _| {
                visited += 1;
                *key != position
            })
            .must();
            assert_eq!(visited, 300, "with entry {position} removed");
            assert_eq!(map.len().must(), 299);
            assert!(!map.contains(&position).must());
        }
    });
    Outcome::Ran
}

/// M3: removing every key that a walk found empties the map. (36, 42, 43)
pub fn m3_removing_all_keys_found_empties_the_map<F: Fixture>(fixture: &F) -> Outcome {
    with_map(fixture, |backend, id| {
        let mut map = backend.map(&id).must();
        map.put_all((0..300).map(|n| (n, n))).must();
        let keys: Vec<u64> = map.keys().must().collect::<Result<_, _>>().must();
        for key in &keys {
            map.remove(key).must();
        }
        assert_eq!(keys.len(), 300);
        assert!(map.is_empty().must());
        assert_eq!(entries(&map), []);
    });
    Outcome::Ran
}

/// M8: an exhausted iterator stays exhausted, at both ends. (38)
pub fn m8_an_exhausted_iterator_stays_exhausted<F: Fixture>(fixture: &F) -> Outcome {
    with_map(fixture, |backend, id| {
        let mut map = backend.map(&id).must();
        map.put_all((0..3).map(|n| (n, n))).must();
        let mut forward = map.iter().must();
        assert_eq!(forward.by_ref().count(), 3);
        let mut backward = map.iter().must();
        while backward.next_back().is_some() {}
        let mut range = map.range(1..2).must();
        assert_eq!(range.by_ref().count(), 1);
        for _ in 0..3 {
            assert!(forward.next().is_none() && forward.next_back().is_none());
            assert!(backward.next_back().is_none() && backward.next().is_none());
            assert!(range.next().is_none() && range.next_back().is_none());
        }
    });
    Outcome::Ran
}
