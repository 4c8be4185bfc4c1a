use std::{
    collections::BTreeMap,
    ops::Bound::{Excluded, Included, Unbounded},
};

use keyed_state_core::{Capabilities, ErrorKind};

use super::{
    Bytes, MapOp, Op, Scope, ValueOp,
    answer::{Answer, Entry},
};

/// What the plain value state returns while nothing is set.
pub(super) const DEFAULT: Bytes = b"default";

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// The reference model: what every backend must do, in the fewest words.
#[derive(Debug)]
pub(super) struct Expected {
    capabilities: Capabilities,
    pub(super) key: Option<Bytes>,
    namespace: Bytes,
    /// The entries of each key and namespace, for the states without and with namespaces. Empty maps
    /// are taken out.
    maps: [BTreeMap<Entry, Map>; 2],
    /// Likewise, a value as an entry under the empty key.
    values: [BTreeMap<Entry, Map>; 2],
}

impl Expected {
    pub(super) fn new(capabilities: Capabilities) -> Self {
        Self {
            capabilities,
            key: None,
            namespace: b"",
            maps: Default::default(),
            values: Default::default(),
        }
    }

    pub(super) fn apply(&mut self, op: &Op) -> Answer {
        match op {
            Op::SetKey(key) => self.key = Some(key),
            Op::SetNamespace(namespace) => self.namespace = namespace,
            Op::Map(scope, op) => {
                let Some(place) = self.place(*scope) else {
                    return Answer::Refused(ErrorKind::NoCurrentKey);
                };
                let states = &mut self.maps[*scope as usize];
                return within(states, place, |map| on_map(map, op));
            }
            Op::Value(scope, op) => {
                let Some(place) = self.place(*scope) else {
                    return Answer::Refused(ErrorKind::NoCurrentKey);
                };
                let states = &mut self.values[*scope as usize];
                return within(states, place, |value| on_value(value, *scope, op));
            }
            Op::ListMap(scope) => return self.listing(*scope, &self.maps),
            Op::ListValue(scope) => return self.listing(*scope, &self.values),
            Op::Compact if !self.capabilities.compact => {
                return Answer::Refused(ErrorKind::Unsupported);
            }
            Op::Flush | Op::Compact => {}
            Op::Reopen => {
                if !self.capabilities.durable {
                    (self.maps, self.values) = Default::default();
                }
            }
        }
        Answer::Done
    }

    /// Returns all that is stored, state by state.
    pub(super) fn everything(&self) -> Answer {
        let states = self.maps.iter().chain(&self.values);
        let entries =
            |(place, map): (&Entry, &Map)| (place.clone(), map.clone().into_iter().collect());
        Answer::Everything(states.flatten().map(entries).collect())
    }

    pub(super) fn namespace(&self) -> Bytes {
        self.namespace
    }

    fn place(&self, scope: Scope) -> Option<Entry> {
        Some((self.key?.to_vec(), self.space(scope).to_vec()))
    }

    fn space(&self, scope: Scope) -> Bytes {
        match scope {
            Scope::Plain => b"",
            Scope::Namespace => self.namespace,
        }
    }

    fn listing(&self, scope: Scope, states: &[BTreeMap<Entry, Map>; 2]) -> Answer {
        let pairs: Vec<Entry> = states[scope as usize].keys().cloned().collect();
        let here = pairs.iter().filter(|(_, namespace)| namespace == self.space(scope));
        Answer::Listing(here.map(|(key, _)| key.clone()).collect(), pairs)
    }
}

/// Runs `f` on the map of a place; a map without entries does not exist afterwards.
fn within(
    states: &mut BTreeMap<Entry, Map>,
    place: Entry,
    f: impl FnOnce(&mut Map) -> Answer,
) -> Answer {
    let mut map = states.remove(&place).unwrap_or_default();
    let answer = f(&mut map);
    if !map.is_empty() {
        states.insert(place, map);
    }
    answer
}

fn on_map(map: &mut Map, op: &MapOp) -> Answer {
    match op {
        MapOp::Get(key) => return Answer::Bytes(map.get(*key).cloned()),
        MapOp::Contains(key) => return Answer::Flag(map.contains_key(*key)),
        MapOp::Put(key, value) => {
            map.insert(key.to_vec(), value.to_vec());
        }
        MapOp::PutAll(entries) => {
            map.extend(entries.iter().map(|(key, value)| (key.to_vec(), value.to_vec())));
        }
        MapOp::Remove(key) => {
            map.remove(*key);
        }
        MapOp::RetainBelow(limit) => map.retain(|key, _| key.as_slice() < *limit),
        MapOp::Update(key, value) => return Answer::Found(replace(map, key, *value)),
        MapOp::Iter(_) => return Answer::Entries(map.clone().into_iter().collect()),
        MapOp::Range(start, end, _) => {
            let inverted = match (start, end) {
                (Unbounded, _) | (_, Unbounded) => false,
                (Included(start) | Excluded(start), Included(end) | Excluded(end)) => start > end,
            };
            if inverted {
                return Answer::Refused(ErrorKind::InvalidArgument);
            }
            let within = |key: &[u8]| {
                let above = match start {
                    Included(start) => key >= *start,
                    Excluded(start) => key > *start,
                    Unbounded => true,
                };
                above
                    && match end {
                        Included(end) => key <= *end,
                        Excluded(end) => key < *end,
                        Unbounded => true,
                    }
            };
            let entries = map.clone().into_iter().filter(|(key, _)| within(key));
            return Answer::Entries(entries.collect());
        }
        MapOp::First => return Answer::Entries(map.clone().into_iter().take(1).collect()),
        MapOp::Last => {
            return Answer::Entries(map.clone().into_iter().next_back().into_iter().collect());
        }
        MapOp::Len => return Answer::Count(map.len()),
        MapOp::IsEmpty => return Answer::Flag(map.is_empty()),
        MapOp::Clear => map.clear(),
    }
    Answer::Done
}

fn on_value(value: &mut Map, scope: Scope, op: &ValueOp) -> Answer {
    let default = match scope {
        Scope::Plain => Some(DEFAULT.to_vec()),
        Scope::Namespace => None,
    };
    match op {
        ValueOp::Get => return Answer::Bytes(value.get(b"".as_slice()).cloned().or(default)),
        ValueOp::IsSet => return Answer::Flag(!value.is_empty()),
        ValueOp::Set(new) => {
            value.insert(Vec::new(), new.to_vec());
        }
        ValueOp::Update(new) => return Answer::Found(replace(value, b"", *new).or(default)),
        ValueOp::Clear => value.clear(),
    }
    Answer::Done
}

fn replace(map: &mut Map, key: &[u8], value: Option<Bytes>) -> Option<Vec<u8>> {
    match value {
        Some(value) => map.insert(key.to_vec(), value.to_vec()),
        None => map.remove(key),
    }
}
