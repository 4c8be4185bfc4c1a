//! Mirrors of Flink's `TtlStateTestBase`, for every kind of state at once, with its TTL of 100 ms. Where Flink snapshots and
//! restores, these close and open again.
//!
//! Its relaxed mode, in which what has expired is returned once more, is not offered. A TTL that is switched off when restored is
//! [refused](super::ttl_definitions::k3_a_ttl_is_part_of_the_definition) as long as there are no snapshots to restore.

use std::time::Duration;

use keyed_state_core::{
    Clock as _, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, MapDescriptor, MapState,
    Ttl, ValueDescriptor, ValueState,
};

use super::merging::{add, expect};
use crate::{
    Fixture, Outcome,
    kinds::{every_kind, merging_kinds},
    stage::{ttl, ttl_by_reads, with_ttl},
    support::{Must, NOT_DURABLE},
};

/// `testValueStateWorkWithTtl` of `StateBackendTestBase`: a value with TTL is written and read, each key's its own.
pub fn flink_test_value_state_work_with_ttl<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let value = ValueDescriptor::<String>::new("id").ttl(ttl(1_000));
        let value = stage.backend.register_value(&value).must();
        for key in 1..4 {
            stage.backend.set_current_key(&key).must();
            assert_eq!(stage.backend.value(&value).must().get().must(), None);
            stage.backend.value(&value).must().set(format!("value {key}")).must();
        }
        for key in 1..4 {
            stage.backend.set_current_key(&key).must();
            let found = stage.backend.value(&value).must().get().must();
            assert_eq!(found, Some(format!("value {key}")));
        }
        Outcome::Ran
    })
}

/// `testNonExistentValue`: what was never written is absent.
pub fn flink_test_ttl_non_existent_value<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for kind in every_kind(&mut stage.backend, "s", Some(ttl(100))) {
            assert_eq!(kind.read(&mut stage.backend, 0).must(), "", "{}", kind.name());
        }
        Outcome::Ran
    })
}

/// `testValueSetNull`: null is a value in maps, lists and values, and expires as any other.
pub fn flink_test_ttl_value_set_null<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let value = ValueDescriptor::<Option<u64>>::new("value").ttl(ttl(100));
        let value = stage.backend.register_value(&value).must();
        let map = MapDescriptor::<u64, Option<u64>>::new("map").ttl(ttl(100));
        let map = stage.backend.register_map(&map).must();
        let list = ListDescriptor::<Option<u64>>::new("list").ttl(ttl(100));
        let list = stage.backend.register_list(&list).must();
        stage.backend.value(&value).must().set(None).must();
        stage.backend.map(&map).must().put(1, None).must();
        stage.backend.list(&list).must().add(None).must();
        let backend = stage.at(99);
        assert_eq!(backend.value(&value).must().get().must(), Some(None));
        assert_eq!(backend.map(&map).must().get(&1).must(), Some(None));
        assert_eq!(backend.list(&list).must().to_vec().must(), [None]);
        let backend = stage.at(100);
        assert_eq!(backend.value(&value).must().get().must(), None);
        assert!(!backend.map(&map).must().contains(&1).must());
        assert_eq!(backend.list(&list).must().len().must(), 0);
        Outcome::Ran
    })
}

/// `testExactExpirationOnWrite`: writing renews, reading does not, and at its deadline a value is gone.
pub fn flink_test_ttl_exact_expiration_on_write<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for kind in every_kind(&mut stage.backend, "s", Some(ttl(100))) {
            let start = stage.clock.now_ms() + 1_000;
            kind.add(stage.at(start), 0, "a;").must();
            assert_eq!(kind.read(stage.at(start + 20), 0).must(), "a;");
            kind.clear(&mut stage.backend, 0).must();
            kind.add(&mut stage.backend, 0, "b;").must();
            assert_eq!(kind.read(stage.at(start + 70), 0).must(), "b;");
            assert_eq!(kind.read(stage.at(start + 119), 0).must(), "b;");
            assert_eq!(kind.read(stage.at(start + 120), 0).must(), "", "{}", kind.name());
            assert_eq!(kind.pairs(&mut stage.backend).must(), []);
            kind.add(&mut stage.backend, 0, "c;").must();
            assert_eq!(kind.read(stage.at(start + 219), 0).must(), "c;");
            assert_eq!(kind.read(stage.at(start + 220), 0).must(), "", "{}", kind.name());
        }
        Outcome::Ran
    })
}

/// `testExactExpirationOnRead`: reading renews too.
pub fn flink_test_ttl_exact_expiration_on_read<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for kind in every_kind(&mut stage.backend, "s", Some(ttl_by_reads(100))) {
            let start = stage.clock.now_ms() + 1_000;
            kind.add(stage.at(start), 0, "a;").must();
            for later in [50, 120, 180, 279] {
                let found = kind.read(stage.at(start + later), 0).must();
                assert_eq!(found, "a;", "{} after {later}", kind.name());
            }
            assert_eq!(kind.read(stage.at(start + 379), 0).must(), "", "{}", kind.name());
            assert_eq!(kind.read(stage.at(start + 380), 0).must(), "");
        }
        Outcome::Ran
    })
}

