//! A backend cannot be closed under an iterator (pain point 53).

use keyed_state_conformance::reference::TreeEngine;
use keyed_state_core::{
    EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MapId, MapState, Result,
};
use keyed_state_memory::MemoryBackend;

fn generic<B: KeyedStateBackend<Key = String>>(mut state: B, id: MapId<String, u64>) -> Result<()> {
    let map = state.map(&id)?;
    let mut entries = map.iter()?;
    state.close()?;
    entries.next();
    Ok(())
}

fn engine(mut state: EngineBackend<String, TreeEngine>, id: MapId<String, u64>) -> Result<()> {
    let map = state.map(&id)?;
    let mut entries = map.iter()?;
    state.close()?;
    entries.next();
    Ok(())
}

fn memory(mut state: MemoryBackend<String>, id: MapId<String, u64>) -> Result<()> {
    let map = state.map(&id)?;
    let mut entries = map.iter()?;
    state.close()?;
    entries.next();
    Ok(())
}

fn main() {}
