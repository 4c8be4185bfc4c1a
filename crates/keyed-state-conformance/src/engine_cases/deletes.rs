//! `delete_range`.

use keyed_state_core::{Direction, Engine, KeyRange, TableId, prefix_successor};

use super::support::{Row, bounds, keys, open, rows, scan};
use crate::{
    EngineFixture, Outcome,
    support::{Home, Must},
};

/// Runs `delete_range` for all pairs of bounds on full tables; `settle` runs between the puts and the deletion.
fn expect_exact_ranges<E: Engine>(engine: &mut E, mut settle: impl FnMut(&mut E, TableId)) {
    let keys = keys();
    let bounds = bounds();
    let all: Vec<Row> = keys.iter().map(|key| (key.clone(), key.clone())).collect();
    let mut fresh = 0;
    for start in &bounds {
        // A table for each start, so that earlier deletions are there to disturb and yet are few.
        fresh += 1;
        let table = engine.open_table(&format!("t{}", fresh % 6)).must();
        let ends = bounds.iter().step_by(2).map(|end| Some(end.as_slice()));
        for end in ends.chain([None]) {
            for (key, value) in &all {
                engine.put(table, key, value).must();
            }
            settle(engine, table);
            let range = KeyRange::new(start, end);
            engine.delete_range(table, range).must();
            let left: Vec<Row> =
                all.iter().filter(|(key, _)| !range.contains(key)).cloned().collect();
            assert_eq!(rows(engine, table), left, "after {range:?} was deleted");
        }
    }
}

/// `delete_range` takes exactly its range, for all pairs of bounds; an empty range takes nothing. (4, 23, 25)
pub fn delete_range_takes_exactly_its_range<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, _) = open(fixture, &home);
    expect_exact_ranges(&mut engine, |_, _| {});
    Outcome::Ran
}

/// The same where other single keys were deleted before.
pub fn delete_range_takes_exactly_its_range_among_deletes<F: EngineFixture>(
    fixture: &F,
) -> Outcome {
    let home = Home::new();
    let (mut engine, _) = open(fixture, &home);
    expect_exact_ranges(&mut engine, |engine, table| {
        for key in [&[0x01][..], &[0x61, 0xFF], &[0xFF, 0x01]] {
            engine.delete(table, key).must();
            engine.put(table, key, key).must();
        }
    });
    Outcome::Ran
}

/// What is put after `delete_range` is there, in memory, flushed and compacted. (7, 17, 19)
pub fn what_is_put_after_delete_range_is_there<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    for round in 0..6_u8 {
        for n in 0..100 {
            engine.put(table, &[n], &[round]).must();
        }
        if round % 2 == 1 {
            engine.flush().must();
        }
        engine.delete_range(table, KeyRange::new(&[10], Some(&[90]))).must();
        for n in [9, 10, 50, 89, 90] {
            engine.put(table, &[n], &[round, n]).must();
        }
        let expected: Vec<Row> = (0..100)
            .filter(|n| *n <= 10 || *n >= 89 || *n == 50)
            .map(|n| {
                let new = [9, 10, 50, 89, 90].contains(&n);
                (vec![n], if new { vec![round, n] } else { vec![round] })
            })
            .collect();
        assert_eq!(rows(&engine, table), expected, "round {round}");
        engine.flush().must();
        assert_eq!(rows(&engine, table), expected, "round {round}, flushed");
        if engine.capabilities().compact && round % 3 == 2 {
            engine.compact().must();
            assert_eq!(rows(&engine, table), expected, "round {round}, compacted");
        }
    }
    Outcome::Ran
}

/// Overlapping and repeated deletions of ranges take what either covers, single rows read included. (2, 19)
pub fn overlapping_delete_ranges_take_their_union<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    for n in 0..=255 {
        engine.put(table, &[n], &[n]).must();
        if n % 100 == 99 {
            engine.flush().must();
        }
    }
    for start in (0..200).step_by(20) {
        engine.delete_range(table, KeyRange::new(&[start], Some(&[start + 15]))).must();
        engine.delete_range(table, KeyRange::new(&[start + 5], Some(&[start + 18]))).must();
    }
    let kept = |n: u8| n >= 200 || n % 20 >= 18;
    let expected: Vec<Row> = (0..=255).filter(|n| kept(*n)).map(|n| (vec![n], vec![n])).collect();
    assert_eq!(rows(&engine, table), expected);
    for n in 0..=255 {
        assert_eq!(engine.get(table, &[n], &mut |_| {}).must(), kept(n), "{n}");
    }
    Outcome::Ran
}

/// Thousands of deletions of small prefixes leave every other prefix. (1, 2, 21)
pub fn many_delete_ranges_leave_their_neighbours<F: EngineFixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let (mut engine, table) = open(fixture, &home);
    for n in 0..3000_u16 {
        let prefix = n.to_be_bytes();
        for suffix in 0..3 {
            engine.put(table, &[&prefix[..], &[suffix]].concat(), b"v").must();
        }
        if n % 3 != 0 {
            let end = prefix_successor(&prefix);
            engine.delete_range(table, KeyRange::new(&prefix, end.as_deref())).must();
        }
    }
    let left = scan(&engine, table, KeyRange::ALL, Direction::Forward).must();
    assert_eq!(left.len(), 3000);
    for n in 0..3000_u16 {
        let key = [&n.to_be_bytes()[..], &[1]].concat();
        assert_eq!(engine.get(table, &key, &mut |_| {}).must(), n % 3 == 0, "prefix {n}");
    }
    Outcome::Ran
}
