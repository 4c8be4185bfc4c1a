//! What states are called and made of: descriptors, definitions and ids.

use std::marker::PhantomData;

mod aggregating;
mod definition;
mod id;
mod list;
mod map;
mod reducing;
mod value;

pub use aggregating::{AggregateFunction, AggregatingDescriptor, AggregatingId};
pub use definition::{MAX_STATE_NAME_BYTES, StateDefinition};
pub use id::{BackendId, MapId, StateId, ValueId};
pub use list::{ListDescriptor, ListId};
pub use map::MapDescriptor;
pub use reducing::{ReduceFunction, ReducingDescriptor, ReducingId};
pub use value::ValueDescriptor;

/// Types that a descriptor or id speaks of without holding any value of them.
type Types<T> = PhantomData<fn() -> T>;
