use std::path::Path;

use keyed_state_conformance::Fixture;
use keyed_state_core::{BackendOptions, Result, StateKey};
use keyed_state_memory::MemoryBackend;

/// The typed backend in memory.
#[derive(Clone, Copy, Debug)]
pub struct Memory;

impl Fixture for Memory {
    type Backend<K: StateKey> = MemoryBackend<K>;

    fn open<K: StateKey>(&self, _: &Path, options: BackendOptions) -> Result<MemoryBackend<K>> {
        MemoryBackend::open(options)
    }
}
