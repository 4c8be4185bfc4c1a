//! T3: what has expired goes away physically, and nothing else does.

use keyed_state_core::{
    KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, MapDescriptor, MapState, StateId,
    ValueDescriptor, ValueState,
};

use crate::{
    Fixture, Outcome,
    kinds::every_kind,
    stage::{Stage, TIMES, ttl, with_ttl},
    support::{Must, NOT_DURABLE, entries},
};

/// Accesses by which all of `entries` expired entries must have been removed where no compaction does it: a generous few for
/// each.
fn enough(entries: usize) -> usize {
    500 + 4 * entries
}

/// Demands the number of expired entries that nothing has removed yet; a compaction in the background may have.
#[track_caller]
fn expect_expired<F: Fixture>(at: &mut Stage<F>, state: &impl StateId, expected: u64) {
    let found = at.backend.expired_entries(state).must();
    if at.backend.capabilities().compaction_filter {
        assert!(found <= expected, "{found} expired of {expected}");
    } else {
        assert_eq!(found, expected);
    }
}

/// T3: in every kind of state and by either time, what has expired is removed in the end; what has not stays. (80)
pub fn t3_what_has_expired_is_removed<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for time in TIMES {
            let rule = Some(ttl(100).time(time));
            for kind in every_kind(&mut stage.backend, &format!("by {time:?}"), rule) {
                let start = stage.time(time) + 1_000;
                let what = format!("{} by {time:?}", kind.name());
                for key in 0..200 {
                    let backend = stage.at_time(time, start);
                    backend.set_current_key(&key).must();
                    kind.add(backend, key % 3, "x;").must();
                }
                let backend = stage.at_time(time, start + 50);
                for key in 200..220 {
                    backend.set_current_key(&key).must();
                    kind.add(backend, 0, "y;").must();
                }
                assert_eq!(kind.expired(backend).must(), 0, "{what}");
                let backend = stage.at_time(time, start + 100);
                let expired = kind.expired(backend).must();
                let filtered = backend.capabilities().compaction_filter;
                assert!(expired == 200 || (filtered && expired < 200), "{expired} of {what}");
                if !stage.remove_expired(enough(220), |b| drop(kind.read(b, 7).must())) {
                    continue;
                }
                assert_eq!(kind.expired(&mut stage.backend).must(), 0, "{what}");
                let pairs = kind.pairs(&mut stage.backend).must();
                assert!(pairs.into_iter().eq((200..220).map(|key| (key, 0))), "{what}");
                let backend = stage.at_time(time, start + 149);
                for key in 200..220 {
                    backend.set_current_key(&key).must();
                    assert_eq!(kind.read(backend, 0).must(), "y;", "{what}");
                }
                stage.at_time(time, start + 150);
                stage.remove_expired(enough(20), |b| drop(kind.read(b, 7).must()));
                assert_eq!(kind.expired(&mut stage.backend).must(), 0, "{what}");
                assert_eq!(kind.pairs(&mut stage.backend).must(), [], "{what}");
            }
        }
        Outcome::Ran
    })
}

/// T3: large maps and lists lose what has expired too, be it part of them or all.
pub fn t3_large_maps_lose_what_has_expired<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let map = MapDescriptor::<u64, u64>::new("map").ttl(ttl(100));
        let map = stage.backend.register_map(&map).must();
        let list = ListDescriptor::<u64>::new("list").ttl(ttl(100));
        let list = stage.backend.register_list(&list).must();
        stage.at(0).map(&map).must().put_all((0..1_000).map(|n| (n, n))).must();
        stage.at(0).list(&list).must().add_all(0..1_000).must();
        let half = (0..1_000).filter(|n| n % 2 == 0);
        stage.at(50).map(&map).must().put_all(half.clone().map(|n| (n, n))).must();
        stage.at(50).list(&list).must().add_all(1_000..1_200).must();
        stage.clock.set(100);
        expect_expired(&mut stage, &map, 500);
        expect_expired(&mut stage, &list, 1_000);
        let access = |backend: &mut F::Backend<u64>| {
            backend.map(&map).map(drop).and_then(|()| backend.list(&list).map(drop)).must();
        };
        if !stage.remove_expired(enough(2_200), &access) {
            return Outcome::Ran;
        }
        assert_eq!(stage.backend.expired_entries(&map).must(), 0);
        assert_eq!(stage.backend.expired_entries(&list).must(), 0);
        let left = entries(&stage.backend.map(&map).must());
        assert!(left.into_iter().eq(half.map(|n| (n, n))));
        let left = stage.backend.list(&list).must().to_vec().must();
        assert!(left.into_iter().eq(1_000..1_200));
        stage.clock.set(150);
        stage.remove_expired(enough(700), &access);
        assert_eq!(stage.backend.expired_entries(&map).must(), 0);
        assert_eq!(stage.backend.expired_entries(&list).must(), 0);
        assert_eq!(stage.backend.keys(&map, &()).must().count(), 0);
        assert_eq!(stage.backend.keys(&list, &()).must().count(), 0);
        Outcome::Ran
    })
}

