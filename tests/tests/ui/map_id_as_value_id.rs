//! The id of a map opens no value (pain point 63).

use keyed_state_conformance::reference::TreeEngine;
use keyed_state_core::{
    EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MapId, MapState, Result,
};
use keyed_state_memory::MemoryBackend;

fn generic<B: KeyedStateBackend<Key = String>>(state: &mut B, id: &MapId<String, u64>) -> Result<()> {
    state.value(id)?;
    Ok(())
}

fn engine(state: &mut EngineBackend<String, TreeEngine>, id: &MapId<String, u64>) -> Result<()> {
    state.value(id)?;
    Ok(())
}

fn memory(state: &mut MemoryBackend<String>, id: &MapId<String, u64>) -> Result<()> {
    state.value(id)?;
    Ok(())
}

fn main() {}
