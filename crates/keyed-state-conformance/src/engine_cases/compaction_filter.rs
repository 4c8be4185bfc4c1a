//! Compaction filters, on engines that declare them.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use keyed_state_core::{CompactionFilter, CompactionRun, Engine, ErrorKind, Verdict};

use super::support::{get, open, reopen, rows};
use crate::{
    EngineFixture, Outcome,
    support::{Home, Must},
};

const NO_FILTERS: &str = "`compaction_filter` is not declared";

/// Drops rows whose value begins with `dead`, while it is switched on.
#[derive(Clone, Default)]
struct Dead(Arc<AtomicBool>);

impl Dead {
    fn switched_on() -> Self {
        Self(Arc::new(AtomicBool::new(true)))
    }
}

impl CompactionFilter for Dead {
    fn start(&self) -> Box<dyn CompactionRun> {
        Box::new(DeadRun(self.0.load(Ordering::SeqCst)))
    }
}

struct DeadRun(bool);

impl CompactionRun for DeadRun {
    fn verdict(&mut self, _: &[u8], value: &[u8]) -> Verdict {
        if self.0 && value.starts_with(b"dead") { Verdict::Drop } else { Verdict::Keep }
    }
}

/// What a filter drops is gone after a compaction, from memtables, younger and older files alike, and opened again too;
/// what it keeps, and what is in other tables, stays. Undeclared, setting one answers `Unsupported`. (80)
pub fn a_compaction_drops_what_the_filter_says<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let capabilities = engine.capabilities();
    if !capabilities.compaction_filter {
        let set = engine.set_compaction_filter(table, Arc::new(Dead::switched_on()));
        set.must_fail(ErrorKind::Unsupported);
        return Outcome::Skipped(NO_FILTERS);
    }
    let other = engine.open_table("other").must();
    let filter = Dead::default();
    engine.set_compaction_filter(table, Arc::new(filter.clone())).must();
    let kept = [(vec![0xFF], b"live".to_vec())];
    for round in 0..4_u8 {
        for n in 0..200_u8 {
            engine.put(table, &[round, n], b"dead").must();
            engine.put(other, &[round, n], b"dead").must();
        }
        engine.put(table, &kept[0].0, &kept[0].1).must();
        // Switched off meanwhile, so that there are rows in old files, young ones and the memtable.
        match round {
            0 if capabilities.compact => engine.compact().must(),
            1 => engine.flush().must(),
            _ => {}
        }
    }
    assert_eq!(rows(&engine, table).len(), 801);
    if !capabilities.compact {
        return Outcome::Skipped(crate::support::NO_COMPACTION);
    }
    filter.0.store(true, Ordering::SeqCst);
    engine.compact().must();
    assert_eq!(rows(&engine, table), kept);
    assert_eq!(rows(&engine, other).len(), 800);
    // Nothing was dropped by looking: a row put later stays until the next compaction.
    engine.put(table, b"later", b"dead").must();
    assert_eq!(get(&engine, table, b"later").must().as_deref(), Some(b"dead".as_slice()));
    engine.compact().must();
    assert_eq!(rows(&engine, table), kept);
    if capabilities.durable {
        let (engine, table) = reopen(fixture, &home, engine);
        assert_eq!(rows(&engine, table), kept);
    }
    Outcome::Ran
}

/// A dropped row is as if deleted: no older value of its key comes back, whatever lay where, opened again too. (11)
pub fn no_older_value_comes_back_for_a_dropped_row<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let capabilities = engine.capabilities();
    if !capabilities.compaction_filter || !capabilities.compact {
        return Outcome::Skipped(NO_FILTERS);
    }
    engine.set_compaction_filter(table, Arc::new(Dead::switched_on())).must();
    for n in 0..200_u8 {
        engine.put(table, &[n], b"live: an older value").must();
    }
    engine.compact().must();
    for n in 0..200_u8 {
        engine.put(table, &[n], b"live: a younger value").must();
    }
    engine.flush().must();
    for n in 100..200_u8 {
        engine.put(table, &[n], b"dead").must();
    }
    for _ in 0..2 {
        engine.compact().must();
        let left = rows(&engine, table);
        assert_eq!(left.len(), 100, "{left:02x?}");
        assert!(left.iter().all(|(key, value)| key[0] < 100 && value.ends_with(b"younger value")));
    }
    if capabilities.durable {
        let (engine, table) = reopen(fixture, &home, engine);
        assert_eq!(rows(&engine, table).len(), 100);
    }
    Outcome::Ran
}

/// However often an engine is opened again, what its filters dropped stays away: no journal is replayed for it. (11)
pub fn a_dropped_row_stays_away_over_many_openings<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, mut table) = open(fixture, &home);
    let capabilities = engine.capabilities();
    if !capabilities.compaction_filter || !capabilities.compact || !capabilities.durable {
        return Outcome::Skipped(NO_FILTERS);
    }
    let live = [(b"live".to_vec(), b"live".to_vec())];
    engine.put(table, &live[0].0, &live[0].1).must();
    for round in 0..25_u8 {
        // Every other round leaves the table without its filter, as a state that nobody registers.
        if round % 2 == 0 {
            engine.set_compaction_filter(table, Arc::new(Dead::switched_on())).must();
            if round % 8 == 0 {
                engine.put(table, &[round], b"dead").must();
                engine.compact().must();
                assert_eq!(rows(&engine, table), live, "round {round}");
            }
        }
        (engine, table) = reopen(fixture, &home, engine);
        assert_eq!(rows(&engine, table), live, "round {round}");
    }
    Outcome::Ran
}

/// Opened again, an engine drops nothing before its filter is set, and then what was there before too.
pub fn rows_stay_until_the_filter_is_set<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let capabilities = engine.capabilities();
    if !capabilities.compaction_filter || !capabilities.compact || !capabilities.durable {
        return Outcome::Skipped(NO_FILTERS);
    }
    engine.set_compaction_filter(table, Arc::new(Dead::switched_on())).must();
    for n in 0..100_u8 {
        engine.put(table, &[n], b"dead").must();
    }
    let (mut engine, table) = reopen(fixture, &home, engine);
    engine.compact().must();
    assert_eq!(rows(&engine, table).len(), 100);
    engine.set_compaction_filter(table, Arc::new(Dead::switched_on())).must();
    engine.compact().must();
    assert_eq!(rows(&engine, table), []);
    Outcome::Ran
}

/// A filter that panics loses no row, and the engine goes on.
pub fn a_panicking_filter_loses_nothing<F: EngineFixture>(fixture: &F) -> Outcome {
    struct Panics;

    impl CompactionFilter for Panics {
        fn start(&self) -> Box<dyn CompactionRun> {
            Box::new(Self)
        }
    }

    impl CompactionRun for Panics {
        fn verdict(&mut self, _: &[u8], _: &[u8]) -> Verdict {
            panic!("this filter panics, as it should");
        }
    }

    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    let capabilities = engine.capabilities();
    if !capabilities.compaction_filter || !capabilities.compact {
        return Outcome::Skipped(NO_FILTERS);
    }
    engine.set_compaction_filter(table, Arc::new(Panics)).must();
    for n in 0..100_u8 {
        engine.put(table, &[n], b"dead").must();
    }
    engine.compact().must();
    assert_eq!(rows(&engine, table).len(), 100);
    engine.put(table, b"more", b"").must();
    assert_eq!(rows(&engine, table).len(), 101);
    Outcome::Ran
}
