use std::{
    borrow::Borrow,
    collections::{BTreeMap, btree_map},
    ops::RangeBounds,
};

use keyed_state_core::{Change, Result, StateKey, check_range};

use crate::{
    slot::Slot,
    table::{Entries, Held as _, Place},
    tree::Tree,
};

/// The map of one key and namespace, whose values are kept in slots of one kind.
///
/// To every read an expired entry is absent, whether or not it has been removed.
pub(crate) struct View<'a, K, UK, N, S: Slot> {
    pub(crate) entries: &'a mut Entries<K, N, Tree<UK, S>>,
    pub(crate) key: &'a K,
    pub(crate) namespace: &'a N,
    pub(crate) at: S::At,
}

impl<K: StateKey, UK: StateKey, N: StateKey, S: Slot> View<'_, K, UK, N, S> {
    fn place(&self) -> Place<'_, K, N> {
        Place(self.key, self.namespace)
    }

    fn tree(&self) -> Option<&Tree<UK, S>> {
        self.entries.get(self.place())
    }

    fn live<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&S>
    where
        UK: Borrow<Q>,
    {
        self.tree()?.slots().get(key).filter(|slot| slot.is_live(self.at))
    }

    /// Hands the slots to `change`, and forgets the map if that left none.
    fn shrink(&mut self, change: impl FnOnce(&mut BTreeMap<UK, S>)) {
        let place = Place(self.key, self.namespace);
        if let Some(tree) = self.entries.get_mut(place) {
            let slots = tree.removable();
            change(slots);
            if slots.is_empty() {
                self.entries.remove(place);
            }
        }
    }

    pub(super) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<S::Value>
    where
        UK: Borrow<Q>,
    {
        let slot = self.live(key)?;
        slot.read(self.at);
        Some(slot.value().clone())
    }

    pub(super) fn get_with_touch<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(S::Value, Option<i64>)>
    where
        UK: Borrow<Q>,
    {
        self.live(key).map(|slot| (slot.value().clone(), slot.touched_ms()))
    }

    pub(super) fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        UK: Borrow<Q>,
    {
        self.live(key).inspect(|slot| slot.read(self.at)).is_some()
    }

    pub(super) fn put(&mut self, key: UK, value: S::Value, touched_ms: Option<i64>) {
        let slot = S::new(value, touched_ms, self.at);
        let place = Place(self.key, self.namespace);
        if let Some(tree) = self.entries.get_mut(place) {
            tree.insert(key, slot);
        } else if let Some(tree) = Tree::new(BTreeMap::from([(key, slot)])) {
            self.entries.insert(place, tree);
        }
    }

    pub(crate) fn change(&mut self, key: UK, change: Change<S::Value>) {
        match change {
            Change::Set { value, touched_ms } => self.put(key, value, touched_ms),
            Change::Remove => self.remove(&key),
        }
    }

    pub(super) fn put_all(&mut self, entries: Vec<(UK, S::Value)>) {
        if self.tree().is_none() {
            self.replace_all(entries);
            return;
        }
        for (key, value) in entries {
            self.put(key, value, None);
        }
    }

    pub(super) fn replace_all(&mut self, entries: Vec<(UK, S::Value)>) {
        let at = self.at;
        let slots = entries.into_iter().map(|(key, value)| (key, S::new(value, None, at)));
        match Tree::new(slots.collect()) {
            Some(tree) => self.entries.insert(Place(self.key, self.namespace), tree),
            None => self.clear(),
        }
    }

    pub(super) fn remove<Q: Ord + ?Sized>(&mut self, key: &Q)
    where
        UK: Borrow<Q>,
    {
        self.shrink(|slots| {
            slots.remove(key);
        });
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(&UK, &S::Value) -> bool) {
        let at = self.at;
        self.shrink(|slots| {
            // First all answers, then the map: a panic of `keep` leaves what was there.
            let kept: Vec<bool> = slots
                .iter()
                .map(|(key, slot)| slot.is_live(at) && keep(key, slot.value()))
                .collect();
            let mut kept = kept.into_iter();
            slots.retain(|_, _| kept.next().unwrap_or(true));
        });
    }

    pub(super) fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = Result<(UK, S::Value)>> + Send + use<'_, K, UK, N, S> {
        let slots = self.tree().map(|tree| tree.slots().iter()).unwrap_or_default();
        let at = self.at;
        slots.filter_map(move |entry| read(entry, at))
    }

    pub(super) fn range<Q, R>(
        &self,
        range: R,
    ) -> Result<
        impl DoubleEndedIterator<Item = Result<(UK, S::Value)>> + Send + use<'_, K, UK, N, S, Q, R>,
    >
    where
        UK: Borrow<Q>,
        Q: Ord + ?Sized,
        R: RangeBounds<Q>,
    {
        let slots: btree_map::Range<'_, UK, S> = if check_range(&range)? {
            self.tree().map(|tree| tree.slots().range(range)).unwrap_or_default()
        } else {
            btree_map::Range::default()
        };
        let at = self.at;
        Ok(slots.filter_map(move |entry| read(entry, at)))
    }

    pub(super) fn iter_with_touch(
        &self,
    ) -> impl Iterator<Item = Result<(UK, S::Value, Option<i64>)>> + Send + use<'_, K, UK, N, S>
    {
        let slots = self.tree().map(|tree| tree.slots().iter()).unwrap_or_default();
        let at = self.at;
        slots
            .filter(move |(_, slot)| slot.is_live(at))
            .map(|(key, slot)| Ok((key.clone(), slot.value().clone(), slot.touched_ms())))
    }

    pub(super) fn clear(&mut self) {
        self.entries.remove(Place(self.key, self.namespace));
    }

    pub(super) fn len(&self) -> usize {
        self.tree().map_or(0, |tree| tree.slots().len() - tree.expired(self.at))
    }

    pub(super) fn is_empty(&self) -> bool {
        // A map without entries is not kept.
        !self.tree().is_some_and(|tree| tree.is_live(self.at))
    }
}

fn read<UK: StateKey, S: Slot>(
    (key, slot): (&UK, &S),
    at: S::At,
) -> Option<Result<(UK, S::Value)>> {
    slot.is_live(at).then(|| {
        slot.read(at);
        Ok((key.clone(), slot.value().clone()))
    })
}
