use std::path::Path;

use keyed_state_core::{
    BackendOptions, ClearStrategy, Engine, EngineBackend, KeyedStateBackend, Result, StateKey,
};

use crate::{FailingEngine, Failures};

/// How to open the backend under test.
///
/// ```
/// use std::path::Path;
///
/// use keyed_state_conformance::{Fixture, reference::TreeEngine};
/// use keyed_state_core::{BackendOptions, EngineBackend, Result, StateKey};
///
/// struct Mine;
///
/// impl Fixture for Mine {
///     type Backend<K: StateKey> = EngineBackend<K, TreeEngine>;
///
///     fn open<K: StateKey>(&self, dir: &Path, options: BackendOptions) -> Result<Self::Backend<K>> {
///         EngineBackend::open(TreeEngine::open(dir)?, options)
///     }
/// }
///
/// keyed_state_conformance::conformance_suite!(Mine);
/// ```
pub trait Fixture {
    /// The backend for streams with keys of type `K`.
    type Backend<K: StateKey>: KeyedStateBackend<Key = K>;

    /// Opens what lies in `dir`.
    ///
    /// `dir` exists, belongs to this case alone, is empty at first, and is passed again after a close.
    /// A backend that keeps nothing on disk ignores it and starts empty each time.
    ///
    /// # Errors
    ///
    /// The backend's. Cases provoke some of them on purpose, so do not panic here.
    fn open<K: StateKey>(&self, dir: &Path, options: BackendOptions) -> Result<Self::Backend<K>>;

    /// Returns the clear strategies to test; by default all of them, the adaptive one with a threshold so
    /// low that both of its branches are taken.
    fn strategies(&self) -> Vec<ClearStrategy> {
        all_strategies().to_vec()
    }
}

pub(crate) fn all_strategies() -> [ClearStrategy; 4] {
    [
        ClearStrategy::Generation,
        ClearStrategy::PointDeletes,
        ClearStrategy::RangeDelete,
        ClearStrategy::Adaptive { threshold: 2 },
    ]
}

/// How to open the storage engine under test.
///
/// ```
/// use std::path::Path;
///
/// use keyed_state_conformance::{EngineFixture, reference::TreeEngine};
/// use keyed_state_core::Result;
///
/// struct Mine;
///
/// impl EngineFixture for Mine {
///     type Engine = TreeEngine;
///
///     fn open(&self, dir: &Path) -> Result<TreeEngine> {
///         TreeEngine::open(dir)
///     }
/// }
///
/// keyed_state_conformance::engine_suite!(Mine);
/// ```
pub trait EngineFixture {
    /// The engine, or `Box<dyn Engine>`.
    type Engine: Engine + 'static;

    /// Opens what lies in `dir`, under the terms of [`Fixture::open`].
    ///
    /// # Errors
    ///
    /// The engine's.
    fn open(&self, dir: &Path) -> Result<Self::Engine>;

    /// Opens what lies in `dir` so that its calls fail when `failures` says so.
    ///
    /// By default a [`FailingEngine`] around the engine, which fails before the engine is reached. Override
    /// it if your engine can be made to fail on its inside, say by a file system that runs full: that tests
    /// more.
    ///
    /// # Errors
    ///
    /// The engine's.
    fn open_failing(&self, dir: &Path, failures: &Failures) -> Result<Box<dyn Engine>> {
        Ok(Box::new(FailingEngine::new(self.open(dir)?, failures.clone())))
    }
}

/// Makes a [`Fixture`] of an [`EngineFixture`], by way of [`EngineBackend`].
#[derive(Clone, Copy, Debug)]
pub struct OnEngine<F>(pub F);

impl<F: EngineFixture> Fixture for OnEngine<F> {
    type Backend<K: StateKey> = EngineBackend<K, F::Engine>;

    fn open<K: StateKey>(&self, dir: &Path, options: BackendOptions) -> Result<Self::Backend<K>> {
        EngineBackend::open(self.0.open(dir)?, options)
    }
}
