use std::fmt;

use keyed_state_core::{
    ErrorKind, KeyedStateBackend, KeyedStateBackendExt as _, ListDescriptor, ListId, ListState,
    MapState, Result,
};
use proptest::prelude::*;

use crate::model::{
    Bytes, Kind, Scope,
    answer::Answer,
    code::{bytes, words},
    expected::View,
    generate::word,
    state::{Namespace, State},
    walk,
};

/// An operation on a list state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListOp {
    /// `add`.
    Add(Bytes),
    /// `add_all`; made by [`ListOp::add_all`].
    AddAll(Vec<Bytes>),
    /// `update`; made by [`ListOp::update`].
    Update(Vec<Bytes>),
    /// `retain` of the elements below this one.
    RetainBelow(Bytes),
    /// `iter`, walked as [`MapOp::Iter`](super::MapOp::Iter).
    Iter(u8),
    /// `iter`, walked likewise for at most so many steps.
    IterSome(u8, usize),
    /// `len`.
    Len,
    /// `is_empty`.
    IsEmpty,
    /// `clear`.
    Clear,
}

impl ListOp {
    /// Makes an [`AddAll`](Self::AddAll).
    #[must_use]
    pub fn add_all(elements: &[Bytes]) -> Self {
        Self::AddAll(elements.to_vec())
    }

    /// Makes an [`Update`](Self::Update).
    #[must_use]
    pub fn update(elements: &[Bytes]) -> Self {
        Self::Update(elements.to_vec())
    }

    pub(in crate::model) fn any() -> impl Strategy<Value = Self> {
        prop_oneof![
            8 => word().prop_map(Self::Add),
            3 => prop::collection::vec(word(), 0..5).prop_map(Self::AddAll),
            2 => prop::collection::vec(word(), 0..5).prop_map(Self::Update),
            1 => word().prop_map(Self::RetainBelow),
            5 => any::<u8>().prop_map(Self::Iter),
            1 => (any::<u8>(), 0..4_usize).prop_map(|(ends, steps)| Self::IterSome(ends, steps)),
            1 => Just(Self::Len),
            1 => Just(Self::IsEmpty),
            2 => Just(Self::Clear),
        ]
    }
}

impl fmt::Display for ListOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add(element) => write!(f, "ListOp::Add({})", bytes(element)),
            Self::AddAll(elements) => write!(f, "ListOp::add_all({})", words(elements)),
            Self::Update(elements) => write!(f, "ListOp::update({})", words(elements)),
            Self::RetainBelow(element) => write!(f, "ListOp::RetainBelow({})", bytes(element)),
            Self::Iter(ends) => write!(f, "ListOp::Iter({ends:#04x})"),
            Self::IterSome(ends, steps) => write!(f, "ListOp::IterSome({ends:#04x}, {steps})"),
            Self::Len | Self::IsEmpty | Self::Clear => write!(f, "ListOp::{self:?}"),
        }
    }
}

/// Does `op` on the model.
#[expect(clippy::unnecessary_wraps, reason = "other kinds refuse some operations")]
pub(in crate::model) fn expect(view: &mut View<'_>, op: &ListOp) -> Result<Answer, ErrorKind> {
    let given = match op {
        ListOp::Iter(_) => view.live(),
        ListOp::IterSome(ends, steps) => walk::expect(view.live(), *ends, *steps),
        ListOp::Len => return Ok(Answer::Count(view.live().len())),
        ListOp::IsEmpty => return Ok(Answer::Flag(view.live().is_empty())),
        ListOp::Add(element) => {
            view.append(element);
            return Ok(Answer::Done);
        }
        ListOp::AddAll(elements) => {
            for element in elements {
                view.append(element);
            }
            return Ok(Answer::Done);
        }
        ListOp::Update(elements) => {
            view.clear();
            for element in elements {
                view.append(element);
            }
            return Ok(Answer::Done);
        }
        ListOp::RetainBelow(limit) => {
            view.retain(|_, element| element < *limit);
            return Ok(Answer::Done);
        }
        ListOp::Clear => {
            view.clear();
            return Ok(Answer::Done);
        }
    };
    // What an iterator gives is read.
    view.read_all(&given);
    Ok(Answer::Elements(given.into_iter().map(|(_, element)| element).collect()))
}

/// Registers the list state `scope`, or finds it again.
pub(in crate::model) fn register<B: KeyedStateBackend, N: Namespace>(
    backend: &mut B,
    scope: Scope,
) -> Result<ListId<Vec<u8>, N>> {
    let descriptor = ListDescriptor::new(State(Kind::List, scope).name());
    backend.register_list(&match scope.ttl() {
        None => descriptor,
        Some(ttl) => descriptor.ttl(ttl),
    })
}

/// Does `op` on a backend's list.
pub(in crate::model) fn apply(
    list: &mut ListState<impl MapState<u64, Vec<u8>>, Vec<u8>>,
    op: &ListOp,
) -> Result<Answer> {
    let owned = |elements: &[Bytes]| -> Vec<_> {
        elements.iter().map(|element| element.to_vec()).collect()
    };
    match op {
        ListOp::Add(element) => list.add(element.to_vec())?,
        ListOp::AddAll(elements) => list.add_all(owned(elements))?,
        ListOp::Update(elements) => list.update(owned(elements))?,
        ListOp::RetainBelow(limit) => list.retain(|element| element.as_slice() < *limit)?,
        ListOp::Iter(ends) => return walk::all(list.iter()?, *ends).map(Answer::Elements),
        ListOp::IterSome(ends, steps) => {
            return walk::some(&mut list.iter()?, *ends, *steps).map(Answer::Elements);
        }
        ListOp::Len => return Ok(Answer::Count(list.len()?)),
        ListOp::IsEmpty => return Ok(Answer::Flag(list.is_empty()?)),
        ListOp::Clear => list.clear()?,
    }
    Ok(Answer::Done)
}
