//! K3, F2: a TTL is part of a state's definition, and outlives closing.

use std::time::Duration;

use keyed_state_core::{
    ErrorKind, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, MapDescriptor,
    ReducingDescriptor, Result, TimeDomain, Touch, Ttl, ValueDescriptor,
};

use crate::{
    Fixture, Outcome,
    kinds::every_kind,
    stage::{TIMES, ttl, ttl_by_reads, with_ttl},
    support::{Must, NOT_DURABLE},
};

/// Registers each kind of state under one name a kind, with a TTL or without.
fn register<B: KeyedStateBackend>(backend: &mut B, ttl: Option<Ttl>) -> [Result<()>; 4] {
    let value = ValueDescriptor::<u64>::new("value");
    let map = MapDescriptor::<u64, u64>::new("map");
    let list = ListDescriptor::<u64>::new("list");
    let reducing = ReducingDescriptor::<u64, _>::new("reducing", |a: u64, b: u64| Ok(a + b));
    match ttl {
        None => [
            backend.register_value(&value).map(drop),
            backend.register_map(&map).map(drop),
            backend.register_list(&list).map(drop),
            backend.register_reducing(&reducing).map(drop),
        ],
        Some(ttl) => [
            backend.register_value(&value.ttl(ttl)).map(drop),
            backend.register_map(&map.ttl(ttl)).map(drop),
            backend.register_list(&list.ttl(ttl)).map(drop),
            backend.register_reducing(&reducing.ttl(ttl)).map(drop),
        ],
    }
}

/// K3: a state is refused to another TTL, or to none, naming both, also when opened again; the same TTL is accepted, however
/// it was spelt. (63)
pub fn k3_a_ttl_is_part_of_the_definition<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let rounds = if stage.is_durable() { 2 } else { 1 };
        for _ in 0..rounds {
            for same in [ttl(2_000), Ttl::new(Duration::from_secs(2))] {
                register(&mut stage.backend, Some(same)).into_iter().for_each(Must::must);
            }
            let others = [
                None,
                Some(ttl(2_001)),
                Some(ttl(1_999)),
                Some(ttl_by_reads(2_000)),
                Some(ttl(2_000).time(TimeDomain::Event)),
            ];
            for other in others {
                for outcome in register(&mut stage.backend, other) {
                    let text = outcome.must_fail(ErrorKind::StateMismatch).to_string();
                    assert!(text.contains("2000 ms"), "{text} must name the TTL that is there");
                    if let Some(other) = other {
                        let ms = other.duration.as_millis();
                        assert!(text.contains(&format!("{ms} ms")), "{text} must name {other:?}");
                    }
                }
            }
            if rounds > 1 {
                stage = stage.reopen_at(fixture, 0);
            }
        }
        Outcome::Ran
    })
}

/// K3: a state without TTL is refused to every TTL, also when opened again. (63)
pub fn k3_a_state_without_ttl_gets_none<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let rounds = if stage.is_durable() { 2 } else { 1 };
        for _ in 0..rounds {
            register(&mut stage.backend, None).into_iter().for_each(Must::must);
            for outcome in register(&mut stage.backend, Some(ttl(100))) {
                let text = outcome.must_fail(ErrorKind::StateMismatch).to_string();
                assert!(text.contains("100 ms"), "{text}");
            }
            if rounds > 1 {
                stage = stage.reopen_at(fixture, 0);
            }
        }
        Outcome::Ran
    })
}

/// F2: a TTL below a millisecond is refused, and the name stays free; parts of milliseconds are rounded up.
pub fn f2_a_ttl_below_a_millisecond_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for bad in [Duration::ZERO, Duration::from_nanos(1), Duration::from_nanos(999_999)] {
            for outcome in register(&mut stage.backend, Some(Ttl::new(bad))) {
                outcome.must_fail(ErrorKind::InvalidArgument);
            }
        }
        register(&mut stage.backend, Some(ttl(1))).into_iter().for_each(Must::must);
        let rounded = Some(Ttl::new(Duration::from_nanos(1_000_001)));
        let kinds = every_kind(&mut stage.backend, "rounded up", rounded);
        for kind in &kinds {
            kind.add(stage.at(0), 0, "x;").must();
        }
        for (now, text) in [(1, "x;"), (2, "")] {
            let backend = stage.at(now);
            for kind in &kinds {
                assert_eq!(kind.read(backend, 0).must(), text, "{}", kind.name());
            }
        }
        Outcome::Ran
    })
}

/// T1: deadlines survive closing and opening again: what had expired by then is gone, what had not expires when due.
pub fn closing_keeps_deadlines<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        if !stage.is_durable() {
            return Outcome::Skipped(NOT_DURABLE);
        }
        for touch in [Touch::OnWrite, Touch::OnReadAndWrite] {
            for time in TIMES {
                let name = format!("{touch:?} {time:?}");
                let rule = Some(ttl(100).touch(touch).time(time));
                let start = stage.time(time) + 1_000;
                for (namespace, later) in [(0, 0), (1, 40), (2, 80)] {
                    for kind in every_kind(&mut stage.backend, &name, rule) {
                        let backend = stage.at_time(time, start + later);
                        kind.add(backend, namespace, "x;").must();
                    }
                }
                // Looked at by listings, which touch nothing.
                for (later, live) in [(99, 3), (100, 2), (139, 2), (140, 1), (179, 1), (180, 0)] {
                    stage.at_time(time, start + later);
                    let now = stage.time(TimeDomain::Processing);
                    stage = stage.reopen_at(fixture, now);
                    for kind in every_kind(&mut stage.backend, &name, rule) {
                        let pairs = kind.pairs(&mut stage.backend).must();
                        let expected = (0..3).skip(3 - live).map(|namespace| (1, namespace));
                        assert!(pairs.into_iter().eq(expected), "{} {name}", kind.name());
                    }
                }
            }
        }
        Outcome::Ran
    })
}
