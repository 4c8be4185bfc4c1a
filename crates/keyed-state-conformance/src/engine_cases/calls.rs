//! M5 and G1 by what they cost: how often a backend calls its engine.

use keyed_state_core::{
    BackendOptions, ClearStrategy, Engine, EngineBackend, EngineMap, KeyedStateBackend,
    KeyedStateBackendExt, MapDescriptor, MapState,
};

use super::support::{Calls, calls_of};
use crate::{
    Call, EngineFixture, Failures, Outcome,
    support::{Home, Must, entries},
};

/// Returns how often [`Call::ALL`] were made by clearing a map of `size` entries, and by what is done then.
fn calls_of_clear<F: EngineFixture>(
    fixture: &F,
    strategy: ClearStrategy,
    size: u64,
    then: impl FnOnce(&mut EngineMap<'_, Box<dyn Engine>, u64, u64>),
) -> Calls {
    let (home, calls) = (Home::new(), Failures::new());
    let engine = fixture.open_failing(home.path(), &calls).must();
    let mut backend = EngineBackend::<u64, _>::open(engine, BackendOptions::new()).must();
    let map = MapDescriptor::<u64, u64>::new("map").clear_strategy(strategy);
    let id = backend.register_map(&map).must();
    backend.set_current_key(&1).must();
    let mut map = backend.map(&id).must();
    map.put_all((0..size).map(|n| (n, n))).must();
    calls_of(&calls, || {
        map.clear().must();
        then(&mut map);
    })
}

/// M5: `Generation` calls the engine neither to clear, whatever the map's size, nor to read what was cleared. (1)
pub fn m5_generation_makes_no_call<F: EngineFixture>(fixture: &F) -> Outcome {
    for size in [0, 1, 10, 3000] {
        let calls = calls_of_clear(fixture, ClearStrategy::Generation, size, |_| {});
        assert_eq!(calls, [0; Call::ALL.len()], "{size} entries");
        let calls = calls_of_clear(fixture, ClearStrategy::Generation, size, |map| {
            assert_eq!(map.get(&0).must(), None);
            assert!(!map.contains(&0).must());
            assert!(map.is_empty().must());
            assert_eq!((map.len().must(), entries(map)), (0, vec![]));
            assert_eq!((map.first().must(), map.last().must()), (None, None));
            map.remove(&0).must();
            map.retain(|_, _| true).must();
            map.clear().must();
        });
        assert_eq!(calls, [0; Call::ALL.len()], "{size} entries");
    }
    Outcome::Ran
}

/// M5: `RangeDelete` is one call of the engine, whatever the map's size. (1)
pub fn m5_range_delete_is_one_call<F: EngineFixture>(fixture: &F) -> Outcome {
    for size in [0, 1, 10, 3000] {
        let calls = calls_of_clear(fixture, ClearStrategy::RangeDelete, size, |_| {});
        let mut expected = [0; Call::ALL.len()];
        expected[Call::DeleteRange as usize] = 1;
        assert_eq!(calls, expected, "{size} entries");
    }
    Outcome::Ran
}

/// M5: `PointDeletes` walks once and writes one batch; an empty map costs no write. (1)
pub fn m5_point_deletes_are_one_batch<F: EngineFixture>(fixture: &F) -> Outcome {
    for size in [0, 1, 10, 3000] {
        let calls = calls_of_clear(fixture, ClearStrategy::PointDeletes, size, |_| {});
        assert_eq!(calls[Call::Write as usize], u64::from(size > 0), "{size} entries");
        assert_eq!(calls[Call::DeleteRange as usize] + calls[Call::Delete as usize], 0);
        assert_eq!(calls[Call::Scan as usize], 1);
    }
    Outcome::Ran
}

/// M5: `Adaptive` writes a batch up to its threshold and deletes a range beyond, having walked no further. (1, 2)
pub fn m5_adaptive_switches_at_its_threshold<F: EngineFixture>(fixture: &F) -> Outcome {
    for threshold in [1_u32, 2, 100] {
        let strategy = ClearStrategy::Adaptive { threshold: threshold as usize };
        let threshold = u64::from(threshold);
        for (size, ranges) in [(threshold, 0), (threshold + 1, 1), (20 * threshold, 1)] {
            let calls = calls_of_clear(fixture, strategy, size, |_| {});
            assert_eq!(calls[Call::DeleteRange as usize], ranges, "{size} of {threshold} entries");
            assert_eq!(calls[Call::Write as usize], 1 - ranges, "{size} of {threshold} entries");
            assert!(calls[Call::Next as usize] <= threshold + 1, "walked too far");
        }
    }
    Outcome::Ran
}

/// G1: listing keys does not walk large maps entry by entry.
pub fn g1_listing_skips_large_maps<F: EngineFixture>(fixture: &F) -> Outcome {
    let (home, calls) = (Home::new(), Failures::new());
    let engine = fixture.open_failing(home.path(), &calls).must();
    let mut backend = EngineBackend::<u64, _>::open(engine, BackendOptions::new()).must();
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    for key in 0..3 {
        backend.set_current_key(&key).must();
        backend.map(&id).must().put_all((0..3000).map(|n| (n, n))).must();
    }
    let before = calls.count(Call::Next) + calls.count(Call::Scan);
    assert_eq!(backend.keys(&id, &()).must().len(), 3);
    let steps = calls.count(Call::Next) + calls.count(Call::Scan) - before;
    assert!(steps < 300, "{steps} steps over 3 maps of 3000 entries");
    Outcome::Ran
}
