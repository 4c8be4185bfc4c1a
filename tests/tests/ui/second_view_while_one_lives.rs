//! There is one view at a time (pain point 40).

use keyed_state_conformance::reference::TreeEngine;
use keyed_state_core::{
    EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MapId, MapState, Result,
};
use keyed_state_memory::MemoryBackend;

fn generic<B: KeyedStateBackend<Key = String>>(state: &mut B, id: &MapId<String, u64>) -> Result<()> {
    let mut first = state.map(id)?;
    let mut second = state.map(id)?;
    first.put("x".to_owned(), 1)?;
    second.clear()?;
    Ok(())
}

fn engine(state: &mut EngineBackend<String, TreeEngine>, id: &MapId<String, u64>) -> Result<()> {
    let mut first = state.map(id)?;
    let mut second = state.map(id)?;
    first.put("x".to_owned(), 1)?;
    second.clear()?;
    Ok(())
}

fn memory(state: &mut MemoryBackend<String>, id: &MapId<String, u64>) -> Result<()> {
    let mut first = state.map(id)?;
    let mut second = state.map(id)?;
    first.put("x".to_owned(), 1)?;
    second.clear()?;
    Ok(())
}

fn main() {}
