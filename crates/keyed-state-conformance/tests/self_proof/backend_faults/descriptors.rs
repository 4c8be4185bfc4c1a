//! The same states under other rules.

use std::time::Duration;

use keyed_state_core::{
    MapDescriptor, Result, StateDefinition, StateKey, StateValue, TimeDomain, Touch, Ttl,
    ValueDescriptor,
};

/// Reads the TTL from a definition, which spells it as `ttl 100 ms after write in processing time`.
pub(super) fn ttl(definition: &StateDefinition) -> Option<Ttl> {
    let (_, rule) = definition.schema().split_once(", ttl ")?;
    let (ms, rule) = rule.split_once(" ms after ").expect("a TTL is in milliseconds");
    let duration = Duration::from_millis(ms.parse().expect("milliseconds are a number"));
    let touch =
        if rule.starts_with("read or write") { Touch::OnReadAndWrite } else { Touch::OnWrite };
    let time =
        if rule.ends_with("in event time") { TimeDomain::Event } else { TimeDomain::Processing };
    Some(Ttl::new(duration).touch(touch).time(time))
}

/// Describes the map of `definition` with another TTL, or with none.
pub(super) fn map<UK: StateKey, UV: StateValue, N: StateKey>(
    definition: &StateDefinition,
    ttl: Option<Ttl>,
) -> MapDescriptor<UK, UV, N> {
    let descriptor = MapDescriptor::new(definition.name());
    let descriptor = match definition.clear_strategy() {
        Some(strategy) => descriptor.clear_strategy(strategy),
        None => descriptor,
    };
    match ttl {
        Some(ttl) => descriptor.ttl(ttl),
        None => descriptor,
    }
}

/// Describes a value with another TTL, or with none.
pub(super) fn value<V: StateValue, N: StateKey>(
    like: &ValueDescriptor<V, N>,
    ttl: Option<Ttl>,
) -> Result<ValueDescriptor<V, N>> {
    let descriptor = ValueDescriptor::new(like.definition()?.name());
    let descriptor = match like.default() {
        Some(value) => descriptor.default_value(value.clone()),
        None => descriptor,
    };
    Ok(match ttl {
        Some(ttl) => descriptor.ttl(ttl),
        None => descriptor,
    })
}
