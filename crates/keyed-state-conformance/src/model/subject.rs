use keyed_state_core::{
    KeyedStateBackend, KeyedStateBackendExt, MapDescriptor, MapId, MapState, MapStateExt, Result,
    StateKey, ValueDescriptor, ValueId, ValueState, ValueStateExt,
};

use super::{
    MapOp, Op, Scope, ValueOp,
    answer::{Answer, Entry},
    expected::DEFAULT,
};
use crate::support::sorted;

type Key = Vec<u8>;

/// The backend under test and its four states.
pub(super) struct Subject<B> {
    pub(super) backend: B,
    namespace: Key,
    map: MapId<Key, Key>,
    map_in: MapId<Key, Key, Key>,
    value: ValueId<Key>,
    value_in: ValueId<Key, Key>,
}

impl<B: KeyedStateBackend<Key = Key>> Subject<B> {
    pub(super) fn register(mut backend: B) -> Result<Self> {
        let with_default = ValueDescriptor::new("value").default_value(DEFAULT.to_vec());
        Ok(Self {
            map: backend.register_map(&MapDescriptor::new("map"))?,
            map_in: backend.register_map(&MapDescriptor::new("map in namespace"))?,
            value: backend.register_value(&with_default)?,
            value_in: backend.register_value(&ValueDescriptor::new("value in namespace"))?,
            namespace: Vec::new(),
            backend,
        })
    }

    /// Does `op`; [`Op::Reopen`] is done by the owner.
    pub(super) fn apply(&mut self, op: &Op) -> Result<Answer> {
        match op {
            Op::SetKey(key) => self.backend.set_current_key(&key.to_vec())?,
            Op::SetNamespace(namespace) => self.set_namespace(namespace),
            Op::Map(Scope::Plain, op) => return on_map(self.backend.map(&self.map)?, op),
            Op::Map(Scope::Namespace, op) => {
                return on_map(self.backend.map_in(&self.map_in, &self.namespace)?, op);
            }
            Op::Value(Scope::Plain, op) => return on_value(self.backend.value(&self.value)?, op),
            Op::Value(Scope::Namespace, op) => {
                return on_value(self.backend.value_in(&self.value_in, &self.namespace)?, op);
            }
            Op::ListMap(Scope::Plain) => return listing(&mut self.backend, &self.map, &()),
            Op::ListMap(Scope::Namespace) => {
                return listing(&mut self.backend, &self.map_in, &self.namespace);
            }
            Op::ListValue(Scope::Plain) => return listing(&mut self.backend, &self.value, &()),
            Op::ListValue(Scope::Namespace) => {
                return listing(&mut self.backend, &self.value_in, &self.namespace);
            }
            Op::Flush => self.backend.flush()?,
            Op::Compact => self.backend.compact()?,
            Op::Reopen => {}
        }
        Ok(Answer::Done)
    }

    pub(super) fn set_namespace(&mut self, namespace: &[u8]) {
        self.namespace = namespace.to_vec();
    }

    /// Reads all that is stored, state by state. The current key is another one afterwards.
    pub(super) fn everything(&mut self) -> Result<Answer> {
        let mut all = Vec::new();
        for (key, ()) in sorted(self.backend.keys_and_namespaces(&self.map)?) {
            self.backend.set_current_key(&key)?;
            let entries = self.backend.map(&self.map)?.iter()?.collect::<Result<_>>()?;
            all.push(((key, Vec::new()), entries));
        }
        for (key, namespace) in sorted(self.backend.keys_and_namespaces(&self.map_in)?) {
            self.backend.set_current_key(&key)?;
            let map = self.backend.map_in(&self.map_in, &namespace)?;
            let entries = map.iter()?.collect::<Result<_>>()?;
            all.push(((key, namespace), entries));
        }
        for (key, ()) in sorted(self.backend.keys_and_namespaces(&self.value)?) {
            self.backend.set_current_key(&key)?;
            let value = self.backend.value(&self.value)?.get()?;
            all.push((
                (key, Vec::new()),
                value.map(|value| (Vec::new(), value)).into_iter().collect(),
            ));
        }
        for (key, namespace) in sorted(self.backend.keys_and_namespaces(&self.value_in)?) {
            self.backend.set_current_key(&key)?;
            let value = self.backend.value_in(&self.value_in, &namespace)?.get()?;
            all.push((
                (key, namespace),
                value.map(|value| (Vec::new(), value)).into_iter().collect(),
            ));
        }
        Ok(Answer::Everything(all))
    }
}

fn listing<B, S>(backend: &mut B, state: &S, namespace: &S::Namespace) -> Result<Answer>
where
    B: KeyedStateBackend<Key = Key>,
    S: keyed_state_core::StateId<Namespace: AsBytes>,
{
    let keys = sorted(backend.keys(state, namespace)?);
    let pairs = backend.keys_and_namespaces(state)?;
    Ok(Answer::Listing(keys, sorted(pairs.map(|(key, n)| (key, n.as_bytes())))))
}

/// The two types of namespace, in one form.
trait AsBytes: StateKey {
    fn as_bytes(&self) -> Vec<u8>;
}

impl AsBytes for () {
    fn as_bytes(&self) -> Vec<u8> {
        Vec::new()
    }
}

impl AsBytes for Key {
    fn as_bytes(&self) -> Vec<u8> {
        self.clone()
    }
}

fn on_map(mut map: impl MapState<Key, Key>, op: &MapOp) -> Result<Answer> {
    match op {
        MapOp::Get(key) => return Ok(Answer::Bytes(map.get(*key)?)),
        MapOp::Contains(key) => return Ok(Answer::Flag(map.contains(*key)?)),
        MapOp::Put(key, value) => map.put(key.to_vec(), value.to_vec())?,
        MapOp::PutAll(entries) => {
            map.put_all(entries.iter().map(|(key, value)| (key.to_vec(), value.to_vec())))?;
        }
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
        MapOp::Iter(ends) => return walk(map.iter()?, *ends),
        MapOp::Range(start, end, ends) => {
            return walk(map.range::<[u8], _>((*start, *end))?, *ends);
        }
        MapOp::First => return Ok(Answer::Entries(map.first()?.into_iter().collect())),
        MapOp::Last => return Ok(Answer::Entries(map.last()?.into_iter().collect())),
        MapOp::Len => return Ok(Answer::Count(map.len()?)),
        MapOp::IsEmpty => return Ok(Answer::Flag(map.is_empty()?)),
        MapOp::Clear => map.clear()?,
    }
    Ok(Answer::Done)
}

/// Walks from both ends as the bits of `ends` say, and puts the halves together.
fn walk(mut iter: impl DoubleEndedIterator<Item = Result<Entry>>, ends: u8) -> Result<Answer> {
    let (mut front, mut back) = (Vec::new(), Vec::new());
    for step in 0_u32.. {
        let from_back = ends >> (step % 8) & 1 == 1;
        match if from_back { iter.next_back() } else { iter.next() } {
            Some(entry) if from_back => back.push(entry?),
            Some(entry) => front.push(entry?),
            None => break,
        }
    }
    front.extend(back.into_iter().rev());
    // An iterator that goes on after its end gives what the model does not have.
    front.extend(iter.next().transpose()?);
    front.extend(iter.next_back().transpose()?);
    Ok(Answer::Entries(front))
}

fn on_value(mut value: impl ValueState<Key>, op: &ValueOp) -> Result<Answer> {
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
