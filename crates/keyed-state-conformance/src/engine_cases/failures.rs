//! F1: an engine's error reaches the caller, and what cannot be done wholly is not done at all.

use std::path::Path;

use keyed_state_core::{
    BackendOptions, Engine, EngineBackend, ErrorKind, KeyedStateBackend, KeyedStateBackendExt,
    MapDescriptor, MapId, MapState, Result, ValueDescriptor, ValueId, ValueState,
};

use crate::{
    Call, EngineFixture, Failures, Outcome,
    support::{Home, Must, NO_COMPACTION, NOT_DURABLE, entries},
};

type Backend = EngineBackend<u64, Box<dyn Engine>>;

fn open<F: EngineFixture>(fixture: &F, dir: &Path, failures: &Failures) -> Result<Backend> {
    EngineBackend::open(fixture.open_failing(dir, failures)?, BackendOptions::new())
}

/// A backend with a map of two entries and a value under the current key.
struct Scene {
    home: Home,
    failures: Failures,
    backend: Backend,
    map: MapId<u64, u64>,
    value: ValueId<u64>,
}

impl Scene {
    #[track_caller]
    fn new<F: EngineFixture>(fixture: &F) -> Self {
        let (home, failures) = (Home::new(), Failures::new());
        let mut backend = open(fixture, home.path(), &failures).must();
        let map = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
        let value = backend.register_value(&ValueDescriptor::<u64>::new("value")).must();
        backend.set_current_key(&1).must();
        backend.map(&map).must().put_all([(1, 10), (2, 20)]).must();
        backend.value(&value).must().set(1).must();
        Self { home, failures, backend, map, value }
    }

    /// Demands that `run` fails as soon as `call` does, at the latest by the next flush, and works when healed.
    #[track_caller]
    fn expect_error(&mut self, call: Call, run: impl Fn(&mut Self) -> Result<()>) {
        self.failures.fail(call, 1);
        let outcome = run(self).and_then(|()| self.backend.flush());
        self.failures.heal();
        outcome.must_fail(ErrorKind::Storage);
        run(self).must();
    }

    /// Demands that `run` fails and leaves the map and the value as they are.
    #[track_caller]
    fn expect_no_change(&mut self, call: Call, run: impl Fn(&mut Self) -> Result<()>) {
        let (map, value) = (self.entries(), self.value());
        self.failures.fail(call, 1);
        let outcome = run(self).and_then(|()| self.backend.flush());
        self.failures.heal();
        outcome.must_fail(ErrorKind::Storage);
        assert_eq!((self.entries(), self.value()), (map, value), "{call:?} failed");
        run(self).must();
    }

    #[track_caller]
    fn entries(&mut self) -> Vec<(u64, u64)> {
        entries(&self.backend.map(&self.map).must())
    }

    #[track_caller]
    fn value(&mut self) -> Option<u64> {
        self.backend.value(&self.value).must().get().must()
    }
}

/// F1: a failed read is an error, never an absent value. (3, 114)
pub fn f1_a_failed_read_reaches_the_caller<F: EngineFixture>(fixture: &F) -> Outcome {
    let mut scene = Scene::new(fixture);
    scene.expect_error(Call::Get, |s| s.backend.map(&s.map)?.get(&1).map(drop));
    scene.expect_error(Call::Get, |s| s.backend.map(&s.map)?.contains(&3).map(drop));
    scene.expect_error(Call::Get, |s| s.backend.value(&s.value)?.get().map(drop));
    scene.expect_error(Call::Get, |s| s.backend.value(&s.value)?.is_set().map(drop));
    Outcome::Ran
}

