//! A map takes keys of its own type (pain point 63).

use keyed_state_conformance::reference::TreeEngine;
use keyed_state_core::{
    EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MapId, MapState, Result,
};
use keyed_state_memory::MemoryBackend;

fn generic<B: KeyedStateBackend<Key = String>>(state: &mut B, id: &MapId<String, u64>) -> Result<()> {
    state.map(id)?.put(1_u64, 1)?;
    state.map(id)?.get(&1_u64)?;
    Ok(())
}

fn engine(state: &mut EngineBackend<String, TreeEngine>, id: &MapId<String, u64>) -> Result<()> {
    state.map(id)?.put(1_u64, 1)?;
    state.map(id)?.get(&1_u64)?;
    Ok(())
}

fn memory(state: &mut MemoryBackend<String>, id: &MapId<String, u64>) -> Result<()> {
    state.map(id)?.put(1_u64, 1)?;
    state.map(id)?.get(&1_u64)?;
    Ok(())
}

fn main() {}
