//! Backends that are wrong on purpose, above a right engine.

mod backend;
mod changes;
mod clock;
mod descriptors;
mod fault;
mod late;
mod map;
mod reopening;
mod value;

use std::path::Path;

use keyed_state_conformance::{Fixture, reference::TreeEngine};
use keyed_state_core::{BackendOptions, EngineBackend, Result, StateKey};

use backend::FaultyBackend;
pub(crate) use fault::BackendFault;
use map::FaultyMap;
use value::FaultyValue;

/// Opens a backend with a fault, or the wrapper without any, over a reference engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaultyAbove(pub(crate) Option<BackendFault>);

impl Fixture for FaultyAbove {
    type Backend<K: StateKey> = FaultyBackend<EngineBackend<K, TreeEngine>>;

    fn open<K: StateKey>(&self, dir: &Path, options: BackendOptions) -> Result<Self::Backend<K>> {
        let inner_options = match self.0 {
            Some(BackendFault::KeyGroupsNotChecked) => {
                options.check()?;
                options.clone().key_groups(options.groups().all())
            }
            Some(BackendFault::ClockFollowedBack) => {
                options.clone().clock(clock::GoesOn::new(options.clone()))
            }
            _ => options.clone(),
        };
        let mut engine = TreeEngine::open(dir)?;
        reopening::forget(&mut engine, self.0)?;
        let inner = EngineBackend::open(engine, inner_options.clone())?;
        let shadow = TreeEngine::open(&dir.join("shadow"))?;
        let shadow = EngineBackend::open(shadow, inner_options)?;
        Ok(FaultyBackend::new(inner, shadow, self.0, options))
    }
}
