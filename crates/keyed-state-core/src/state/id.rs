use std::{
    fmt,
    marker::PhantomData,
    sync::atomic::{AtomicU64, Ordering},
};

use super::Types;
use crate::{StateKey, StateValue};

/// Identity of one open backend, by which an id is refused by any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackendId(u64);

impl BackendId {
    /// Returns an identity that no other backend of this process has.
    #[must_use]
    pub fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A ticket for a registered state, of whatever kind: [`MapId`] or [`ValueId`].
///
/// Sealed: state kinds are core's.
pub trait StateId: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The state's namespace type.
    type Namespace: StateKey;

    /// Returns the index that `backend` gave the state, or `None` if another backend issued this id.
    fn index_in(&self, backend: BackendId) -> Option<usize>;
}

pub(super) mod sealed {
    pub trait Sealed {}
}

macro_rules! state_id {
    ($(#[$doc:meta])* $name:ident<$($type:ident),*>, $text:literal, where $($bound:tt)*) => {
        $(#[$doc])*
        pub struct $name<$($type),*, N = ()> {
            backend: BackendId,
            index: u32,
            types: Types<($($type,)* N)>,
        }

        impl<$($type),*, N> $name<$($type),*, N> {
            /// Issues an id. For backend authors: call it only where the state is registered.
            #[must_use]
            pub fn issue(backend: BackendId, index: u32) -> Self {
                Self { backend, index, types: PhantomData }
            }
        }

        impl<$($type),*, N> sealed::Sealed for $name<$($type),*, N> {}

        impl<$($bound)*, N: StateKey> StateId for $name<$($type),*, N> {
            type Namespace = N;

            fn index_in(&self, backend: BackendId) -> Option<usize> {
                (self.backend == backend).then_some(self.index as usize)
            }
        }

        impl<$($type),*, N> Clone for $name<$($type),*, N> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($type),*, N> Copy for $name<$($type),*, N> {}

        impl<$($type),*, N> fmt::Debug for $name<$($type),*, N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($text, "({}.{})"), self.backend.0, self.index)
            }
        }
    };
}

state_id! {
    /// Typed ticket for a registered map state: `Copy`, and valid only on the backend that issued it.
    MapId<UK, UV>, "MapId", where UK: StateKey, UV: StateValue
}
state_id! {
    /// Typed ticket for a registered value state: `Copy`, and valid only on the backend that issued it.
    ValueId<V>, "ValueId", where V: StateValue
}
