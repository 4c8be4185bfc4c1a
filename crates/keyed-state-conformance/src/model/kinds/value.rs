use std::fmt;

use keyed_state_core::{
    ErrorKind, KeyedStateBackend, Result, ValueDescriptor, ValueId, ValueState, ValueStateExt as _,
};
use proptest::prelude::*;

use crate::model::{
    Bytes, Kind, Scope,
    answer::Answer,
    code::{bytes, option},
    expected::View,
    generate::word,
    state::{Namespace, State},
};

/// What the value state without namespace returns while nothing is set.
const DEFAULT: Bytes = b"default";

/// An operation on a value state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueOp {
    /// `get`.
    Get,
    /// `is_set`.
    IsSet,
    /// `set`.
    Set(Bytes),
    /// `update` by replacing whatever is found.
    Update(Option<Bytes>),
    /// `clear`.
    Clear,
}

impl ValueOp {
    pub(in crate::model) fn any() -> impl Strategy<Value = Self> {
        prop_oneof![
            3 => Just(Self::Get),
            1 => Just(Self::IsSet),
            4 => word().prop_map(Self::Set),
            1 => prop::option::of(word()).prop_map(Self::Update),
            2 => Just(Self::Clear),
        ]
    }
}

impl fmt::Display for ValueOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get | Self::IsSet | Self::Clear => write!(f, "ValueOp::{self:?}"),
            Self::Set(value) => write!(f, "ValueOp::Set({})", bytes(value)),
            Self::Update(value) => write!(f, "ValueOp::Update({})", option(*value)),
        }
    }
}

/// Does `op` on the model.
#[expect(clippy::unnecessary_wraps, reason = "other kinds refuse some operations")]
pub(in crate::model) fn expect(
    view: &mut View<'_>,
    scope: Scope,
    op: &ValueOp,
) -> Result<Answer, ErrorKind> {
    let default = (scope == Scope::Plain).then(|| DEFAULT.to_vec());
    match op {
        ValueOp::Get => return Ok(Answer::Bytes(view.read(b"").or(default))),
        ValueOp::IsSet => return Ok(Answer::Flag(view.get(b"").is_some())),
        ValueOp::Set(value) => view.put(b"", value),
        ValueOp::Update(value) => {
            let found = view.get(b"").or(default);
            match value {
                Some(value) => view.put(b"", value),
                None => view.clear(),
            }
            return Ok(Answer::Found(found));
        }
        ValueOp::Clear => view.clear(),
    }
    Ok(Answer::Done)
}

/// Registers the value state `scope`, or finds it again.
pub(in crate::model) fn register<B: KeyedStateBackend, N: Namespace>(
    backend: &mut B,
    scope: Scope,
) -> Result<ValueId<Vec<u8>, N>> {
    let mut descriptor = ValueDescriptor::new(State(Kind::Value, scope).name());
    if scope == Scope::Plain {
        descriptor = descriptor.default_value(DEFAULT.to_vec());
    }
    if let Some(ttl) = scope.ttl() {
        descriptor = descriptor.ttl(ttl);
    }
    backend.register_value(&descriptor)
}

/// Does `op` on a backend's value.
pub(in crate::model) fn apply(
    value: &mut impl ValueState<Vec<u8>>,
    op: &ValueOp,
) -> Result<Answer> {
    match op {
        ValueOp::Get => return Ok(Answer::Bytes(value.get()?)),
        ValueOp::IsSet => return Ok(Answer::Flag(value.is_set()?)),
        ValueOp::Set(new) => value.set(new.to_vec())?,
        ValueOp::Update(new) => {
            let mut found = None;
            value.update(|before| {
                found = before;
                new.map(<[u8]>::to_vec)
            })?;
            return Ok(Answer::Found(found));
        }
        ValueOp::Clear => value.clear()?,
    }
    Ok(Answer::Done)
}
