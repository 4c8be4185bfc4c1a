//! fjall bounds the memtable of each keyspace, but not their sum, and waits without end when memtables
//! pile up while its workers are gone. Both are mended here, and manual compaction added, with items that
//! fjall exports but hides from its documentation: `Keyspace::{tree, rotate_memtable, major_compact}`,
//! `Database::visible_seqno` and the trait `AbstractTree`. They may change with any minor version, hence
//! the tilde requirement on fjall.

use fjall::{AbstractTree, Database, Keyspace, PersistMode, Result};

use crate::filters::anchor;

/// What a memtable counts for an entry beyond its key and value, about.
const ENTRY_OVERHEAD_BYTES: u64 = 64;

/// How many times the memtables are measured while they fill up.
const MEASUREMENTS: u64 = 16;

/// Keeps the memtables of all keyspaces together within a limit.
#[derive(Debug)]
pub(crate) struct WriteBuffers {
    /// What memtables that are written to may hold; those being written out may hold as much again.
    active_limit_bytes: u64,
    /// Written since the memtables were last measured, which costs too much to do at every write.
    unmeasured_bytes: u64,
    /// Memtables that may still be on their way to disk: index of the keyspace, and size.
    sealed: Vec<(usize, u64)>,
    /// Indexes of the keyspaces that compactions drop rows of.
    filtered: Vec<usize>,
}

impl WriteBuffers {
    pub(crate) fn new(limit_bytes: u64) -> Self {
        Self {
            active_limit_bytes: limit_bytes / 2,
            unmeasured_bytes: 0,
            sealed: Vec::new(),
            filtered: Vec::new(),
        }
    }

    /// Notes that compactions drop rows of the keyspace.
    pub(crate) fn has_filter(&mut self, keyspace: usize) {
        if !self.filtered.contains(&keyspace) {
            self.filtered.push(keyspace);
        }
    }

    /// Writes out the keyspaces that compactions drop rows of, and sees to it that the journal is not replayed for what the
    /// filters have dropped.
    pub(crate) fn anchor_all(&self, database: &Database, keyspaces: &[Keyspace]) -> Result<()> {
        for keyspace in self.filtered.iter().map(|index| &keyspaces[*index]) {
            anchor_in_file(database, keyspace)?;
        }
        Ok(())
    }

    /// Makes room for `entries` with `bytes` in all their keys and values. Waits while too much is being
    /// written out.
    pub(crate) fn make_room(
        &mut self,
        database: &Database,
        keyspaces: &[Keyspace],
        entries: usize,
        bytes: usize,
    ) -> Result<()> {
        self.unmeasured_bytes += bytes as u64 + entries as u64 * ENTRY_OVERHEAD_BYTES;
        if self.unmeasured_bytes < self.active_limit_bytes / MEASUREMENTS {
            return Ok(());
        }
        self.rotate_if_full(database, keyspaces)?;
        self.unmeasured_bytes = 0;
        Ok(())
    }

    #[cold]
    fn rotate_if_full(&mut self, database: &Database, keyspaces: &[Keyspace]) -> Result<()> {
        let sizes = || keyspaces.iter().map(|keyspace| keyspace.tree.active_memtable().size());
        let total: u64 = sizes().sum();
        let largest = sizes().enumerate().max_by_key(|(_, size)| *size);
        let Some((index, size)) = largest.filter(|_| total >= self.active_limit_bytes) else {
            return Ok(());
        };
        self.sealed.retain(|(index, _)| keyspaces[*index].tree.sealed_memtable_count() > 0);
        let sealed_bytes: u64 = self.sealed.iter().map(|(_, size)| size).sum();
        let keyspace = &keyspaces[index];
        // Two in one keyspace are as many as may be: at four, fjall makes writers sleep.
        if sealed_bytes + size > self.active_limit_bytes
            || keyspace.tree.sealed_memtable_count() > 1
        {
            for (index, _) in &self.sealed {
                write_out(database, &keyspaces[*index])?;
            }
            write_out(database, keyspace)?;
            self.sealed.clear();
        }
        keyspace.rotate_memtable()?;
        self.sealed.push((index, size));
        // Lest one that nobody writes to any more keeps the journals.
        self.filtered.iter().try_for_each(|index| anchor(&keyspaces[*index]))
    }
}

/// Writes the sealed memtables of `keyspace` to disk, on this thread or by waiting for the worker that
/// is at it.
///
/// Needs the engine mutably, since it drops versions that an open cursor might read.
pub(crate) fn write_out(database: &Database, keyspace: &Keyspace) -> Result<()> {
    if keyspace.tree.sealed_memtable_count() == 0 {
        return Ok(());
    }
    // Before the data: after a crash, part of a batch would otherwise be there without the rest of it.
    database.persist(PersistMode::SyncAll)?;
    let lock = keyspace.tree.get_flush_lock();
    keyspace.tree.flush(&lock, oldest_read(database))?;
    forget_old_versions(database, keyspace)
}

/// Rewrites all files of `keyspace`, with what its memtables hold.
///
/// Needs the engine mutably, like [`write_out`].
pub(crate) fn compact(database: &Database, keyspace: &Keyspace) -> Result<()> {
    keyspace.rotate_memtable()?;
    write_out(database, keyspace)?;
    let newest = keyspace.tree.get_highest_persisted_seqno();
    keyspace.tree.major_compact(TABLE_TARGET_BYTES, oldest_read(database))?;
    if keyspace.tree.get_highest_persisted_seqno() < newest {
        anchor_in_file(database, keyspace)?;
    }
    forget_old_versions(database, keyspace)
}

fn anchor_in_file(database: &Database, keyspace: &Keyspace) -> Result<()> {
    anchor(keyspace)?;
    keyspace.rotate_memtable()?;
    write_out(database, keyspace)
}

/// The size that fjall gives the files of a level by default.
const TABLE_TARGET_BYTES: u64 = 64_000_000;

/// Of entries with lower sequence numbers, only the newest of each key is read by anyone.
///
/// fjall keeps such a mark of its own, but moves it now and then only; here no cursor is open. One less
/// than the next write's is what it uses too.
fn oldest_read(database: &Database) -> u64 {
    database.visible_seqno().saturating_sub(1)
}

/// Releases memtables and files that only earlier versions of `keyspace` hold. fjall keeps them until the
/// next memtable is full, which after a compaction may be never.
fn forget_old_versions(database: &Database, keyspace: &Keyspace) -> Result<()> {
    let mut versions = keyspace.tree.get_version_history_lock();
    Ok(versions.maintenance(keyspace.path(), database.visible_seqno())?)
}
