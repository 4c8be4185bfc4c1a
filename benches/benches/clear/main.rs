//! What `clear` costs, and what it does to later reads: the question that FLINK-28010 left open.
//!
//! `cargo bench -p keyed-state-benches --features rocksdb --bench clear -- --svg clear.svg`
//!
//! On RocksDB, by strategy: clears of full maps of 1 to 10,000 entries; one read after many clears; reads
//! of live maps after 0, 1, 10 and 50 % of the maps were cleared; and a window loop by the second.

#[cfg(feature = "rocksdb")]
mod rocksdb;

fn main() {
    #[cfg(feature = "rocksdb")]
    rocksdb::main();
    #[cfg(not(feature = "rocksdb"))]
    println!("nothing to run: switch on the feature `rocksdb`");
}
