//! What this crate uses of RocksDB and its forks lack, in one place: the rest of the adapter
//! compiles against any of them.

use keyed_state_core::{Error, ErrorKind, Result};
use rocksdb::{Cache, FlushOptions, Options, WaitForCompactOptions, WriteBufferManager};

use crate::{
    RocksConfig,
    table::{Database, Table},
};

/// The engine's name in messages.
pub(crate) const ENGINE: &str = "RocksDB";

/// Returns `options` with one option set that has a name but no setter.
///
/// Works on a copy. What the options share (block cache, write buffer manager) is counted by
/// reference on the C++ side and goes with it.
pub(crate) fn with_native_option(
    options: &mut Options,
    name: &str,
    value: &str,
) -> Result<Options> {
    options.get_options_from_string(format!("{name}={value}")).map_err(|error| {
        Error::new(ErrorKind::InvalidArgument, format!("{ENGINE} does not take {name}={value}"))
            .with_source(error)
    })
}

/// Limits what all memtables take together, and charges it to `cache`.
pub(crate) fn limit_write_buffers(options: &mut Options, bytes: usize, cache: Cache) {
    let manager = WriteBufferManager::new_write_buffer_manager_with_cache(bytes, false, cache);
    options.set_write_buffer_manager(&manager);
}

/// Sets what not every fork can.
pub(crate) fn without_setter(mut options: Options, config: &RocksConfig) -> Result<Options> {
    // Files that a closed scan was the last to need are deleted in the background.
    options.set_avoid_unnecessary_blocking_io(true);
    // Dropped without `close`, a database goes without a flush: nothing else is promised.
    let mut options = with_native_option(&mut options, "avoid_flush_during_shutdown", "true")?;
    // Only here, at opening: set on a live database, the memtables in use would not know of it.
    let deletions = config.memtable_max_range_deletions.to_string();
    with_native_option(&mut options, "memtable_max_range_deletions", &deletions)
}

/// Flushes all of `tables`, as of one instant, and waits.
pub(crate) fn flush(db: &Database, tables: &[Table]) -> Result<(), rocksdb::Error> {
    if tables.is_empty() {
        return Ok(());
    }
    let handles: Vec<_> = tables.iter().map(Table::handle).collect();
    db.flush_cfs_opt(&handles, &FlushOptions::default())
}

/// Waits for all flushes and compactions; returns the error that stopped one of them.
pub(crate) fn wait_for_background_jobs(db: &Database) -> Result<(), rocksdb::Error> {
    db.wait_for_compact(&WaitForCompactOptions::default())
}
