//! The kinds that are values: values themselves, reducing and aggregating state.

use keyed_state_core::{
    AggregateFunction, AggregatingDescriptor, AggregatingId, KeyedStateBackend,
    KeyedStateBackendExt, ReducingDescriptor, ReducingId, Result, Ttl, ValueDescriptor, ValueId,
    ValueState as _, ValueStateExt as _,
};

use super::{Kind, MergingKind, Namespace, join};
use crate::support::sorted;

/// Gathers texts in a list and gives them as one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gather;

impl AggregateFunction for Gather {
    type Input = String;
    type Accumulator = Vec<String>;
    type Output = String;

    fn create_accumulator(&self) -> Vec<String> {
        Vec::new()
    }

    fn add(&self, mut texts: Vec<String>, text: String) -> Result<Vec<String>> {
        texts.push(text);
        Ok(texts)
    }

    fn result(&self, texts: Vec<String>) -> Result<String> {
        Ok(texts.concat())
    }

    fn merge(&self, earlier: Vec<String>, later: Vec<String>) -> Result<Vec<String>> {
        join(String::new(), later.concat())?;
        Ok([earlier, later].concat())
    }
}

pub(super) struct InValue(ValueId<String, Namespace>);

impl InValue {
    pub(super) fn register(
        backend: &mut impl KeyedStateBackend,
        name: &str,
        ttl: Option<Ttl>,
    ) -> Result<Self> {
        let descriptor = described!(ValueDescriptor::new(format!("value-{name}")), ttl);
        backend.register_value(&descriptor).map(Self)
    }
}

impl<B: KeyedStateBackend> Kind<B> for InValue {
    listing!("value");

    fn add(&self, backend: &mut B, namespace: Namespace, text: &str) -> Result<()> {
        let mut value = backend.value_in(&self.0, &namespace)?;
        value.update(|earlier| Some(earlier.unwrap_or_default() + text))
    }

    fn read(&self, backend: &mut B, namespace: Namespace) -> Result<String> {
        Ok(backend.value_in(&self.0, &namespace)?.get()?.unwrap_or_default())
    }

    fn clear(&self, backend: &mut B, namespace: Namespace) -> Result<()> {
        backend.value_in(&self.0, &namespace)?.clear()
    }
}

type Join = fn(String, String) -> Result<String>;

pub(super) struct InReducing(ReducingId<String, Join, Namespace>);

impl InReducing {
    pub(super) fn register(
        backend: &mut impl KeyedStateBackend,
        name: &str,
        ttl: Option<Ttl>,
    ) -> Result<Self> {
        let function: Join = join;
        let descriptor = ReducingDescriptor::new(format!("reducing-{name}"), function);
        backend.register_reducing(&described!(descriptor, ttl)).map(Self)
    }
}

impl<B: KeyedStateBackend> Kind<B> for InReducing {
    listing!("reducing");

    fn add(&self, backend: &mut B, namespace: Namespace, text: &str) -> Result<()> {
        backend.reducing_in(&self.0, &namespace)?.add(text.to_owned())
    }

    fn read(&self, backend: &mut B, namespace: Namespace) -> Result<String> {
        Ok(backend.reducing_in(&self.0, &namespace)?.get()?.unwrap_or_default())
    }

    fn clear(&self, backend: &mut B, namespace: Namespace) -> Result<()> {
        backend.reducing_in(&self.0, &namespace)?.clear()
    }
}

impl<B: KeyedStateBackend> MergingKind<B> for InReducing {
    fn merge(&self, backend: &mut B, target: Namespace, sources: &[Namespace]) -> Result<()> {
        backend.merge_reducing(&self.0, &target, sources)
    }
}

pub(super) struct InAggregating(AggregatingId<Gather, Namespace>);

impl InAggregating {
    pub(super) fn register(
        backend: &mut impl KeyedStateBackend,
        name: &str,
        ttl: Option<Ttl>,
    ) -> Result<Self> {
        let descriptor = AggregatingDescriptor::new(format!("aggregating-{name}"), Gather);
        backend.register_aggregating(&described!(descriptor, ttl)).map(Self)
    }
}

impl<B: KeyedStateBackend> Kind<B> for InAggregating {
    listing!("aggregating");

    fn add(&self, backend: &mut B, namespace: Namespace, text: &str) -> Result<()> {
        backend.aggregating_in(&self.0, &namespace)?.add(text.to_owned())
    }

    fn read(&self, backend: &mut B, namespace: Namespace) -> Result<String> {
        Ok(backend.aggregating_in(&self.0, &namespace)?.get()?.unwrap_or_default())
    }

    fn clear(&self, backend: &mut B, namespace: Namespace) -> Result<()> {
        backend.aggregating_in(&self.0, &namespace)?.clear()
    }
}

impl<B: KeyedStateBackend> MergingKind<B> for InAggregating {
    fn merge(&self, backend: &mut B, target: Namespace, sources: &[Namespace]) -> Result<()> {
        backend.merge_aggregating(&self.0, &target, sources)
    }
}