/// T3: removal spares what was written anew since: the time that counts is the entry's latest. (77)
pub fn t3_removal_spares_what_was_written_anew<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let map = MapDescriptor::<u64, u64>::new("map").ttl(ttl(100));
        let map = stage.backend.register_map(&map).must();
        let value = ValueDescriptor::<u64>::new("value").ttl(ttl(100));
        let value = stage.backend.register_value(&value).must();
        let access = |backend: &mut F::Backend<u64>| {
            backend.map(&map).map(drop).and_then(|()| backend.value(&value).map(drop)).must();
        };
        for n in 0..10_u32 {
            let backend = stage.at(30 * i64::from(n));
            backend.map(&map).must().put(7, u64::from(n)).must();
            backend.value(&value).must().set(u64::from(n)).must();
            if n % 3 == 0 {
                backend.flush().must();
            }
        }
        // The first four of the ten would have expired.
        stage.clock.set(250);
        stage.remove_expired(enough(10), &access);
        for now in [250, 369] {
            let backend = stage.at(now);
            assert_eq!(entries(&backend.map(&map).must()), [(7, 9)]);
            assert_eq!(backend.value(&value).must().get().must(), Some(9));
            assert_eq!(backend.expired_entries(&map).must(), 0);
            assert_eq!(backend.expired_entries(&value).must(), 0);
        }
        stage.clock.set(370);
        expect_expired(&mut stage, &map, 1);
        expect_expired(&mut stage, &value, 1);
        if stage.remove_expired(enough(2), &access) {
            assert_eq!(stage.backend.expired_entries(&map).must(), 0);
            assert_eq!(stage.backend.expired_entries(&value).must(), 0);
        }
        Outcome::Ran
    })
}

/// T3: removal spares states without TTL, whatever their values begin with.
pub fn t3_removal_spares_states_without_ttl<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        // The eight bytes of these, and the first eight of those, would be a time of long ago.
        let value = stage.backend.register_value(&ValueDescriptor::<u64>::new("value")).must();
        let map = stage.backend.register_map(&MapDescriptor::<u64, Vec<u8>>::new("map")).must();
        let expires = ValueDescriptor::<u64>::new("expires").ttl(ttl(100));
        let expires = stage.backend.register_value(&expires).must();
        for key in 0..100 {
            stage.backend.set_current_key(&key).must();
            stage.backend.value(&value).must().set(key).must();
            stage.backend.map(&map).must().put(key, vec![0; 16]).must();
            stage.backend.value(&expires).must().set(key).must();
        }
        stage.clock.set(1_000_000);
        stage.remove_expired(enough(100), |b| {
            b.value(&expires).map(drop).must();
            b.value(&value).map(drop).and_then(|()| b.map(&map).map(drop)).must();
        });
        for key in 0..100 {
            stage.backend.set_current_key(&key).must();
            assert_eq!(stage.backend.value(&value).must().get().must(), Some(key));
            assert_eq!(entries(&stage.backend.map(&map).must()), [(key, vec![0; 16])]);
            assert_eq!(stage.backend.value(&expires).must().get().must(), None);
        }
        assert_eq!(stage.backend.expired_entries(&value).must(), 0);
        assert_eq!(stage.backend.expired_entries(&map).must(), 0);
        Outcome::Ran
    })
}

