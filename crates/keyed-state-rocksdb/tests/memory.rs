//! Block cache and write buffers of all tables keep to one budget.

use keyed_state_core::Engine;
use keyed_state_rocksdb::{RocksConfig, RocksEngine};

#[test]
fn all_tables_share_one_budget() {
    const BUDGET: usize = 4 << 20;
    let directory = tempfile::tempdir().unwrap();
    let config = RocksConfig::new().memory_budget_bytes(BUDGET);
    let mut engine = RocksEngine::open(directory.path(), &config).unwrap();
    let tables: Vec<_> =
        (0..8).map(|n| engine.open_table(&format!("table-{n}")).unwrap()).collect();
    let number = |text: Option<String>| text.unwrap().parse::<usize>().unwrap();
    for table in &tables {
        let capacity = engine.table_property(*table, "rocksdb.block-cache-capacity").unwrap();
        assert_eq!(number(capacity), BUDGET);
    }
    let mut most_unflushed = 0;
    for n in 0..40_000_u32 {
        let table = tables[(n % 8) as usize];
        engine.put(table, &n.to_be_bytes(), &[n.to_le_bytes()[0]; 500]).unwrap();
        if n % 500 == 0 {
            let unflushed = tables.iter().map(|table| {
                let property = "rocksdb.cur-size-active-mem-table";
                number(engine.table_property(*table, property).unwrap())
            });
            most_unflushed = most_unflushed.max(unflushed.sum());
        }
    }
    assert!(most_unflushed > BUDGET / 8, "only {most_unflushed} bytes were ever unflushed");
    assert!(most_unflushed <= BUDGET / 2 + BUDGET / 8, "{most_unflushed} bytes were unflushed");
    for n in (0..40_000_u32).step_by(7) {
        let table = tables[(n % 8) as usize];
        assert!(engine.get(table, &n.to_be_bytes(), &mut |_| ()).unwrap());
    }
    // Each of the cache's shards may run over by a block while it is read.
    let used = number(engine.property("rocksdb.block-cache-usage").unwrap());
    assert!(used > BUDGET / 4, "the cache holds only {used} bytes");
    assert!(used <= BUDGET + BUDGET / 4, "the cache holds {used} bytes");
}

/// FLINK-19238: with many states in a small budget, the memory that a memtable takes at its first
/// write was so much that each write flushed one, and files came by the thousand.
#[test]
fn many_tables_in_a_small_budget_do_not_flush_at_every_write() {
    let directory = tempfile::tempdir().unwrap();
    let config = RocksConfig::new().memory_budget_bytes(8 << 20);
    let mut engine = RocksEngine::open(directory.path(), &config).unwrap();
    let tables: Vec<_> =
        (0..50).map(|n| engine.open_table(&format!("table-{n}")).unwrap()).collect();
    for n in 0..5_000_u32 {
        engine.put(tables[(n % 50) as usize], &n.to_be_bytes(), b"small").unwrap();
    }
    let unflushed = tables.iter().map(|table| {
        let entries = engine.table_property(*table, "rocksdb.num-entries-active-mem-table");
        entries.unwrap().unwrap().parse::<u32>().unwrap()
    });
    assert_eq!(unflushed.sum::<u32>(), 5_000);
}
