//! The kinds that are maps: maps themselves, and lists.

use keyed_state_core::{
    KeyedStateBackend, KeyedStateBackendExt, ListDescriptor, ListId, MapDescriptor, MapId,
    MapState as _, MapStateExt as _, Result, Ttl,
};

use super::{Kind, MergingKind, Namespace, join};
use crate::support::sorted;

/// One entry of a map, whose neighbours stay empty.
pub(super) struct InMap(MapId<u64, String, Namespace>);

impl InMap {
    pub(super) fn register(
        backend: &mut impl KeyedStateBackend,
        name: &str,
        ttl: Option<Ttl>,
    ) -> Result<Self> {
        let descriptor = described!(MapDescriptor::new(format!("map-{name}")), ttl);
        backend.register_map(&descriptor).map(Self)
    }
}

impl<B: KeyedStateBackend> Kind<B> for InMap {
    listing!("map");

    fn add(&self, backend: &mut B, namespace: Namespace, text: &str) -> Result<()> {
        let mut map = backend.map_in(&self.0, &namespace)?;
        map.update(7, |earlier| Some(earlier.unwrap_or_default() + text))
    }

    fn read(&self, backend: &mut B, namespace: Namespace) -> Result<String> {
        backend.map_in(&self.0, &namespace)?.values()?.collect()
    }

    fn clear(&self, backend: &mut B, namespace: Namespace) -> Result<()> {
        backend.map_in(&self.0, &namespace)?.clear()
    }
}

impl<B: KeyedStateBackend> MergingKind<B> for InMap {
    fn merge(&self, backend: &mut B, target: Namespace, sources: &[Namespace]) -> Result<()> {
        backend.merge_maps(&self.0, &target, sources, |_, earlier, later| join(earlier, later))
    }
}

pub(super) struct InList(ListId<String, Namespace>);

impl InList {
    pub(super) fn register(
        backend: &mut impl KeyedStateBackend,
        name: &str,
        ttl: Option<Ttl>,
    ) -> Result<Self> {
        let descriptor = described!(ListDescriptor::new(format!("list-{name}")), ttl);
        backend.register_list(&descriptor).map(Self)
    }
}

impl<B: KeyedStateBackend> Kind<B> for InList {
    listing!("list");

    fn add(&self, backend: &mut B, namespace: Namespace, text: &str) -> Result<()> {
        backend.list_in(&self.0, &namespace)?.add(text.to_owned())
    }

    fn read(&self, backend: &mut B, namespace: Namespace) -> Result<String> {
        backend.list_in(&self.0, &namespace)?.iter()?.collect()
    }

    fn clear(&self, backend: &mut B, namespace: Namespace) -> Result<()> {
        backend.list_in(&self.0, &namespace)?.clear()
    }
}

impl<B: KeyedStateBackend> MergingKind<B> for InList {
    fn merge(&self, backend: &mut B, target: Namespace, sources: &[Namespace]) -> Result<()> {
        backend.merge_lists(&self.0, &target, sources)
    }

    fn combines(&self) -> bool {
        false
    }
}