/// F1: a scan that fails, at its opening or on its way, is an error, never a shorter answer. (3)
pub fn f1_a_failed_scan_reaches_the_caller<F: EngineFixture>(fixture: &F) -> Outcome {
    let mut scene = Scene::new(fixture);
    for call in [Call::Scan, Call::Next] {
        scene.expect_error(call, |s| {
            s.backend.map(&s.map)?.iter()?.try_for_each(|entry| entry.map(drop))
        });
        scene.expect_error(call, |s| {
            s.backend.map(&s.map)?.range(1..)?.rev().try_for_each(|entry| entry.map(drop))
        });
        scene.expect_error(call, |s| s.backend.map(&s.map)?.first().map(drop));
        scene.expect_error(call, |s| s.backend.map(&s.map)?.last().map(drop));
        scene.expect_error(call, |s| s.backend.map(&s.map)?.len().map(drop));
        scene.expect_error(call, |s| s.backend.map(&s.map)?.is_empty().map(drop));
        scene.expect_error(call, |s| s.backend.map(&s.map)?.retain(|_, _| true));
        scene.expect_error(call, |s| s.backend.keys(&s.map, &()).map(drop));
        scene.expect_error(call, |s| s.backend.keys_and_namespaces(&s.value).map(drop));
    }
    Outcome::Ran
}

/// F1, M8: an iterator that met an error is exhausted.
pub fn f1_an_iterator_ends_with_its_error<F: EngineFixture>(fixture: &F) -> Outcome {
    let mut scene = Scene::new(fixture);
    scene.backend.map(&scene.map).must().put_all((0..300).map(|n| (n, n))).must();
    for nth in [1, 2, 128, 300, 301] {
        let map = scene.backend.map(&scene.map).must();
        scene.failures.fail(Call::Next, nth);
        let mut iter = map.iter().must();
        let good = iter.by_ref().take_while(Result::is_ok).count() as u64;
        assert_eq!(good, nth - 1);
        scene.failures.heal();
        assert!(iter.next().is_none() && iter.next_back().is_none());
    }
    Outcome::Ran
}

/// F1: a failed write is an error at that call or by the next flush, and changes nothing. (15)
pub fn f1_a_failed_write_reaches_the_caller<F: EngineFixture>(fixture: &F) -> Outcome {
    let mut scene = Scene::new(fixture);
    scene.expect_no_change(Call::Put, |s| s.backend.map(&s.map)?.put(1, 11));
    scene.expect_no_change(Call::Put, |s| s.backend.map(&s.map)?.put(3, 30));
    scene.expect_no_change(Call::Delete, |s| s.backend.map(&s.map)?.remove(&1));
    scene.expect_no_change(Call::Put, |s| s.backend.value(&s.value)?.set(2));
    scene.expect_no_change(Call::Delete, |s| s.backend.value(&s.value)?.clear());
    assert_eq!(scene.entries(), [(2, 20), (3, 30)]);
    assert_eq!(scene.value(), None);
    Outcome::Ran
}

/// F1, M7: a batch that fails changes nothing, wherever it fails.
pub fn f1_a_failed_batch_changes_nothing<F: EngineFixture>(fixture: &F) -> Outcome {
    let mut scene = Scene::new(fixture);
    scene.expect_no_change(Call::Write, |s| {
        s.backend.map(&s.map)?.put_all((0..50).map(|n| (n, n + 100)))
    });
    for call in [Call::Scan, Call::Next, Call::Write] {
        scene.backend.map(&scene.map).must().put_all((0..50).map(|n| (n, n))).must();
        scene.expect_no_change(call, |s| s.backend.map(&s.map)?.retain(|key, _| key % 2 == 0));
        assert_eq!(scene.entries().len(), 25);
    }
    // In the middle of the walk.
    for nth in [2, 13, 25, 26] {
        let before = scene.entries();
        scene.failures.fail(Call::Next, nth);
        let mut map = scene.backend.map(&scene.map).must();
        map.retain(|_, _| false).must_fail(ErrorKind::Storage);
        scene.failures.heal();
        assert_eq!(scene.entries(), before);
    }
    Outcome::Ran
}

