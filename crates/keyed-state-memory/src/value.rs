use keyed_state_core::{Result, StateKey, StateValue, ValueState};

use crate::table::{Entries, Place, Single};

/// View of a value state in a [`MemoryBackend`](crate::MemoryBackend).
#[derive(Debug)]
pub struct MemoryValue<'a, K, V, N> {
    pub(crate) entries: &'a mut Entries<K, N, Single<V>>,
    pub(crate) key: &'a K,
    pub(crate) namespace: &'a N,
    pub(crate) default: Option<&'a V>,
}

#[deny(clippy::missing_trait_methods)]
impl<K: StateKey, V: StateValue, N: StateKey> ValueState<V> for MemoryValue<'_, K, V, N> {
    fn get(&self) -> Result<Option<V>> {
        let stored = self.entries.get(&Place(self.key, self.namespace)).map(|Single(value)| value);
        Ok(stored.or(self.default).cloned())
    }

    fn is_set(&self) -> Result<bool> {
        Ok(self.entries.contains_key(&Place(self.key, self.namespace)))
    }

    fn set(&mut self, value: V) -> Result<()> {
        if let Some(stored) = self.entries.get_mut(&Place(self.key, self.namespace)) {
            *stored = Single(value);
        } else {
            self.entries.insert((self.key.clone(), self.namespace.clone()), Single(value));
        }
        Ok(())
    }

    fn clear(&mut self) -> Result<()> {
        self.entries.remove(&Place(self.key, self.namespace));
        Ok(())
    }
}
