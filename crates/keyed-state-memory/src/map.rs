use std::{
    borrow::Borrow,
    collections::{BTreeMap, btree_map},
    ops::RangeBounds,
};

use keyed_state_core::{Encode, MapState, Result, StateKey, StateValue, check_range};

use crate::table::{Entries, Place};

/// View of a map state in a [`MemoryBackend`](crate::MemoryBackend).
#[derive(Debug)]
pub struct MemoryMap<'a, K, UK, UV, N> {
    pub(crate) entries: &'a mut Entries<K, N, BTreeMap<UK, UV>>,
    pub(crate) key: &'a K,
    pub(crate) namespace: &'a N,
}

impl<K: StateKey, UK: StateKey, UV: StateValue, N: StateKey> MemoryMap<'_, K, UK, UV, N> {
    fn tree(&self) -> Option<&BTreeMap<UK, UV>> {
        self.entries.get(&Place(self.key, self.namespace))
    }

    /// Hands the map to `change`, and forgets it if that left it empty.
    fn change(&mut self, change: impl FnOnce(&mut BTreeMap<UK, UV>)) {
        let place = Place(self.key, self.namespace);
        if let Some(tree) = self.entries.get_mut(&place) {
            change(tree);
            if tree.is_empty() {
                self.entries.remove(&place);
            }
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "items of every backend's iterators are results")]
fn owned<UK: Clone, UV: Clone>((key, value): (&UK, &UV)) -> Result<(UK, UV)> {
    Ok((key.clone(), value.clone()))
}

#[deny(clippy::missing_trait_methods)]
impl<K: StateKey, UK: StateKey, UV: StateValue, N: StateKey> MapState<UK, UV>
    for MemoryMap<'_, K, UK, UV, N>
{
    fn get<Q>(&self, key: &Q) -> Result<Option<UV>>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        Ok(self.tree().and_then(|tree| tree.get(key)).cloned())
    }

    fn contains<Q>(&self, key: &Q) -> Result<bool>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        Ok(self.tree().is_some_and(|tree| tree.contains_key(key)))
    }

    fn put(&mut self, key: UK, value: UV) -> Result<()> {
        if let Some(tree) = self.entries.get_mut(&Place(self.key, self.namespace)) {
            tree.insert(key, value);
        } else {
            let place = (self.key.clone(), self.namespace.clone());
            self.entries.insert(place, BTreeMap::from([(key, value)]));
        }
        Ok(())
    }

    fn put_all<I>(&mut self, entries: I) -> Result<()>
    where
        I: IntoIterator<Item = (UK, UV)>,
    {
        // First all, then the map: a panic of the iterator leaves what was there.
        let entries: Vec<(UK, UV)> = entries.into_iter().collect();
        if let Some(tree) = self.entries.get_mut(&Place(self.key, self.namespace)) {
            tree.extend(entries);
        } else if !entries.is_empty() {
            let tree = entries.into_iter().collect();
            self.entries.insert((self.key.clone(), self.namespace.clone()), tree);
        }
        Ok(())
    }

    fn remove<Q>(&mut self, key: &Q) -> Result<()>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
    {
        self.change(|tree| {
            tree.remove(key);
        });
        Ok(())
    }

    fn retain<F>(&mut self, mut keep: F) -> Result<()>
    where
        F: FnMut(&UK, &UV) -> bool,
    {
        self.change(|tree| {
            // First all answers, then the map: a panic of `keep` leaves what was there.
            let kept: Vec<bool> = tree.iter().map(|(key, value)| keep(key, value)).collect();
            let mut kept = kept.into_iter();
            tree.retain(|_, _| kept.next().unwrap_or(true));
        });
        Ok(())
    }

    fn iter(&self) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send> {
        Ok(self.tree().map(BTreeMap::iter).unwrap_or_default().map(owned))
    }

    fn range<Q, R>(
        &self,
        range: R,
    ) -> Result<impl DoubleEndedIterator<Item = Result<(UK, UV)>> + Send>
    where
        UK: Borrow<Q>,
        Q: Encode + Ord + ?Sized,
        R: RangeBounds<Q>,
    {
        let found: btree_map::Range<'_, UK, UV> = if check_range(&range)? {
            self.tree().map(|tree| tree.range(range)).unwrap_or_default()
        } else {
            btree_map::Range::default()
        };
        Ok(found.map(owned))
    }

    fn clear(&mut self) -> Result<()> {
        self.entries.remove(&Place(self.key, self.namespace));
        Ok(())
    }

    fn len(&self) -> Result<usize> {
        Ok(self.tree().map_or(0, BTreeMap::len))
    }

    fn is_empty(&self) -> Result<bool> {
        // A map without entries is not kept.
        Ok(self.tree().is_none())
    }

    fn first(&self) -> Result<Option<(UK, UV)>> {
        self.tree().and_then(BTreeMap::first_key_value).map(owned).transpose()
    }

    fn last(&self) -> Result<Option<(UK, UV)>> {
        self.tree().and_then(BTreeMap::last_key_value).map(owned).transpose()
    }
}
