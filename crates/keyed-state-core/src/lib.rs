#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

// Lets the derive macros name this crate from inside it.
#[cfg(feature = "derive")]
extern crate self as keyed_state_core;

mod backend;
mod backend_ext;
mod byte_size;
mod changes;
mod clear_strategy;
mod clock;
mod codec;
mod compaction_filter;
mod context;
mod derived;
mod engine;
mod engine_backend;
mod error;
mod key_group;
mod keys;
mod options;
mod range;
mod scoped;
mod sequence;
mod state;
mod timers;
mod times;
mod ttl;
mod varint;
mod views;
pub mod windows;
mod write_batch;

pub use backend::KeyedStateBackend;
pub use backend_ext::KeyedStateBackendExt;
pub use byte_size::parse_byte_size;
pub use changes::{Change, MapChange, ValueChange};
pub use clear_strategy::ClearStrategy;
pub use clock::{Clock, ManualClock, SystemClock};
pub use codec::*;
pub use compaction_filter::{CompactionFilter, CompactionRun, FilterSlot, SlotRun, Verdict};
pub use context::BackendContext;
pub use derived::{AggregatingState, ListState, ReducingState};
pub use engine::{Capabilities, Cursor, Direction, Engine, KeyRange, TableId};
pub use engine_backend::{
    ClearedMaps, EngineBackend, EngineMap, EngineValue, GenerationHold, MAX_KEY_BYTES,
    MAX_TABLE_NAME_BYTES, MAX_VALUE_BYTES,
};
pub use error::{Error, ErrorKind, Result};
pub use key_group::{KeyGroupRange, MaxParallelism};
pub use keys::Keys;
pub use options::BackendOptions;
pub use range::{check_range, prefix_successor};
pub use scoped::Scoped;
pub use sequence::Sequence;
pub use state::{
    AggregateFunction, AggregatingDescriptor, AggregatingId, BackendId, ListDescriptor, ListId,
    MAX_STATE_NAME_BYTES, MapDescriptor, MapId, ReduceFunction, ReducingDescriptor, ReducingId,
    StateDefinition, StateId, ValueDescriptor, ValueId,
};
pub use timers::{Timer, TimerAccess, TimerServices, Timers};
pub use times::Times;
pub use ttl::{Expiry, ExpiryNow, TimeDomain, Touch, Ttl};
pub use views::{MapState, MapStateExt, ValueState, ValueStateExt};
pub use write_batch::{WriteBatch, WriteOp};

#[cfg(feature = "derive")]
pub use keyed_state_derive::{StateKey, StateValue};
