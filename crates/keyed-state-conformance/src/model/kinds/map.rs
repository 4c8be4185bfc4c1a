use std::{
    fmt,
    ops::Bound::{self, Excluded, Included, Unbounded},
};

use keyed_state_core::{
    Error, ErrorKind, KeyedStateBackend, MapDescriptor, MapId, MapState, MapStateExt as _, Result,
};
use proptest::prelude::*;

use crate::model::{
    Bytes, Kind, Scope,
    answer::Answer,
    code::{bound, bytes, entries, option},
    expected::View,
    generate::word,
    state::{Namespace, State},
    walk,
};

/// An operation on a map state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapOp {
    /// `get`.
    Get(Bytes),
    /// `contains`.
    Contains(Bytes),
    /// `put`.
    Put(Bytes, Bytes),
    /// `put_all`; made by [`MapOp::put_all`].
    PutAll(Vec<(Bytes, Bytes)>),
    /// `replace_all`; made by [`MapOp::replace_all`].
    ReplaceAll(Vec<(Bytes, Bytes)>),
    /// `remove`.
    Remove(Bytes),
    /// `retain` of the entries whose keys are below this one.
    RetainBelow(Bytes),
    /// `update` of a key by replacing whatever is found.
    Update(Bytes, Option<Bytes>),
    /// `iter`, walked from either end as the bits of the number say, the lowest first and again after
    /// eight steps: 0 from the front, 1 from the back.
    Iter(u8),
    /// `iter`, walked likewise for at most so many steps.
    IterSome(u8, usize),
    /// `range`, walked as [`Iter`](Self::Iter).
    Range(Bound<Bytes>, Bound<Bytes>, u8),
    /// `first`.
    First,
    /// `last`.
    Last,
    /// `len`.
    Len,
    /// `is_empty`.
    IsEmpty,
    /// `clear`.
    Clear,
}

impl MapOp {
    /// Makes a [`PutAll`](Self::PutAll).
    #[must_use]
    pub fn put_all(entries: &[(Bytes, Bytes)]) -> Self {
        Self::PutAll(entries.to_vec())
    }

    /// Makes a [`ReplaceAll`](Self::ReplaceAll).
    #[must_use]
    pub fn replace_all(entries: &[(Bytes, Bytes)]) -> Self {
        Self::ReplaceAll(entries.to_vec())
    }

    pub(in crate::model) fn any() -> impl Strategy<Value = Self> {
        let entry = || (word(), word());
        prop_oneof![
            3 => word().prop_map(Self::Get),
            2 => word().prop_map(Self::Contains),
            8 => entry().prop_map(|(key, value)| Self::Put(key, value)),
            4 => prop::collection::vec(entry(), 0..8).prop_map(Self::PutAll),
            1 => prop::collection::vec(entry(), 0..8).prop_map(Self::ReplaceAll),
            3 => word().prop_map(Self::Remove),
            1 => word().prop_map(Self::RetainBelow),
            1 => (word(), prop::option::of(word())).prop_map(|(key, value)| Self::Update(key, value)),
            3 => any::<u8>().prop_map(Self::Iter),
            1 => (any::<u8>(), 0..4_usize).prop_map(|(ends, steps)| Self::IterSome(ends, steps)),
            3 => (any_bound(), any_bound(), any::<u8>())
                .prop_map(|(start, end, ends)| Self::Range(start, end, ends)),
            1 => Just(Self::First),
            1 => Just(Self::Last),
            1 => Just(Self::Len),
            1 => Just(Self::IsEmpty),
            3 => Just(Self::Clear),
        ]
    }
}

fn any_bound() -> impl Strategy<Value = Bound<Bytes>> {
    prop_oneof![
        1 => Just(Unbounded),
        2 => word().prop_map(Included),
        2 => word().prop_map(Excluded),
    ]
}

impl fmt::Display for MapOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get(key) => write!(f, "MapOp::Get({})", bytes(key)),
            Self::Contains(key) => write!(f, "MapOp::Contains({})", bytes(key)),
            Self::Put(key, value) => write!(f, "MapOp::Put({}, {})", bytes(key), bytes(value)),
            Self::PutAll(all) => write!(f, "MapOp::put_all({})", entries(all)),
            Self::ReplaceAll(all) => write!(f, "MapOp::replace_all({})", entries(all)),
            Self::Remove(key) => write!(f, "MapOp::Remove({})", bytes(key)),
            Self::RetainBelow(key) => write!(f, "MapOp::RetainBelow({})", bytes(key)),
            Self::Update(key, value) => {
                write!(f, "MapOp::Update({}, {})", bytes(key), option(*value))
            }
            Self::Iter(ends) => write!(f, "MapOp::Iter({ends:#04x})"),
            Self::IterSome(ends, steps) => write!(f, "MapOp::IterSome({ends:#04x}, {steps})"),
            Self::Range(start, end, ends) => {
                write!(f, "MapOp::Range({}, {}, {ends:#04x})", bound(start), bound(end))
            }
            Self::First | Self::Last | Self::Len | Self::IsEmpty | Self::Clear => {
                write!(f, "MapOp::{self:?}")
            }
        }
    }
}

