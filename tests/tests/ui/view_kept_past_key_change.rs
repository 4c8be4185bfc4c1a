//! A view cannot be used after the key has changed (pain points 39, 40).

use keyed_state_conformance::reference::TreeEngine;
use keyed_state_core::{
    EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MapId, MapState, Result,
};
use keyed_state_memory::MemoryBackend;

fn generic<B: KeyedStateBackend<Key = String>>(state: &mut B, id: &MapId<String, u64>) -> Result<()> {
    let mut map = state.map(id)?;
    state.set_current_key(&"other".to_owned())?;
    map.put("x".to_owned(), 1)?;
    Ok(())
}

fn engine(state: &mut EngineBackend<String, TreeEngine>, id: &MapId<String, u64>) -> Result<()> {
    let mut map = state.map(id)?;
    state.set_current_key(&"other".to_owned())?;
    map.put("x".to_owned(), 1)?;
    Ok(())
}

fn memory(state: &mut MemoryBackend<String>, id: &MapId<String, u64>) -> Result<()> {
    let mut map = state.map(id)?;
    state.set_current_key(&"other".to_owned())?;
    map.put("x".to_owned(), 1)?;
    Ok(())
}

fn main() {}
