//! What is counted, exactly.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::time::Duration;

use keyed_state_conformance::reference::TreeEngine;
use keyed_state_core::{
    BackendOptions, EngineBackend, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor,
    ManualClock, MapDescriptor, MapState, MapStateExt as _, ReducingDescriptor, Ttl,
    ValueDescriptor, ValueState,
};
use keyed_state_memory::MemoryBackend;
use keyed_state_metrics::{Instrumented, names};
use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};

/// What a recorder has of one name: labels, as `name=value` in their order, and value.
fn recorded(snapshotter: &Snapshotter, name: &str) -> Vec<(String, DebugValue)> {
    let all = snapshotter.snapshot().into_vec();
    let found = all.into_iter().filter(|(key, ..)| key.key().name() == name);
    found
        .map(|(key, _, _, value)| {
            let labels =
                key.key().labels().map(|label| format!("{}={}", label.key(), label.value()));
            (labels.collect::<Vec<_>>().join(" "), value)
        })
        .collect()
}

fn counter(snapshotter: &Snapshotter, name: &str, labels: &str) -> u64 {
    let found = recorded(snapshotter, name).into_iter().find(|(found, _)| found == labels);
    match found {
        Some((_, DebugValue::Counter(count))) => count,
        None => 0,
        other => panic!("{name} is no counter: {other:?}"),
    }
}

fn histogram(snapshotter: &Snapshotter, name: &str, labels: &str) -> usize {
    match recorded(snapshotter, name).into_iter().find(|(found, _)| found == labels) {
        Some((_, DebugValue::Histogram(values))) => values.len(),
        None => 0,
        other => panic!("{name} is no histogram: {other:?}"),
    }
}

fn gauge(snapshotter: &Snapshotter, name: &str) -> f64 {
    match recorded(snapshotter, name).pop() {
        Some((_, DebugValue::Gauge(value))) => value.into_inner(),
        other => panic!("{name} is no gauge: {other:?}"),
    }
}

fn recording(test: impl FnOnce(&Snapshotter)) {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    metrics::with_local_recorder(&recorder, || test(&snapshotter));
}

fn memory() -> Instrumented<MemoryBackend<u64>> {
    Instrumented::new(MemoryBackend::open(BackendOptions::new()).unwrap(), "job").sampling(4)
}

