//! Storage cannot be rewritten under an iterator (pain points 8, 10, 53).

use keyed_state_conformance::reference::TreeEngine;
use keyed_state_core::{
    EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MapId, MapState, Result,
};
use keyed_state_memory::MemoryBackend;

fn generic<B: KeyedStateBackend<Key = String>>(state: &mut B, id: &MapId<String, u64>) -> Result<()> {
    let map = state.map(id)?;
    let mut entries = map.iter()?;
    state.flush()?;
    state.compact()?;
    entries.next();
    Ok(())
}

fn engine(state: &mut EngineBackend<String, TreeEngine>, id: &MapId<String, u64>) -> Result<()> {
    let map = state.map(id)?;
    let mut entries = map.iter()?;
    state.flush()?;
    state.compact()?;
    entries.next();
    Ok(())
}

fn memory(state: &mut MemoryBackend<String>, id: &MapId<String, u64>) -> Result<()> {
    let map = state.map(id)?;
    let mut entries = map.iter()?;
    state.flush()?;
    state.compact()?;
    entries.next();
    Ok(())
}

fn main() {}
