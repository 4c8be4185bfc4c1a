//! A closed backend cannot be used (contract F3; pain point 107).

use keyed_state_conformance::reference::TreeEngine;
use keyed_state_core::{
    EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MapId, MapState, Result,
};
use keyed_state_memory::MemoryBackend;

fn generic<B: KeyedStateBackend<Key = String>>(mut state: B, id: MapId<String, u64>) -> Result<()> {
    state.close()?;
    state.map(&id)?.clear()?;
    Ok(())
}

fn engine(mut state: EngineBackend<String, TreeEngine>, id: MapId<String, u64>) -> Result<()> {
    state.close()?;
    state.map(&id)?.clear()?;
    Ok(())
}

fn memory(mut state: MemoryBackend<String>, id: MapId<String, u64>) -> Result<()> {
    state.close()?;
    state.map(&id)?.clear()?;
    Ok(())
}

fn main() {}
