//! A backend takes keys of its own type.

use keyed_state_conformance::reference::TreeEngine;
use keyed_state_core::{
    EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MapId, MapState, Result,
};
use keyed_state_memory::MemoryBackend;

fn generic<B: KeyedStateBackend<Key = String>>(state: &mut B, id: &MapId<String, u64>) -> Result<()> {
    state.set_current_key(&1_u64)?;
    state.map(id)?.clear()?;
    Ok(())
}

fn engine(state: &mut EngineBackend<String, TreeEngine>, id: &MapId<String, u64>) -> Result<()> {
    state.set_current_key(&1_u64)?;
    state.map(id)?.clear()?;
    Ok(())
}

fn memory(state: &mut MemoryBackend<String>, id: &MapId<String, u64>) -> Result<()> {
    state.set_current_key(&1_u64)?;
    state.map(id)?.clear()?;
    Ok(())
}

fn main() {}