#[test]
fn operations_are_counted_by_state_and_kind_and_one_in_four_is_timed() {
    recording(|snapshotter| {
        let mut backend = memory();
        let map = backend.register_map(&MapDescriptor::<u64, u64>::new("m")).unwrap();
        let value = backend.register_value(&ValueDescriptor::<String>::new("v")).unwrap();
        backend.set_current_key(&1).unwrap();
        for n in 0..8 {
            backend.map(&map).unwrap().put(n, n).unwrap();
        }
        for n in 0..3 {
            assert_eq!(backend.map(&map).unwrap().get(&n).unwrap(), Some(n));
        }
        backend.map(&map).unwrap().clear().unwrap();
        backend.value(&value).unwrap().set("four".to_owned()).unwrap();

        let map = "backend=job state=m kind=map";
        let all = recorded(snapshotter, names::OPERATIONS);
        let of = |name: &str| {
            let labels = format!("{map} operation={name}");
            match all.iter().find(|(found, _)| *found == labels) {
                Some((_, DebugValue::Counter(count))) => *count,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!((of("put"), of("get"), of("clear"), of("iter")), (8, 3, 1, 0));
        let value =
            all.iter().find(|(labels, _)| labels == "backend=job state=v kind=value operation=set");
        assert_eq!(value.unwrap().1, DebugValue::Counter(1));
    });
    recording(|snapshotter| {
        let mut backend = memory();
        let map = backend.register_map(&MapDescriptor::<u64, u64>::new("m")).unwrap();
        backend.set_current_key(&1).unwrap();
        for n in 0..9 {
            backend.map(&map).unwrap().put(n, n).unwrap();
        }
        let labels = "backend=job state=m kind=map operation=put";
        assert_eq!(histogram(snapshotter, names::OPERATION_SECONDS, labels), 3);
    });
    recording(|snapshotter| {
        let mut backend = memory();
        let map = backend.register_map(&MapDescriptor::<u64, u64>::new("m")).unwrap();
        backend.set_current_key(&1).unwrap();
        for n in 0..9 {
            backend.map(&map).unwrap().put(n, n).unwrap();
        }
        let sizes = recorded(snapshotter, names::WRITTEN_BYTES);
        let DebugValue::Histogram(sizes) = &sizes[0].1 else { panic!("{sizes:?}") };
        assert_eq!(sizes.iter().map(|size| size.into_inner()).collect::<Vec<_>>(), [8.0; 3]);
    });
}

#[test]
fn clears_are_counted_by_kind() {
    recording(|snapshotter| {
        let mut backend = memory();
        let list = backend.register_list(&ListDescriptor::<u64>::new("l")).unwrap();
        let sum = ReducingDescriptor::<u64, _>::new("r", |a: u64, b: u64| Ok(a + b));
        let sum = backend.register_reducing(&sum).unwrap();
        backend.set_current_key(&1).unwrap();
        backend.list(&list).unwrap().add(1).unwrap();
        backend.list(&list).unwrap().clear().unwrap();
        backend.reducing(&sum).unwrap().clear().unwrap();
        backend.reducing(&sum).unwrap().clear().unwrap();
        let mut found: Vec<_> = recorded(snapshotter, names::CLEARS)
            .into_iter()
            .map(|(labels, value)| format!("{labels}: {value:?}"))
            .collect();
        found.sort();
        assert_eq!(
            found,
            [
                "backend=job state=l kind=list: Counter(1)",
                "backend=job state=r kind=reducing: Counter(2)",
            ]
        );
    });
}

#[test]
fn errors_are_counted_by_kind() {
    recording(|snapshotter| {
        let mut backend = memory();
        let map = backend.register_map(&MapDescriptor::<u64, u64>::new("m")).unwrap();
        backend.map(&map).unwrap_err();
        backend.map(&map).unwrap_err();
        assert_eq!(counter(snapshotter, names::ERRORS, "backend=job error=no_current_key"), 2);
    });
    recording(|snapshotter| {
        let mut backend = memory();
        backend.register_value(&ValueDescriptor::<u64>::new("s")).unwrap();
        backend.register_value(&ValueDescriptor::<u32>::new("s")).unwrap_err();
        assert_eq!(counter(snapshotter, names::ERRORS, "backend=job error=state_mismatch"), 1);
    });
}

#[test]
fn iterators_are_open_until_they_are_dropped() {
    recording(|snapshotter| {
        let mut backend = memory();
        let map = backend.register_map(&MapDescriptor::<u64, u64>::new("m")).unwrap();
        backend.set_current_key(&1).unwrap();
        let map = backend.map(&map).unwrap();
        let (_first, _second) = (map.iter().unwrap(), map.keys().unwrap());
        assert!((gauge(snapshotter, names::OPEN_ITERATORS) - 2.0).abs() < f64::EPSILON);
    });
    recording(|snapshotter| {
        let mut backend = memory();
        let map = backend.register_map(&MapDescriptor::<u64, u64>::new("m")).unwrap();
        backend.set_current_key(&1).unwrap();
        drop(backend.map(&map).unwrap().range(1..3).unwrap());
        assert!(gauge(snapshotter, names::OPEN_ITERATORS).abs() < f64::EPSILON);
    });
}

#[test]
fn expired_entries_and_timers_are_published_on_demand() {
    recording(|snapshotter| {
        let clock = ManualClock::new(0);
        let options = BackendOptions::new().clock(clock.clone());
        let backend = EngineBackend::open(TreeEngine::in_memory(), options).unwrap();
        let mut backend = Instrumented::new(backend, "job");
        let ttl = Ttl::new(Duration::from_millis(10));
        let map = MapDescriptor::<u64, u64>::new("m").ttl(ttl);
        let map = backend.register_map(&map).unwrap();
        backend.set_current_key(&1_u64).unwrap();
        backend.map(&map).unwrap().put_all([(1, 1), (2, 2)]).unwrap();
        clock.set(10);
        assert_eq!(backend.publish_expired(&map).unwrap(), 2);
        assert!((gauge(snapshotter, names::EXPIRED_ENTRIES) - 2.0).abs() < f64::EPSILON);
    });
    recording(|snapshotter| {
        let mut backend = memory();
        backend.set_current_key(&1).unwrap();
        for time in 0..3 {
            backend.timers::<()>("t").unwrap().register(time, &()).unwrap();
        }
        backend.flush().unwrap();
        assert!((gauge(snapshotter, names::TIMERS) - 3.0).abs() < f64::EPSILON);
    });
}

#[test]
fn every_recorded_name_is_listed() {
    recording(|snapshotter| {
        let mut backend = memory();
        let map = backend.register_map(&MapDescriptor::<u64, u64>::new("m")).unwrap();
        backend.map(&map).unwrap_err();
        backend.flush().unwrap();
        let mut found: Vec<_> = snapshotter.snapshot().into_vec();
        let mut found: Vec<_> =
            found.drain(..).map(|(key, ..)| key.key().name().to_owned()).collect();
        found.sort();
        found.dedup();
        let mut listed = names::ALL.map(str::to_owned);
        listed.sort();
        assert_eq!(found, listed);
        let page = include_str!("../../../docs/src/metrics.md");
        let in_page: Vec<_> =
            page.split('`').filter(|text| text.starts_with("keyed_state_")).collect();
        assert_eq!(in_page, names::ALL);
    });
}

#[test]
fn without_a_recorder_everything_works() {
    let mut backend = memory();
    let map = backend.register_map(&MapDescriptor::<u64, u64>::new("m")).unwrap();
    backend.set_current_key(&1).unwrap();
    backend.map(&map).unwrap().put(1, 1).unwrap();
    assert_eq!(backend.map(&map).unwrap().len().unwrap(), 1);
    backend.close().unwrap();
}
