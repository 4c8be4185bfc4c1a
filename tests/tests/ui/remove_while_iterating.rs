//! An entry cannot be removed past the iterator that gave it (pain points 36, 42, 43).

use keyed_state_conformance::reference::TreeEngine;
use keyed_state_core::{
    EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MapId, MapState, Result,
};
use keyed_state_memory::MemoryBackend;

fn generic<B: KeyedStateBackend<Key = String>>(state: &mut B, id: &MapId<String, u64>) -> Result<()> {
    let mut map = state.map(id)?;
    for entry in map.iter()? {
        map.remove(&entry?.0)?;
    }
    Ok(())
}

fn engine(state: &mut EngineBackend<String, TreeEngine>, id: &MapId<String, u64>) -> Result<()> {
    let mut map = state.map(id)?;
    for entry in map.iter()? {
        map.remove(&entry?.0)?;
    }
    Ok(())
}

fn memory(state: &mut MemoryBackend<String>, id: &MapId<String, u64>) -> Result<()> {
    let mut map = state.map(id)?;
    for entry in map.iter()? {
        map.remove(&entry?.0)?;
    }
    Ok(())
}

fn main() {}
