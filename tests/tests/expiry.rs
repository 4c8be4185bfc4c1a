//! What has expired is gone for good: after a compaction, no row of any state kind is left in the engine itself.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::{path::Path, time::Duration};

use keyed_state_conformance::{EngineFixture, reference::TreeEngine};
use keyed_state_core::{
    AggregateFunction, AggregatingDescriptor, BackendOptions, Direction, Engine, EngineBackend,
    KeyRange, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, ManualClock, MapDescriptor,
    MapState, ReducingDescriptor, Result, TimeDomain, Ttl, ValueDescriptor, ValueState,
};
use keyed_state_tests::Fjall;
use tempfile::tempdir;

#[derive(Clone, Copy)]
struct Count;

impl AggregateFunction for Count {
    type Input = ();
    type Accumulator = u64;
    type Output = u64;

    fn create_accumulator(&self) -> u64 {
        0
    }

    fn add(&self, count: u64, (): ()) -> Result<u64> {
        Ok(count + 1)
    }

    fn result(&self, count: u64) -> Result<u64> {
        Ok(count)
    }

    fn merge(&self, a: u64, b: u64) -> Result<u64> {
        Ok(a + b)
    }
}

const STATES: [&str; 6] = ["map", "value", "list", "reducing", "aggregating", "event"];

fn rows<E: Engine>(engine: &mut E) -> Vec<(&'static str, usize)> {
    let count = |engine: &mut E, name: &str| {
        let table = engine.open_table(&format!("state.{name}")).unwrap();
        let mut cursor = engine.scan(table, KeyRange::ALL, Direction::Forward).unwrap();
        let mut count = 0;
        while cursor.next().unwrap().is_some() {
            count += 1;
        }
        count
    };
    STATES.into_iter().map(|name| (name, count(engine, name))).collect()
}

/// Fills every kind of state for 300 keys, lets all of it expire, and makes the engine remove it by `remove`.
fn nothing_is_left<F: EngineFixture>(
    fixture: &F,
    remove: impl Fn(&mut EngineBackend<u64, F::Engine>, &dyn Fn(&mut EngineBackend<u64, F::Engine>)),
) {
    let dir = tempdir().unwrap();
    let clock = ManualClock::new(1_000);
    let options = BackendOptions::new().clock(clock.clone());
    let mut backend = EngineBackend::open(fixture.open(dir.path()).unwrap(), options).unwrap();
    let ttl = Ttl::new(Duration::from_millis(100));
    let map = backend.register_map(&MapDescriptor::<u64, u64>::new("map").ttl(ttl)).unwrap();
    let value = backend.register_value(&ValueDescriptor::<u64>::new("value").ttl(ttl)).unwrap();
    let list = backend.register_list(&ListDescriptor::<u64>::new("list").ttl(ttl)).unwrap();
    let sum = ReducingDescriptor::<u64, _>::new("reducing", |a: u64, b: u64| Ok(a + b)).ttl(ttl);
    let sum = backend.register_reducing(&sum).unwrap();
    let count = AggregatingDescriptor::new("aggregating", Count).ttl(ttl);
    let count = backend.register_aggregating(&count).unwrap();
    let event = ListDescriptor::<u64>::new("event").ttl(ttl.time(TimeDomain::Event));
    let event = backend.register_list(&event).unwrap();
    backend.advance_watermark(5_000);
    let fill = |backend: &mut EngineBackend<u64, F::Engine>| {
        for key in 0..300 {
            backend.set_current_key(&key).unwrap();
            backend.map(&map).unwrap().put_all((0..5).map(|n| (n, n))).unwrap();
            backend.value(&value).unwrap().set(1).unwrap();
            backend.list(&list).unwrap().add_all(0..3).unwrap();
            backend.reducing(&sum).unwrap().add(1).unwrap();
            backend.aggregating(&count).unwrap().add(()).unwrap();
            backend.list(&event).unwrap().add(7).unwrap();
        }
    };
    fill(&mut backend);
    if backend.capabilities().compact {
        backend.compact().unwrap();
    }
    fill(&mut backend);
    clock.set(1_100);
    backend.advance_watermark(5_100);
    assert_eq!(backend.expired_entries(&map).unwrap(), 1_500);
    assert_eq!(backend.expired_entries(&event).unwrap(), 600);
    let read = |backend: &mut EngineBackend<u64, F::Engine>| {
        backend.set_current_key(&1).unwrap();
        assert!(backend.map(&map).unwrap().is_empty().unwrap());
        assert_eq!(backend.value(&value).unwrap().get().unwrap(), None);
        assert!(backend.list(&list).unwrap().is_empty().unwrap());
        assert_eq!(backend.reducing(&sum).unwrap().get().unwrap(), None);
        assert_eq!(backend.aggregating(&count).unwrap().get().unwrap(), None);
        assert!(backend.list(&event).unwrap().is_empty().unwrap());
    };
    remove(&mut backend, &read);
    assert_eq!(backend.expired_entries(&map).unwrap(), 0);
    backend.close().unwrap();
    for _ in 0..2 {
        let mut engine = fixture.open(dir.path()).unwrap();
        assert_eq!(rows(&mut engine), STATES.map(|name| (name, 0)));
        Box::new(engine).close().unwrap();
    }
}

#[test]
fn t3_a_compaction_of_fjall_leaves_nothing_that_has_expired() {
    nothing_is_left(&Fjall, |backend, _| backend.compact().unwrap());
}

#[cfg(feature = "rocksdb")]
#[test]
fn t3_a_compaction_of_rocksdb_leaves_nothing_that_has_expired() {
    nothing_is_left(&keyed_state_tests::Rocks, |backend, _| backend.compact().unwrap());
}

struct Tree;

impl EngineFixture for Tree {
    type Engine = TreeEngine;

    fn open(&self, dir: &Path) -> Result<TreeEngine> {
        TreeEngine::open(dir)
    }
}

#[test]
fn t3_accesses_remove_what_has_expired_where_compactions_cannot() {
    nothing_is_left(&Tree, |backend, read| {
        // A step of 64 rows at every 32nd access, and 1,800 rows in the largest state.
        for _ in 0..32 * 1_800_usize.div_ceil(64) + 32 {
            read(backend);
        }
    });
}
