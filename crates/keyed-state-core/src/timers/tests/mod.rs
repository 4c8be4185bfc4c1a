//! Timers over an engine that counts, fails and is damaged on demand.

mod contract;
mod damage;
mod engine;
mod failures;
mod memory;
mod model;
mod reopening;

use engine::TestEngine;

use super::{Timer, TimerAccess, TimerServices, Timers, services::Limits};
use crate::{BackendContext, BackendOptions, Engine, Result, StateKey};

/// What a backend has for its timers.
struct Backend<K> {
    engine: Option<TestEngine>,
    context: BackendContext,
    current: Option<K>,
    limits: Limits,
}

impl<K: StateKey> Backend<K> {
    /// Buckets of about three timers, all of which are written to the engine as soon as there is more to do.
    fn tiny() -> Self {
        Self::with_limits(Limits { bucket_bytes: 60, least_bytes: 0, step_bytes: usize::MAX }, 0)
    }

    /// The sizes of real use.
    fn real(budget_bytes: usize) -> Self {
        Self::with_limits(Limits::default(), budget_bytes)
    }

    fn with_limits(limits: Limits, budget_bytes: usize) -> Self {
        let options = BackendOptions::new().timer_memory_bytes(budget_bytes);
        let engine = Some(TestEngine::default());
        Self { engine, context: context(options, limits), current: None, limits }
    }

    fn in_memory() -> Self {
        Self { engine: None, ..Self::tiny() }
    }

    /// Takes other options, before anything else is done.
    fn options(mut self, change: impl FnOnce(BackendOptions) -> BackendOptions) -> Self {
        self.context = context(change(self.context.options().clone()), self.limits);
        self
    }

    fn timers<N: StateKey>(&mut self, name: &str) -> Result<Timers<'_, K, N>> {
        let Self { engine, context, current, .. } = self;
        let engine = engine.as_mut().map(|engine| engine as &mut dyn Engine);
        Timers::open(TimerAccess { context, current: current.as_ref(), engine }, name)
    }

    fn at(&mut self, key: K) -> &mut Self {
        self.current = Some(key);
        self
    }

    fn save(&mut self) -> Result<()> {
        match &mut self.engine {
            Some(engine) => self.context.timers_mut().save(engine),
            None => Ok(()),
        }
    }

    fn reopen(&mut self) -> Result<()> {
        self.save()?;
        if self.engine.is_some() {
            self.context = context(self.context.options().clone(), self.limits);
        }
        Ok(())
    }

    fn engine(&self) -> &TestEngine {
        self.engine.as_ref().expect("one was made")
    }
}

fn context(options: BackendOptions, limits: Limits) -> BackendContext {
    let mut context = BackendContext::new(options).unwrap();
    *context.timers_mut() = TimerServices::with_limits(limits);
    context
}

fn timer<K, N>(time_ms: i64, key: K, namespace: N) -> Timer<K, N> {
    Timer { time_ms, key, namespace }
}
