//! Large values, and more data than the write buffers hold.
#![allow(clippy::unwrap_used, reason = "an error here is a failed test")]

mod support;

use keyed_state_core::{Engine, KeyRange, WriteBatch};
use keyed_state_fjall::FjallEngine;
use support::{all, close, config, disk_bytes, get, open};

fn large(seed: u8) -> Vec<u8> {
    (0..1_u32 << 20).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8 ^ seed).collect()
}

fn byte(index: usize) -> u8 {
    u8::try_from(index).unwrap()
}

#[test]
fn values_of_a_mebibyte_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = open(folder.path());
    let table = engine.open_table("t").unwrap();
    engine.put(table, b"single", &large(1)).unwrap();
    let mut batch = WriteBatch::new();
    batch.put(table, b"batch", &large(2));
    engine.write(&batch).unwrap();
    let check = |engine: &FjallEngine| {
        assert!(get(engine, table, b"single").unwrap() == large(1));
        assert!(get(engine, table, b"batch").unwrap() == large(2));
        assert_eq!(all(engine, table).len(), 2);
    };
    check(&engine);
    engine.compact().unwrap();
    check(&engine);
    engine.put(table, b"single", &large(1)).unwrap();
    close(engine);
    let mut engine = open(folder.path());
    assert_eq!(engine.open_table("t").unwrap(), table);
    check(&engine);
    close(engine);
}

/// fjall would hold up to 64 MiB in each state before it writes anything out.
#[test]
fn all_states_share_one_write_buffer() {
    const TABLES: usize = 12;
    const ROUNDS: u32 = 300;
    let folder = tempfile::tempdir().unwrap();
    let config = config().write_buffer_bytes(1 << 20);
    let mut engine = FjallEngine::open(folder.path(), &config).unwrap();
    let tables: Vec<_> =
        (0..TABLES).map(|table| engine.open_table(&format!("t{table}")).unwrap()).collect();
    let mut batch = WriteBatch::new();
    for round in 0..ROUNDS {
        for (index, table) in tables.iter().enumerate() {
            let value = vec![byte(index); 1000];
            match round % 3 {
                0 => batch.put(*table, &round.to_be_bytes(), &value),
                _ => engine.put(*table, &round.to_be_bytes(), &value).unwrap(),
            }
        }
        engine.write(&batch).unwrap();
        batch.clear();
    }
    // 3.6 MB were written and a state has 0.3 MB: without a common limit, all would be in memory.
    let written_out = disk_bytes(&folder.path().join("keyspaces"));
    assert!(written_out > 100_000, "{written_out} bytes");
    let check = |engine: &FjallEngine| {
        for (index, table) in tables.iter().enumerate() {
            let entries = all(engine, *table);
            assert_eq!(entries.len(), ROUNDS as usize);
            assert!(entries.iter().all(|(_, value)| value[..] == vec![byte(index); 1000][..]));
        }
    };
    check(&engine);
    close(engine);
    let mut engine = FjallEngine::open(folder.path(), &config).unwrap();
    for (index, table) in tables.iter().enumerate() {
        assert_eq!(engine.open_table(&format!("t{index}")).unwrap(), *table);
    }
    check(&engine);
    for table in &tables {
        engine.delete_range(*table, KeyRange::ALL).unwrap();
        assert!(all(&engine, *table).is_empty());
    }
    close(engine);
}
