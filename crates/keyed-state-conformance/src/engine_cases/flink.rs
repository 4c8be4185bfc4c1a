//! The mirror of the test in Flink's `EmbeddedRocksDBStateBackendTest` that concerns map state.

use keyed_state_core::{
    BackendOptions, ClearStrategy, EngineBackend, ErrorKind, KeyedStateBackend,
    KeyedStateBackendExt, MapDescriptor, MapState,
};

use crate::{
    Call, EngineFixture, Failures, Outcome,
    support::{Home, Must, entries},
};

/// `testMapStateClear`: an engine's error inside `clear`, wherever in it, reaches the caller, and nothing is
/// half cleared; afterwards `clear` works. (3; FLINK-26852)
pub fn flink_test_map_state_clear<F: EngineFixture>(fixture: &F) -> Outcome {
    let (home, failures) = (Home::new(), Failures::new());
    let engine = fixture.open_failing(home.path(), &failures).must();
    let mut backend = EngineBackend::<u64, _>::open(engine, BackendOptions::new()).must();
    for strategy in crate::fixture::all_strategies() {
        let descriptor = MapDescriptor::<u64, u64>::new(strategy.to_string());
        let id = backend.register_map(&descriptor.clear_strategy(strategy)).must();
        backend.set_current_key(&1).must();
        let mut map = backend.map(&id).must();
        let full: Vec<_> = (0..5).map(|n| (n, n)).collect();
        map.put_all(full.clone()).must();
        let mut failed = 0;
        for call in [Call::Scan, Call::Next, Call::Write, Call::Delete, Call::DeleteRange] {
            for nth in 1..=8 {
                failures.fail(call, nth);
                let cleared = map.clear();
                failures.heal();
                if let Err(error) = cleared {
                    assert_eq!(error.kind(), ErrorKind::Storage, "{error:?}");
                    failed += 1;
                    assert_eq!(entries(&map), full, "{call:?} number {nth} failed");
                } else {
                    assert_eq!(entries(&map), [], "{call:?} number {nth} was not made");
                    map.put_all(full.clone()).must();
                }
            }
        }
        // Generations are raised in memory.
        let can_fail = strategy != ClearStrategy::Generation;
        assert_eq!(failed > 0, can_fail, "{strategy} clears without a call that can fail");
        map.clear().must();
        assert_eq!(entries(&map), []);
    }
    Outcome::Ran
}
