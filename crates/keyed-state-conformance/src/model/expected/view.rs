use std::collections::BTreeMap;

use super::times::Life;
use crate::model::answer::{Entry, Held};

/// What one state holds under one key and namespace. A value is an entry under the empty key, a list's elements are
/// entries under their positions.
///
/// What has expired stays in, until something removes or replaces it: it may still be stored.
pub(in crate::model) type Entries = BTreeMap<Vec<u8>, Stamped>;

/// A value and its last touch, if the state has a TTL.
#[derive(Clone, Debug)]
pub(in crate::model) struct Stamped {
    pub(in crate::model) value: Vec<u8>,
    pub(in crate::model) touched_ms: Option<i64>,
}

/// Looks at entries and changes them as of one moment.
#[derive(Debug)]
pub(in crate::model) struct View<'a> {
    pub(super) entries: &'a mut Entries,
    pub(super) life: Life,
}

impl View<'_> {
    /// Returns what has not expired, in order.
    pub(in crate::model) fn live(&self) -> Vec<Entry> {
        live(self.entries, self.life)
            .map(|(key, entry)| (key.clone(), entry.value.clone()))
            .collect()
    }

    /// Returns what has not expired with its touches, in order.
    pub(super) fn stamped(&self) -> Vec<Held> {
        live(self.entries, self.life)
            .map(|(key, entry)| (key.clone(), entry.value.clone(), entry.touched_ms))
            .collect()
    }

    /// Returns the live value of `key`. Touches nothing.
    pub(in crate::model) fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        let entry = self.entries.get(key)?;
        (!self.life.is_over(entry.touched_ms)).then(|| entry.value.clone())
    }

    /// Reads `key`, which touches it if the state is so.
    pub(in crate::model) fn read(&mut self, key: &[u8]) -> Option<Vec<u8>> {
        let value = self.get(key)?;
        if self.life.reads_touch() {
            self.put(key, &value);
        }
        Some(value)
    }

    /// Reads all of `entries`.
    pub(in crate::model) fn read_all(&mut self, entries: &[Entry]) {
        for (key, _) in entries {
            self.read(key);
        }
    }

    pub(in crate::model) fn put(&mut self, key: &[u8], value: &[u8]) {
        let entry = Stamped { value: value.to_vec(), touched_ms: self.life.touch() };
        self.entries.insert(key.to_vec(), entry);
    }

    /// Appends to a list.
    pub(in crate::model) fn append(&mut self, value: &[u8]) {
        self.put(&end(self.entries), value);
    }

    pub(in crate::model) fn remove(&mut self, key: &[u8]) {
        self.entries.remove(key);
    }

    /// Keeps those live entries that `keep` says.
    pub(in crate::model) fn retain(&mut self, keep: impl Fn(&[u8], &[u8]) -> bool) {
        let life = self.life;
        self.entries.retain(|key, entry| life.is_over(entry.touched_ms) || keep(key, &entry.value));
    }

    pub(in crate::model) fn clear(&mut self) {
        self.entries.clear();
    }
}

/// Iterates over what has not expired.
pub(super) fn live(entries: &Entries, life: Life) -> impl Iterator<Item = (&Vec<u8>, &Stamped)> {
    entries.iter().filter(move |(_, entry)| !life.is_over(entry.touched_ms))
}

/// Returns the position behind a list's last element.
pub(super) fn end(list: &Entries) -> Vec<u8> {
    let key = list.last_key_value().and_then(|(key, _)| key.first_chunk());
    let position = key.map_or(0, |bytes| u64::from_be_bytes(*bytes) + 1);
    position.to_be_bytes().to_vec()
}
