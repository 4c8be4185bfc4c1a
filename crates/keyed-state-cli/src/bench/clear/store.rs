use std::{hint::black_box, path::Path};

use keyed_state::{
    BackendOptions, ClearStrategy, ClearedMaps, EngineBackend, KeyedStateBackend,
    KeyedStateBackendExt, MapDescriptor, MapId, MapState, Result,
};
use tempfile::TempDir;

use super::OpenEngine;
use crate::CliError;

/// A database that is measured: one map state, in a directory of its own.
pub(crate) struct Store<E> {
    backend: EngineBackend<u64, E>,
    id: MapId<u64, u64>,
    /// The most that was remembered of clears whenever it was looked at.
    peak: ClearedMaps,
    dir: TempDir,
}

impl<E: OpenEngine> Store<E> {
    /// Opens an empty one in a new directory inside `scratch`.
    pub(crate) fn open(scratch: &Path, strategy: ClearStrategy) -> Result<Self, CliError> {
        let dir = new_dir(scratch)?;
        let open = || {
            let options = BackendOptions::new().clear_strategy(strategy);
            let mut backend = EngineBackend::open(E::open_in(dir.path())?, options)?;
            let id = backend.register_map(&MapDescriptor::new("maps"))?;
            Ok((backend, id))
        };
        let (backend, id) = open().map_err(|source| CliError::State {
            during: format!("opening {}", dir.path().display()),
            source,
        })?;
        Ok(Self { backend, id, peak: ClearedMaps::default(), dir })
    }

    /// Puts `entries` entries into the map of each of `keys`.
    pub(crate) fn fill(&mut self, keys: impl IntoIterator<Item = u64>, entries: u64) -> Result<()> {
        for key in keys {
            self.backend.set_current_key(&key)?;
            self.backend.map(&self.id)?.put_all((0..entries).map(|entry| (entry, key)))?;
        }
        Ok(())
    }

    pub(crate) fn clear(&mut self, key: u64) -> Result<()> {
        self.backend.set_current_key(&key)?;
        self.backend.map(&self.id)?.clear()
    }

    pub(crate) fn get(&mut self, key: u64, entry: u64) -> Result<Option<u64>> {
        self.backend.set_current_key(&key)?;
        self.backend.map(&self.id)?.get(&entry)
    }

    /// Reads a map from its beginning to its end, and returns how many entries it has.
    pub(crate) fn iterate(&mut self, key: u64) -> Result<u64> {
        self.backend.set_current_key(&key)?;
        let mut count = 0;
        for entry in self.backend.map(&self.id)?.iter()? {
            black_box(entry?);
            count += 1;
        }
        Ok(count)
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.backend.flush()
    }

    pub(crate) fn compact(&mut self) -> Result<()> {
        self.backend.compact()
    }

    /// Returns what is remembered of clears now, and notes it for [`peak_bytes`](Self::peak_bytes).
    pub(crate) fn remembered(&mut self) -> ClearedMaps {
        let now = self.backend.cleared_maps();
        if now.bytes > self.peak.bytes {
            self.peak = now;
        }
        now
    }

    pub(crate) fn peak_bytes(&self) -> usize {
        self.peak.bytes
    }

    /// Closes the database and hands its directory back, whose removal is nothing to be measured.
    pub(crate) fn close(self) -> Result<TempDir> {
        self.backend.close()?;
        Ok(self.dir)
    }

    /// Closes the database and removes it.
    pub(crate) fn remove(self) -> Result<(), CliError> {
        let dir = self
            .close()
            .map_err(|source| CliError::State { during: "closing a database".into(), source })?;
        dir.close().map_err(CliError::Cleanup)
    }
}

/// Makes a directory that is removed again, inside `scratch`.
pub(crate) fn new_dir(scratch: &Path) -> Result<TempDir, CliError> {
    tempfile::Builder::new()
        .prefix("keyed-state-bench-")
        .tempdir_in(scratch)
        .map_err(|source| CliError::Scratch { path: scratch.to_path_buf(), source })
}
