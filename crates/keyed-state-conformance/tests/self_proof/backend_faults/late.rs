//! What a fault does only at the next access.

use std::sync::Mutex;

use keyed_state_core::{
    Change, KeyedStateBackend, MapChange, MapId, Result, StateKey, StateValue, ValueChange, ValueId,
};

type Action<B> = Box<dyn FnOnce(&mut B) -> Result<()> + Send>;

/// Actions that wait for the next access, under the current key.
pub(super) struct Late<B>(Mutex<Vec<Action<B>>>);

impl<B> Default for Late<B> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<B: KeyedStateBackend> Late<B> {
    /// Does what waits.
    pub(super) fn settle(&mut self, backend: &mut B) -> Result<()> {
        let waiting = std::mem::take(self.0.get_mut().expect("no holder panics"));
        waiting.into_iter().try_for_each(|action| action(backend))
    }

    fn add(&self, action: Action<B>) {
        self.0.lock().expect("no holder panics").push(action);
    }
}

/// The map of a view, for what is done to it late.
pub(super) struct LateMap<'a, B, UK, UV, N> {
    pub(super) late: &'a Late<B>,
    pub(super) id: MapId<UK, UV, N>,
    pub(super) namespace: N,
}

impl<B: KeyedStateBackend, UK: StateKey, UV: StateValue, N: StateKey> LateMap<'_, B, UK, UV, N> {
    pub(super) fn set(&self, key: UK, value: UV, touched_ms: Option<i64>) {
        let (id, namespace) = (self.id, self.namespace.clone());
        let change = MapChange { namespace, key, change: Change::Set { value, touched_ms } };
        self.late.add(Box::new(move |backend| backend.change_map(&id, vec![change])));
    }
}

/// The value of a view, for what is done to it late.
pub(super) struct LateValue<'a, B, V, N> {
    pub(super) late: &'a Late<B>,
    pub(super) id: ValueId<V, N>,
    pub(super) namespace: N,
}

impl<B: KeyedStateBackend, V: StateValue, N: StateKey> LateValue<'_, B, V, N> {
    pub(super) fn set(&self, value: V, touched_ms: Option<i64>) {
        let (id, namespace) = (self.id, self.namespace.clone());
        let change = ValueChange { namespace, change: Change::Set { value, touched_ms } };
        self.late.add(Box::new(move |backend| backend.change_value(&id, vec![change])));
    }
}
