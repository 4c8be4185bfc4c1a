use keyed_state_core::{KeyedStateBackend, Result, StateKey, StateValue, ValueState};

use super::{BackendFault, late::LateValue};

/// View of a value in a faulty backend.
pub(crate) struct FaultyValue<'a, B, S, V, N> {
    pub(super) inner: S,
    /// The same value, which never expires.
    pub(super) shadow: S,
    pub(super) fault: Option<BackendFault>,
    pub(super) late: LateValue<'a, B, V, N>,
    /// Whether reads touch late.
    pub(super) touches_late: bool,
}

impl<B, S, V, N> FaultyValue<'_, B, S, V, N> {
    fn has(&self, fault: BackendFault) -> bool {
        self.fault == Some(fault)
    }

    /// Returns the value that a read goes to, which is the wrong one if the read has `fault`.
    fn read(&self, fault: BackendFault) -> &S {
        if self.has(fault) { &self.shadow } else { &self.inner }
    }
}

impl<B, S, V, N> ValueState<V> for FaultyValue<'_, B, S, V, N>
where
    B: KeyedStateBackend,
    S: ValueState<V>,
    V: StateValue,
    N: StateKey,
{
    fn get(&self) -> Result<Option<V>> {
        if self.touches_late
            && let Some((value, _)) = self.inner.get_with_touch()?
        {
            self.late.set(value, None);
        }
        self.read(BackendFault::ExpiredInValue).get()
    }

    fn get_with_touch(&self) -> Result<Option<(V, Option<i64>)>> {
        let found = self.read(BackendFault::ExpiredInValueWithTouch).get_with_touch();
        if self.has(BackendFault::MergingTouches) {
            self.inner.get()?;
        }
        found
    }

    fn is_set(&self) -> Result<bool> {
        if self.has(BackendFault::CountingTouches) {
            self.inner.get()?;
        }
        self.read(BackendFault::ExpiredInIsSet).is_set()
    }

    fn set(&mut self, value: V) -> Result<()> {
        let before = self.inner.get_with_touch()?.and_then(|(_, touched_ms)| touched_ms);
        self.inner.set(value.clone())?;
        self.shadow.set(value.clone())?;
        if self.has(BackendFault::OverwritingKeepsDeadline) && before.is_some() {
            self.late.set(value, before);
        }
        Ok(())
    }

    fn clear(&mut self) -> Result<()> {
        self.inner.clear()?;
        self.shadow.clear()
    }
}