/// F1: after a failed write, what is acknowledged later is there when opened again. (15)
pub fn f1_what_is_acknowledged_after_a_failure_stays<F: EngineFixture>(fixture: &F) -> Outcome {
    let Scene { home, failures, mut backend, map, .. } = Scene::new(fixture);
    if !backend.capabilities().durable {
        return Outcome::Skipped(NOT_DURABLE);
    }
    failures.fail(Call::Put, 1);
    backend
        .map(&map)
        .must()
        .put(3, 30)
        .and_then(|()| backend.flush())
        .must_fail(ErrorKind::Storage);
    failures.heal();
    // An engine may refuse everything from then on, but not lose what it takes.
    let (one, all) =
        (backend.map(&map).must().put(4, 40), backend.map(&map).must().put_all([(5, 50)]));
    if one.is_err() || all.is_err() || backend.close().is_err() {
        return Outcome::Ran;
    }
    let mut backend = open(fixture, home.path(), &failures).must();
    let map = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).must();
    backend.set_current_key(&1).must();
    assert_eq!(entries(&backend.map(&map).must()), [(1, 10), (2, 20), (4, 40), (5, 50)]);
    Outcome::Ran
}

/// F1: a failed flush is an error, and nothing is lost by it. (114)
pub fn f1_a_failed_flush_reaches_the_caller<F: EngineFixture>(fixture: &F) -> Outcome {
    let mut scene = Scene::new(fixture);
    scene.failures.fail(Call::Flush, 1);
    scene.backend.flush().must_fail(ErrorKind::Storage);
    scene.failures.heal();
    assert_eq!(scene.entries(), [(1, 10), (2, 20)]);
    scene.backend.flush().must();
    assert_eq!(scene.entries(), [(1, 10), (2, 20)]);
    Outcome::Ran
}

/// F1: a failed compaction is an error, and nothing is lost by it.
pub fn f1_a_failed_compaction_reaches_the_caller<F: EngineFixture>(fixture: &F) -> Outcome {
    let mut scene = Scene::new(fixture);
    if !scene.backend.capabilities().compact {
        return Outcome::Skipped(NO_COMPACTION);
    }
    scene.expect_no_change(Call::Compact, |s| s.backend.compact());
    Outcome::Ran
}

/// F1, F3: a close that fails is an error, and what it left is refused.
pub fn f1_a_failed_close_leaves_nothing_to_open<F: EngineFixture>(fixture: &F) -> Outcome {
    for call in [Call::Flush, Call::Put] {
        let Scene { home, failures, backend, .. } = Scene::new(fixture);
        if !backend.capabilities().durable {
            return Outcome::Skipped(NOT_DURABLE);
        }
        failures.fail(call, 1);
        backend.close().must_fail(ErrorKind::Storage);
        failures.heal();
        open(fixture, home.path(), &failures).map(drop).must_fail(ErrorKind::NotCleanlyClosed);
    }
    Outcome::Ran
}

/// F1: opening and registering fail with the engine, and work when it does.
pub fn f1_a_failed_opening_can_be_tried_again<F: EngineFixture>(fixture: &F) -> Outcome {
    for call in [Call::OpenTable, Call::Get] {
        let (home, failures) = (Home::new(), Failures::new());
        failures.fail(call, 1);
        open(fixture, home.path(), &failures).map(drop).must_fail(ErrorKind::Storage);
        failures.heal();
        let mut backend = open(fixture, home.path(), &failures).must();
        let map = MapDescriptor::<u64, u64>::new("map");
        failures.fail(call, 1);
        backend.register_map(&map).must_fail(ErrorKind::Storage);
        failures.heal();
        let id = backend.register_map(&map).must();
        backend.set_current_key(&1).must();
        backend.map(&id).must().put(1, 1).must();
        assert_eq!(entries(&backend.map(&id).must()), [(1, 1)]);
    }
    Outcome::Ran
}
