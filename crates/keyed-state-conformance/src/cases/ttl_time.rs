//! T4: the time that lives are counted in.

use keyed_state_core::{
    BackendOptions, KeyedStateBackend, KeyedStateBackendExt, ManualClock, MapDescriptor, MapState,
    TimeDomain, ValueDescriptor, ValueState,
};

use crate::{
    Fixture, Outcome,
    kinds::every_kind,
    stage::{ttl, ttl_by_reads, with_ttl, with_ttl_from},
    support::{Home, Must, NOT_DURABLE},
};

/// T4: when the clock goes back, the backend's time stands until the clock is there again: nothing expires early, and
/// nothing that expired comes back. (74)
pub fn t4_a_clock_that_goes_back_is_not_followed<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl_from(fixture, 1_000, |mut stage| {
        let kinds = every_kind(&mut stage.backend, "s", Some(ttl(100)));
        for kind in &kinds {
            kind.add(stage.at(1_000), 0, "a;").must();
            kind.add(stage.at(500), 1, "b;").must();
        }
        // What was written while the clock showed 500 lives as long as what was written at 1000.
        for (now, live) in [(500, true), (700, true), (1_099, true), (1_100, false), (600, false)] {
            let backend = stage.at(now);
            for kind in &kinds {
                for (namespace, text) in [(0, "a;"), (1, "b;")] {
                    let found = kind.read(backend, namespace).must();
                    assert_eq!(found, if live { text } else { "" }, "{} at {now}", kind.name());
                }
                assert_eq!(kind.pairs(backend).must().len(), if live { 2 } else { 0 });
            }
        }
        // Rewritten while the clock shows less: it lives on from where time stands.
        let kind = &kinds[0];
        kind.add(stage.at(2_000), 0, "c;").must();
        kind.add(stage.at(1_500), 0, "d;").must();
        assert_eq!(kind.read(stage.at(1_700), 0).must(), "c;d;");
        assert_eq!(kind.read(stage.at(2_099), 0).must(), "c;d;");
        assert_eq!(kind.read(stage.at(2_100), 0).must(), "");
        Outcome::Ran
    })
}

/// T4: touches by reads while the clock shows less are touches at the time where it stood.
pub fn t4_a_read_while_the_clock_is_back_touches_at_the_latest_time<F: Fixture>(
    fixture: &F,
) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let id = MapDescriptor::<u64, u64>::new("map").ttl(ttl_by_reads(100));
        let id = stage.backend.register_map(&id).must();
        stage.at(0).map(&id).must().put(1, 1).must();
        assert_eq!(stage.at(50).map(&id).must().get(&2).must(), None);
        assert_eq!(stage.at(10).map(&id).must().get(&1).must(), Some(1));
        let found = stage.at(20).map(&id).must().get_with_touch(&1).must();
        assert_eq!(found, Some((1, Some(50))));
        assert!(!stage.at(149).map(&id).must().is_empty().must());
        assert!(stage.at(150).map(&id).must().is_empty().must());
        Outcome::Ran
    })
}

/// T4: processing time does not go back over closing and opening again, with whatever clock. (74)
pub fn t4_processing_time_goes_on_when_opened_again<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl_from(fixture, 1_000, |mut stage| {
        if !stage.is_durable() {
            return Outcome::Skipped(NOT_DURABLE);
        }
        let rule = Some(ttl(100));
        let kinds = every_kind(&mut stage.backend, "s", rule);
        for (now, namespace, text) in [(1_000, 0, "gone;"), (1_050, 1, "there;")] {
            let backend = stage.at(now);
            kinds.iter().try_for_each(|kind| kind.add(backend, namespace, text)).must();
        }
        stage.clock.set(1_120);
        let mut stage = stage.reopen_at(fixture, 200);
        let kinds = every_kind(&mut stage.backend, "s", rule);
        for kind in &kinds {
            kind.add(&mut stage.backend, 2, "new;").must();
        }
        for (now, expected) in [
            (200, ["", "there;", "new;"]),
            (1_149, ["", "there;", "new;"]),
            (1_150, ["", "", "new;"]),
            (1_219, ["", "", "new;"]),
            (1_220, ["", "", ""]),
        ] {
            let backend = stage.at(now);
            for kind in &kinds {
                for (namespace, text) in (0..).zip(expected) {
                    let found = kind.read(backend, namespace).must();
                    assert_eq!(found, text, "{} at {now}", kind.name());
                }
            }
        }
        Outcome::Ran
    })
}

/// T4: event time is the watermark and nothing else: the clock may show what it likes. (83)
pub fn t4_event_time_goes_by_the_watermark_alone<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        let by_event = Some(ttl(100).time(TimeDomain::Event));
        let by_event = every_kind(&mut stage.backend, "by event", by_event);
        let by_clock = every_kind(&mut stage.backend, "by clock", Some(ttl(100)));
        stage.backend.advance_watermark(0);
        for kind in by_event.iter().chain(&by_clock) {
            kind.add(&mut stage.backend, 0, "x;").must();
        }
        stage.clock.set(1_000_000);
        stage.backend.advance_watermark(99);
        for kind in &by_event {
            assert_eq!(kind.read(&mut stage.backend, 0).must(), "x;", "{}", kind.name());
        }
        for kind in &by_clock {
            assert_eq!(kind.read(&mut stage.backend, 0).must(), "", "{}", kind.name());
            kind.add(&mut stage.backend, 0, "y;").must();
        }
        stage.backend.advance_watermark(100);
        for kind in &by_event {
            assert_eq!(kind.read(&mut stage.backend, 0).must(), "", "{}", kind.name());
        }
        stage.backend.advance_watermark(2_000_000);
        for kind in &by_clock {
            assert_eq!(kind.read(&mut stage.backend, 0).must(), "y;", "{}", kind.name());
        }
        Outcome::Ran
    })
}

