//! Stored rows that are not what was written: an error that names the service, or an answer, but no panic.

use proptest::prelude::*;

use super::Backend;
use crate::{Engine, ErrorKind, Result, WriteBatch, timers::services::Limits};

#[derive(Clone, Debug)]
enum Damage {
    Lose,
    Cut(usize),
    Flip(usize, u8),
    Append(Vec<u8>),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        Just(Damage::Lose),
        any::<usize>().prop_map(Damage::Cut),
        (any::<usize>(), 1_u8..).prop_map(|(at, by)| Damage::Flip(at, by)),
        prop::collection::vec(any::<u8>(), 1..9).prop_map(Damage::Append),
    ]
}

fn use_all(backend: &mut Backend<String>) -> Result<()> {
    let key = "key 7".to_owned();
    backend.at(key).timers("rows")?.remove(7, &7_u64)?;
    let mut timers = backend.timers::<u64>("rows")?;
    timers.len()?;
    timers.all()?;
    timers.register(3, &4)?;
    timers.next_due()?;
    timers.advance_to(i64::MAX)?;
    while timers.pop_due()?.is_some() {}
    backend.save()
}

proptest! {
    #[test]
    fn f2_damaged_rows_are_errors(row in any::<usize>(), damage in damage()) {
        let limits = Limits { bucket_bytes: 300, least_bytes: 0, step_bytes: usize::MAX };
        let mut backend = Backend::with_limits(limits, 0);
        for n in 0..60_u64 {
            let time = i64::try_from(n * 37 % 60).unwrap();
            backend.at(format!("key {n}")).timers("rows").unwrap().register(time, &n).unwrap();
        }
        backend.reopen().unwrap();
        let rows = backend.engine.as_mut().unwrap().tables_mut().next().unwrap();
        let key = rows.keys().nth(row % rows.len()).unwrap().clone();
        let value = rows.get_mut(&key).unwrap();
        match damage {
            Damage::Lose => drop(rows.remove(&key)),
            Damage::Cut(at) => value.truncate(at % value.len()),
            Damage::Flip(at, by) => {
                let at = at % value.len();
                value[at] ^= by;
            }
            Damage::Append(bytes) => value.extend(bytes),
        }
        if let Err(error) = use_all(&mut backend) {
            prop_assert!(
                matches!(error.kind(), ErrorKind::Codec | ErrorKind::StateMismatch),
                "{error:?}"
            );
            prop_assert!(error.to_string().starts_with("timer service \"rows\": "), "{error}");
        }
    }
}

/// Each timer of a row costs three bytes but may stand for 60,000 that it shares with the one before.
#[test]
fn f2_shared_bytes_cannot_fill_the_memory() {
    let mut backend = Backend::real(0);
    let key = vec![0_u8; 60_000];
    backend.at(key).timers("t").unwrap().register(1, &0_u64).unwrap();
    backend.reopen().unwrap();
    let rows = backend.engine.as_mut().unwrap().tables_mut().next().unwrap();
    let row = rows.iter_mut().find(|(key, _)| key[0] == b'b').unwrap().1;
    let timer_bytes = 8 + 2 + 3 + 60_000 + 8_u64;
    for n in 1..=255 {
        crate::varint::encode((timer_bytes - 1) << 1, row);
        row.extend_from_slice(&[1, n]);
    }
    let error = backend.timers::<u64>("t").unwrap().next_due().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Codec);
    assert!(error.to_string().contains("more than was written"), "{error}");
}

#[test]
fn f2_a_timer_that_does_not_decode_stays() {
    let mut backend = Backend::<String>::real(0);
    backend.at("ab".to_owned()).timers("t").unwrap().register(1, &()).unwrap();
    backend.reopen().unwrap();
    let mut damaged = WriteBatch::new();
    let engine = backend.engine.as_mut().unwrap();
    let table = engine.open_table("timer.t").unwrap();
    let rows = engine.tables_mut().next().unwrap();
    let (key, row) = rows.iter().find(|(key, _)| key[0] == b'b').unwrap();
    let mut row = row.clone();
    *row.last_mut().unwrap() = 0xFF;
    damaged.put(table, key, &row);
    engine.write(&damaged).unwrap();
    for _ in 0..2 {
        let mut timers = backend.timers::<()>("t").unwrap();
        timers.advance_to(1).unwrap();
        assert_eq!(timers.pop_due().unwrap_err().kind(), ErrorKind::Codec);
        assert_eq!(timers.len().unwrap(), 1);
    }
}