/// `testExpirationTimestampOverflow`: a TTL as long as can be does not wrap.
pub fn flink_test_ttl_expiration_timestamp_overflow<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let longest = Ttl::new(Duration::from_millis(i64::MAX.cast_unsigned()));
        for kind in every_kind(&mut stage.backend, "s", Some(longest)) {
            kind.add(stage.at(10), 0, "a;").must();
            assert_eq!(kind.read(stage.at(50), 0).must(), "a;", "{}", kind.name());
        }
        Outcome::Ran
    })
}

/// `testMergeNamespaces`: what has expired is left out of a merge, in mixed layouts; and where all has, which Flink leaves
/// out. (69)
pub fn flink_test_ttl_merge_namespaces<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let kinds = merging_kinds(&mut stage.backend, "s", Some(ttl(100)));
        for kind in &kinds {
            // Before, and too late to be merged; then what is merged.
            add(stage.at(0), kind.as_ref(), &[(1, "old;"), (2, "old;"), (6, "old;"), (7, "old;")]);
        }
        for kind in &kinds {
            add(stage.at(120), kind.as_ref(), &[(2, "b;"), (3, "c;"), (5, "t;")]);
        }
        for kind in &kinds {
            kind.merge(stage.at(150), 5, &[1, 2, 3, 4]).must();
            kind.merge(&mut stage.backend, 6, &[7, 1]).must();
            expect(&mut stage.backend, kind.as_ref(), &[(5, "t;b;c;")]);
        }
        for kind in &kinds {
            expect(stage.at(220), kind.as_ref(), &[]);
        }
        Outcome::Ran
    })
}

/// `testMultipleKeys` and `testMultipleNamespaces`: they expire apart.
pub fn flink_test_ttl_multiple_keys_and_namespaces<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let kinds = every_kind(&mut stage.backend, "s", Some(ttl(100)));
        for (now, key, namespace) in [(0, 1, 1), (50, 2, 1), (80, 1, 2)] {
            let backend = stage.at(now);
            backend.set_current_key(&key).must();
            for kind in &kinds {
                kind.add(backend, namespace, "x;").must();
            }
        }
        let (a, b, c) = ((1, 1), (1, 2), (2, 1));
        for (now, expected) in [(99, &[a, b, c][..]), (100, &[b, c]), (150, &[b]), (180, &[])] {
            let backend = stage.at(now);
            for kind in &kinds {
                assert_eq!(kind.pairs(backend).must(), expected, "{} at {now}", kind.name());
            }
        }
        Outcome::Ran
    })
}

/// `testSnapshotChangeRestore`: values and deadlines are there when opened again.
pub fn flink_test_ttl_snapshot_change_restore<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        if !stage.is_durable() {
            return Outcome::Skipped(NOT_DURABLE);
        }
        let rule = Some(ttl(100));
        for (now, namespace) in [(0, 0), (50, 1)] {
            for kind in every_kind(&mut stage.backend, "s", rule) {
                kind.add(stage.at(now), namespace, "x;").must();
            }
        }
        let mut stage = stage.reopen_at(fixture, 60);
        for kind in every_kind(&mut stage.backend, "s", rule) {
            kind.add(stage.at(60), 0, "y;").must();
        }
        let mut stage = stage.reopen_at(fixture, 120);
        for (now, expected) in [(149, ["y;", "x;"]), (150, ["y;", ""]), (160, ["", ""])] {
            for kind in every_kind(&mut stage.backend, "s", rule) {
                for (namespace, text) in (0..).zip(expected) {
                    let found = kind.read(stage.at(now), namespace).must();
                    assert!(
                        found.ends_with(text) && found.is_empty() == text.is_empty(),
                        "{found}"
                    );
                }
            }
        }
        Outcome::Ran
    })
}

/// `testIncrementalCleanup` and `testIncrementalCleanupWholeState`: what has expired is removed bit by bit while the state is
/// accessed, and all of it in the end; with a compaction filter, by a compaction (`testCompactFilter`).
pub fn flink_test_ttl_incremental_cleanup<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        for kind in every_kind(&mut stage.backend, "s", Some(ttl(100))) {
            let start = stage.clock.now_ms() + 1_000;
            for (later, keys) in [(0, 0..100), (50, 100..150)] {
                let backend = stage.at(start + later);
                for key in keys {
                    backend.set_current_key(&key).must();
                    kind.add(backend, 0, "x;").must();
                }
            }
            stage.clock.set(start + 120);
            let there = kind.expired(&mut stage.backend).must();
            let mut left = there;
            for _ in 0..100 {
                if !stage.remove_expired(20, |b| drop(kind.read(b, 5).must())) {
                    break;
                }
                let found = kind.expired(&mut stage.backend).must();
                assert!(found <= left, "{found} expired after {left} of {}", kind.name());
                left = found;
                // What lives stays all the while.
                assert_eq!(kind.keys(&mut stage.backend, 0).must().len(), 50);
                if left == 0 {
                    break;
                }
            }
            assert!(left == 0 || stage.backend.capabilities().compaction_filter);
        }
        Outcome::Ran
    })
}