/// Does `op` on the model.
pub(in crate::model) fn expect(view: &mut View<'_>, op: &MapOp) -> Result<Answer, ErrorKind> {
    let given = match op {
        MapOp::Get(key) => return Ok(Answer::Bytes(view.read(key))),
        MapOp::Contains(key) => return Ok(Answer::Flag(view.read(key).is_some())),
        MapOp::Put(key, value) => {
            view.put(key, value);
            return Ok(Answer::Done);
        }
        MapOp::PutAll(entries) => {
            for (key, value) in entries {
                view.put(key, value);
            }
            return Ok(Answer::Done);
        }
        MapOp::ReplaceAll(entries) => {
            view.clear();
            for (key, value) in entries {
                view.put(key, value);
            }
            return Ok(Answer::Done);
        }
        MapOp::Remove(key) => {
            view.remove(key);
            return Ok(Answer::Done);
        }
        MapOp::RetainBelow(limit) => {
            view.retain(|key, _| key < *limit);
            return Ok(Answer::Done);
        }
        MapOp::Update(key, value) => {
            let found = view.get(key);
            match value {
                Some(value) => view.put(key, value),
                None => view.remove(key),
            }
            return Ok(Answer::Found(found));
        }
        MapOp::Len => return Ok(Answer::Count(view.live().len())),
        MapOp::IsEmpty => return Ok(Answer::Flag(view.live().is_empty())),
        MapOp::Clear => {
            view.clear();
            return Ok(Answer::Done);
        }
        MapOp::Iter(_) => view.live(),
        MapOp::IterSome(ends, steps) => walk::expect(view.live(), *ends, *steps),
        MapOp::Range(start, end, _) => {
            let mut entries = view.live();
            within(start, end, &mut entries)?;
            entries
        }
        MapOp::First => view.live().into_iter().take(1).collect(),
        MapOp::Last => view.live().pop().into_iter().collect(),
    };
    // What an iterator gives is read.
    view.read_all(&given);
    Ok(Answer::Entries(given))
}

fn within(
    start: &Bound<Bytes>,
    end: &Bound<Bytes>,
    entries: &mut Vec<(Vec<u8>, Vec<u8>)>,
) -> Result<(), ErrorKind> {
    if let (Included(start) | Excluded(start), Included(end) | Excluded(end)) = (start, end)
        && start > end
    {
        return Err(ErrorKind::InvalidArgument);
    }
    entries.retain(|(key, _)| {
        let key = key.as_slice();
        let above = match start {
            Included(start) => key >= *start,
            Excluded(start) => key > *start,
            Unbounded => true,
        };
        let below = match end {
            Included(end) => key <= *end,
            Excluded(end) => key < *end,
            Unbounded => true,
        };
        above && below
    });
    Ok(())
}

/// Combines two values where maps are merged.
#[expect(clippy::needless_pass_by_value, reason = "it is a user's function, which takes them so")]
pub(in crate::model) fn combine(key: &[u8], earlier: Vec<u8>, later: Vec<u8>) -> Result<Vec<u8>> {
    if later == b"\xff" {
        return Err(Error::from_function("ff cannot be combined"));
    }
    Ok([&earlier, key, &later].concat())
}

/// Registers the map state `scope`, or finds it again.
pub(in crate::model) fn register<B: KeyedStateBackend, N: Namespace>(
    backend: &mut B,
    scope: Scope,
) -> Result<MapId<Vec<u8>, Vec<u8>, N>> {
    let descriptor = MapDescriptor::new(State(Kind::Map, scope).name());
    backend.register_map(&match scope.ttl() {
        None => descriptor,
        Some(ttl) => descriptor.ttl(ttl),
    })
}

/// Does `op` on a backend's map.
pub(in crate::model) fn apply(
    map: &mut impl MapState<Vec<u8>, Vec<u8>>,
    op: &MapOp,
) -> Result<Answer> {
    let owned = |entries: &[(Bytes, Bytes)]| -> Vec<_> {
        entries.iter().map(|(key, value)| (key.to_vec(), value.to_vec())).collect()
    };
    match op {
        MapOp::Get(key) => return Ok(Answer::Bytes(map.get(*key)?)),
        MapOp::Contains(key) => return Ok(Answer::Flag(map.contains(*key)?)),
        MapOp::Put(key, value) => map.put(key.to_vec(), value.to_vec())?,
        MapOp::PutAll(entries) => map.put_all(owned(entries))?,
        MapOp::ReplaceAll(entries) => map.replace_all(owned(entries))?,
        MapOp::Remove(key) => map.remove(*key)?,
        MapOp::RetainBelow(limit) => map.retain(|key, _| key.as_slice() < *limit)?,
        MapOp::Update(key, value) => {
            let mut found = None;
            map.update(key.to_vec(), |before| {
                found = before;
                value.map(<[u8]>::to_vec)
            })?;
            return Ok(Answer::Found(found));
        }
        MapOp::Iter(ends) => return walk::all(map.iter()?, *ends).map(Answer::Entries),
        MapOp::IterSome(ends, steps) => {
            return walk::some(&mut map.iter()?, *ends, *steps).map(Answer::Entries);
        }
        MapOp::Range(start, end, ends) => {
            let range = map.range::<[u8], _>((*start, *end))?;
            return walk::all(range, *ends).map(Answer::Entries);
        }
        MapOp::First => return Ok(Answer::Entries(map.first()?.into_iter().collect())),
        MapOp::Last => return Ok(Answer::Entries(map.last()?.into_iter().collect())),
        MapOp::Len => return Ok(Answer::Count(map.len()?)),
        MapOp::IsEmpty => return Ok(Answer::Flag(map.is_empty()?)),
        MapOp::Clear => map.clear()?,
    }
    Ok(Answer::Done)
}
