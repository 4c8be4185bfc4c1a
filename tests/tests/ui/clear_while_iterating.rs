//! A map cannot be cleared while it is iterated over (pain points 8, 37, 40).

use keyed_state_conformance::reference::TreeEngine;
use keyed_state_core::{
    EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MapId, MapState, Result,
};
use keyed_state_memory::MemoryBackend;

fn generic<B: KeyedStateBackend<Key = String>>(state: &mut B, id: &MapId<String, u64>) -> Result<()> {
    let mut map = state.map(id)?;
    let mut entries = map.iter()?;
    map.clear()?;
    assert!(entries.next().is_none());
    Ok(())
}

fn engine(state: &mut EngineBackend<String, TreeEngine>, id: &MapId<String, u64>) -> Result<()> {
    let mut map = state.map(id)?;
    let mut entries = map.iter()?;
    map.clear()?;
    assert!(entries.next().is_none());
    Ok(())
}

fn memory(state: &mut MemoryBackend<String>, id: &MapId<String, u64>) -> Result<()> {
    let mut map = state.map(id)?;
    let mut entries = map.iter()?;
    map.clear()?;
    assert!(entries.next().is_none());
    Ok(())
}

fn main() {}