/// T3: what was removed or has expired stays gone over flushing, compacting, opening again and whatever the clock shows then;
/// what was written since is there.
pub fn t3_what_has_expired_never_comes_back<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        if !stage.is_durable() {
            return Outcome::Skipped(NOT_DURABLE);
        }
        let descriptor = MapDescriptor::<u64, u64>::new("map").ttl(ttl(100));
        for round in 0..4_u32 {
            let start = 1_000 * i64::from(round);
            let id = stage.backend.register_map(&descriptor).must();
            stage.at(start).map(&id).must().put_all((0..50).map(|n| (n, 0))).must();
            stage.backend.flush().must();
            // A second version of some, so that an older one lies below.
            stage.at(start + 10).map(&id).must().put_all((0..25).map(|n| (n, 1))).must();
            if round % 2 == 0 {
                stage.backend.flush().must();
            }
            stage.clock.set(start + 105);
            if round > 1 {
                stage.remove_expired(enough(50), |b| b.map(&id).map(drop).must());
            }
            let mut stage_again = stage.reopen_at(fixture, start - 500);
            let id = stage_again.backend.register_map(&descriptor).must();
            let expected = (0..25).map(|n| (n, 1));
            let map = stage_again.backend.map(&id).must();
            assert!(entries(&map).into_iter().eq(expected), "round {round}");
            drop(map);
            stage_again.at(start + 110).map(&id).must().put(60, 2).must();
            if stage_again.backend.capabilities().compact {
                stage_again.backend.compact().must();
            }
            stage = stage_again.reopen_at(fixture, start + 115);
            let id = stage.backend.register_map(&descriptor).must();
            assert_eq!(entries(&stage.backend.map(&id).must()), [(60, 2)], "round {round}");
            stage.backend.map(&id).must().clear().must();
        }
        Outcome::Ran
    })
}

/// T3: removal works on while the state is used: the expired never outnumber what is written by much.
pub fn t3_removal_keeps_up_with_writing<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        if stage.backend.capabilities().compaction_filter {
            // Compactions come when the engine finds them due.
            return Outcome::Ran;
        }
        let value = ValueDescriptor::<u64>::new("value").ttl(ttl(1_000));
        let value = stage.backend.register_value(&value).must();
        let mut most = 0;
        for n in 0..20_000_u32 {
            let backend = stage.at(i64::from(n));
            backend.set_current_key(&u64::from(n)).must();
            backend.value(&value).must().set(1).must();
            if n % 1_000 == 0 {
                most = most.max(backend.expired_entries(&value).must());
            }
        }
        assert!(most > 0, "nothing ever expired");
        assert!(most < 10_000, "{most} expired entries of 1000 that live at a time");
        assert_eq!(stage.backend.keys(&value, &()).must().count(), 1_000);
        Outcome::Ran
    })
}

/// T3: a state without TTL has no expired entries, and one whose entries live none either.
pub fn t3_only_what_has_expired_is_counted<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let (with, without) = (
            every_kind(&mut stage.backend, "with", Some(ttl(100))),
            every_kind(&mut stage.backend, "without", None),
        );
        for key in 0..10 {
            for kind in with.iter().chain(&without) {
                let backend = stage.at(i64::try_from(10 * key).expect("a few"));
                backend.set_current_key(&key).must();
                kind.add(backend, 0, "x;").must();
            }
        }
        for (now, expired) in [(99, 0), (100, 1), (149, 5), (190, 10)] {
            let backend = stage.at(now);
            for kind in &with {
                let found = kind.expired(backend).must();
                let filtered = backend.capabilities().compaction_filter;
                assert!(found == expired || (filtered && found < expired), "{found} at {now}");
                let live = kind.pairs(backend).must().len() as u64;
                assert_eq!(live, 10 - expired, "{} at {now}", kind.name());
            }
            for kind in &without {
                assert_eq!(kind.expired(backend).must(), 0);
                assert_eq!(kind.pairs(backend).must().len(), 10);
            }
        }
        // What is cleared, or written anew, has not expired.
        for kind in &with {
            for key in 0..10 {
                stage.backend.set_current_key(&key).must();
                kind.clear(&mut stage.backend, 0).must();
                if key % 2 == 0 {
                    kind.add(&mut stage.backend, 0, "y;").must();
                }
            }
            assert_eq!(kind.expired(&mut stage.backend).must(), 0, "{}", kind.name());
        }
        Outcome::Ran
    })
}
