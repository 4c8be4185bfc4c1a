//! A wrapped backend keeps the contract of the one inside.

use std::path::Path;

use keyed_state_conformance::{Fixture, reference::TreeEngine};
use keyed_state_core::{BackendOptions, EngineBackend, Result, StateKey};
use keyed_state_memory::MemoryBackend;
use keyed_state_metrics::Instrumented;

struct OnHeap;

impl Fixture for OnHeap {
    type Backend<K: StateKey> = Instrumented<MemoryBackend<K>>;

    fn open<K: StateKey>(&self, _: &Path, options: BackendOptions) -> Result<Self::Backend<K>> {
        Ok(Instrumented::new(MemoryBackend::open(options)?, "test"))
    }
}

struct OnTree;

impl Fixture for OnTree {
    type Backend<K: StateKey> = Instrumented<EngineBackend<K, TreeEngine>>;

    fn open<K: StateKey>(&self, dir: &Path, options: BackendOptions) -> Result<Self::Backend<K>> {
        let backend = EngineBackend::open(TreeEngine::open(dir)?, options)?;
        Ok(Instrumented::new(backend, "test").sampling(2))
    }
}

mod heap {
    use super::OnHeap;

    keyed_state_conformance::conformance_suite!(OnHeap);
}

mod tree {
    use super::OnTree;

    keyed_state_conformance::conformance_suite!(OnTree);
}