/// T4: nothing is born expired: what is written before the first watermark counts as written at it. (75)
pub fn t4_nothing_expires_before_the_first_watermark<F: Fixture>(fixture: &F) -> Outcome {
    for first in [i64::MIN + 1, -5_000, 0, 5_000] {
        let outcome = with_ttl_from(fixture, 7_000, |mut stage| {
            let rule = Some(ttl(100).time(TimeDomain::Event));
            let kinds = every_kind(&mut stage.backend, "s", rule);
            for kind in &kinds {
                kind.add(&mut stage.backend, 0, "x;").must();
                assert_eq!(kind.read(&mut stage.backend, 0).must(), "x;", "{}", kind.name());
            }
            for (watermark, there) in [(first, true), (first + 99, true), (first + 100, false)] {
                stage.backend.advance_watermark(watermark);
                for kind in &kinds {
                    let found = kind.read(&mut stage.backend, 0).must();
                    let what = format!("{} from {first} at {watermark}", kind.name());
                    assert_eq!(found, if there { "x;" } else { "" }, "{what}");
                    assert_eq!(kind.keys(&mut stage.backend, 0).must().len(), usize::from(there));
                }
            }
            Outcome::Ran
        });
        if let Outcome::Skipped(_) = outcome {
            return outcome;
        }
    }
    Outcome::Ran
}

/// T4: there is no watermark at first; it moves ahead alone, and the least of times is none.
pub fn t4_the_watermark_never_goes_back<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    assert_eq!(backend.watermark(), None);
    let (lowest, highest) = (i64::MIN, i64::MAX);
    for (to, expected) in [
        (lowest, None),
        (lowest + 1, Some(lowest + 1)),
        (-5, Some(-5)),
        (-10, Some(-5)),
        (lowest, Some(-5)),
        (7, Some(7)),
        (7, Some(7)),
        (0, Some(7)),
        (highest, Some(highest)),
        (8, Some(highest)),
    ] {
        backend.advance_watermark(to);
        assert_eq!(backend.watermark(), expected, "moved to {to}");
    }
    Outcome::Ran
}

/// T4: the watermark, and which was the first, are there when the backend is opened again, for one that is new to event
/// time too. (75, 100)
pub fn t4_the_watermark_goes_on_when_opened_again<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |mut stage| {
        if !stage.is_durable() {
            return Outcome::Skipped(NOT_DURABLE);
        }
        let rule = Some(ttl(100).time(TimeDomain::Event));
        for kind in every_kind(&mut stage.backend, "s", rule) {
            kind.add(&mut stage.backend, 0, "early;").must();
        }
        // Twice, since the second closing stores what the first had stored.
        for _ in 0..2 {
            stage = stage.reopen_at(fixture, 0);
            assert_eq!(stage.backend.watermark(), None);
        }
        stage.backend.advance_watermark(500);
        for kind in every_kind(&mut stage.backend, "s", rule) {
            kind.add(&mut stage.backend, 1, "at 500;").must();
        }
        stage.backend.advance_watermark(540);
        for kind in every_kind(&mut stage.backend, "s", rule) {
            kind.add(&mut stage.backend, 2, "at 540;").must();
        }
        for _ in 0..2 {
            stage = stage.reopen_at(fixture, 0);
            assert_eq!(stage.backend.watermark(), Some(540));
        }
        let kinds = every_kind(&mut stage.backend, "s", rule);
        for (watermark, expected) in [
            (10, ["early;", "at 500;", "at 540;"]),
            (599, ["early;", "at 500;", "at 540;"]),
            (600, ["", "", "at 540;"]),
            (640, ["", "", ""]),
        ] {
            stage.backend.advance_watermark(watermark);
            for kind in &kinds {
                for (namespace, text) in (0..).zip(expected) {
                    let found = kind.read(&mut stage.backend, namespace).must();
                    assert_eq!(found, text, "{} at {watermark}", kind.name());
                }
            }
        }
        Outcome::Ran
    })
}

/// T4: replaying a stream gives the same: by event time, what is read depends on elements and watermarks alone. (83)
pub fn t4_event_time_replays_alike<F: Fixture>(fixture: &F) -> Outcome {
    with_ttl(fixture, |_| {
        let runs = [0, 12_345, i64::MAX].map(|start| {
            let home = Home::new();
            let clock = ManualClock::new(start);
            let options = BackendOptions::new().clock(clock.clone());
            let mut backend = home.open_with::<F, u64>(fixture, options);
            let value = ValueDescriptor::<u64>::new("value").ttl(ttl(30).time(TimeDomain::Event));
            let value = backend.register_value(&value).must();
            let mut seen = Vec::new();
            for step in 0..200_u32 {
                clock.advance(start / 3);
                backend.set_current_key(&u64::from(step * 7 % 5)).must();
                if step % 3 == 0 {
                    backend.value(&value).must().set(u64::from(step)).must();
                }
                backend.advance_watermark(i64::from(step * 5 - step * 3 % 4));
                seen.push(backend.value(&value).must().get().must());
            }
            seen
        });
        assert!(runs[0] == runs[1] && runs[1] == runs[2]);
        assert!(runs[0].contains(&None) && runs[0].iter().any(Option::is_some));
        Outcome::Ran
    })
}
