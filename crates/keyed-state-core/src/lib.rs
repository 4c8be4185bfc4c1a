#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

// Lets the derive macros name this crate from inside it.
#[cfg(feature = "derive")]
extern crate self as keyed_state_core;

mod backend;
mod clear_strategy;
mod codec;
mod engine;
mod engine_backend;
mod error;
mod key_group;
mod keys;
mod options;
mod range;
mod state;
mod varint;
mod views;
mod write_batch;

pub use backend::{KeyedStateBackend, KeyedStateBackendExt, Scoped};
pub use clear_strategy::ClearStrategy;
pub use codec::*;
pub use engine::{Capabilities, Cursor, Direction, Engine, KeyRange, TableId};
pub use engine_backend::{
    EngineBackend, EngineMap, EngineValue, MAX_KEY_BYTES, MAX_TABLE_NAME_BYTES, MAX_VALUE_BYTES,
};
pub use error::{Error, ErrorKind, Result};
pub use key_group::{KeyGroupRange, MaxParallelism};
pub use keys::Keys;
pub use options::BackendOptions;
pub use range::{check_range, prefix_successor};
pub use state::{
    BackendId, MAX_STATE_NAME_BYTES, MapDescriptor, MapId, StateDefinition, StateId,
    ValueDescriptor, ValueId,
};
pub use views::{MapState, MapStateExt, ValueState, ValueStateExt};
pub use write_batch::{WriteBatch, WriteOp};

#[cfg(feature = "derive")]
pub use keyed_state_derive::{StateKey, StateValue};
