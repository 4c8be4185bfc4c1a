//! The reference model: what every backend must do, in the fewest words.

use std::collections::BTreeMap;

use keyed_state_core::{Capabilities, ErrorKind, MaxParallelism};

use super::{
    Bytes, Kind, Op, Scope, TimerOp, ValueOp, Visit,
    answer::{Answer, Held, Place},
    kinds::{aggregating, list, map, reducing, timers::Service, value},
    state::State,
};

mod merge;
mod times;
mod view;

pub(super) use times::START_MS;
use times::Times;
pub(super) use view::View;
use view::{Entries, live};

/// A state's entries under each key and namespace; those without any are taken out.
type Places = BTreeMap<Place, Entries>;

#[derive(Debug)]
pub(super) struct Expected {
    capabilities: Capabilities,
    groups: MaxParallelism,
    key: Option<Vec<u8>>,
    namespace: Bytes,
    times: Times,
    /// Every state that was used.
    states: BTreeMap<State, Places>,
    /// Every timer service that was used.
    services: BTreeMap<Scope, Service>,
}

impl Expected {
    pub(super) fn new(capabilities: Capabilities, groups: MaxParallelism) -> Self {
        Self {
            capabilities,
            groups,
            key: None,
            namespace: b"",
            times: Times::new(),
            states: BTreeMap::new(),
            services: BTreeMap::new(),
        }
    }

    /// Returns the current key.
    pub(super) fn key(&self) -> Option<&[u8]> {
        self.key.as_deref()
    }

    pub(super) fn namespace(&self) -> Bytes {
        self.namespace
    }

    /// Returns the states that were used.
    pub(super) fn used_states(&self) -> Vec<State> {
        self.states.keys().copied().collect()
    }

    /// Returns the timer services that were used.
    pub(super) fn used_services(&self) -> Vec<Scope> {
        self.services.keys().copied().collect()
    }

    pub(super) fn apply(&mut self, op: &Op) -> Answer {
        self.attempt(op).unwrap_or_else(Answer::Refused)
    }

    fn attempt(&mut self, op: &Op) -> Result<Answer, ErrorKind> {
        match op {
            Op::SetKey(key) => self.key = Some(key.to_vec()),
            Op::UnsetKey => self.key = None,
            Op::SetNamespace(namespace) => self.namespace = namespace,
            Op::Map(scope, ops) => return self.view(Kind::Map, *scope, ops, map::expect),
            Op::Value(scope, ops) => {
                let expect = |view: &mut View<'_>, op: &ValueOp| value::expect(view, *scope, op);
                return self.view(Kind::Value, *scope, ops, expect);
            }
            Op::List(scope, ops) => return self.view(Kind::List, *scope, ops, list::expect),
            Op::Reducing(scope, ops) => {
                return self.view(Kind::Reducing, *scope, ops, reducing::expect);
            }
            Op::Aggregating(scope, ops) => {
                return self.view(Kind::Aggregating, *scope, ops, aggregating::expect);
            }
            Op::Merge(merge, scope, target, sources) => {
                self.merge(*merge, *scope, target, sources)?;
            }
            Op::Keys(kind, scope) => {
                let pairs = self.pairs(*kind, *scope)?;
                return Ok(Answer::Listing(self.here(*scope, &pairs), pairs));
            }
            Op::ForEachKey(kind, scope, visit) => return self.for_each_key(*kind, *scope, *visit),
            Op::Expired(kind, scope) => return self.expired(*kind, *scope),
            Op::Timers(scope, ops) => return self.timers(*scope, ops),
            Op::Fire(scope, most, by) => return Ok(self.fire(*scope, *most, *by)),
            Op::Clock(by) => return Ok(Answer::Time(Some(self.times.move_clock(*by)))),
            Op::Watermark(by) => return Ok(Answer::Time(self.times.move_watermark(*by))),
            Op::Flush => {}
            Op::Compact => self.compact()?,
            Op::Reopen => {
                if !self.capabilities.durable {
                    self.times.forget();
                    self.states.clear();
                    self.services.clear();
                }
            }
        }
        Ok(Answer::Done)
    }

    /// Does operations through one view.
    fn view<O>(
        &mut self,
        kind: Kind,
        scope: Scope,
        ops: &[O],
        expect: impl Fn(&mut View<'_>, &O) -> Result<Answer, ErrorKind>,
    ) -> Result<Answer, ErrorKind> {
        let place = self.place(scope, self.namespace)?;
        let life = self.times.life(scope);
        let places = self.states.entry(State(kind, scope)).or_default();
        let mut entries = places.remove(&place).unwrap_or_default();
        let mut view = View { entries: &mut entries, life };
        let answers = ops.iter().map(|op| expect(&mut view, op)).collect::<Result<_, _>>();
        if !entries.is_empty() {
            places.insert(place, entries);
        }
        answers.map(Answer::Several)
    }

    /// Returns where a state keeps what it has under the current key and `namespace`.
    fn place(&self, scope: Scope, namespace: Bytes) -> Result<Place, ErrorKind> {
        self.check(scope)?;
        let key = self.key.clone().ok_or(ErrorKind::NoCurrentKey)?;
        Ok((key, scope.namespace(namespace).to_vec()))
    }

    /// Refuses a state that cannot be registered.
    fn check(&self, scope: Scope) -> Result<(), ErrorKind> {
        if scope.ttl().is_some() && !self.capabilities.ttl {
            return Err(ErrorKind::Unsupported);
        }
        Ok(())
    }

    /// Returns the keys and namespaces that have anything live.
    fn pairs(&self, kind: Kind, scope: Scope) -> Result<Vec<Place>, ErrorKind> {
        self.check(scope)?;
        let life = self.times.life(scope);
        let places = self.states.get(&State(kind, scope)).into_iter().flatten();
        let alive = places.filter(|(_, entries)| live(entries, life).next().is_some());
        Ok(alive.map(|(place, _)| place.clone()).collect())
    }

    /// Returns the keys of `pairs` in the current namespace.
    fn here(&self, scope: Scope, pairs: &[Place]) -> Vec<Vec<u8>> {
        let here = scope.namespace(self.namespace);
        let pairs = pairs.iter().filter(|(_, namespace)| namespace == here);
        pairs.map(|(key, _)| key.clone()).collect()
    }

    fn for_each_key(
        &mut self,
        kind: Kind,
        scope: Scope,
        visit: Visit,
    ) -> Result<Answer, ErrorKind> {
        let keys = self.here(scope, &self.pairs(kind, scope)?);
        if visit == Visit::Fail && !keys.is_empty() {
            return Err(ErrorKind::Function);
        }
        let before = self.key.take();
        for key in &keys {
            if visit == Visit::Clear {
                self.key = Some(key.clone());
                self.attempt(&kind.clear(scope))?;
            } else {
                self.key = Some([key.as_slice(), b"a"].concat());
                self.attempt(&kind.add(scope))?;
            }
        }
        self.key = before;
        Ok(Answer::Visited(keys))
    }

    /// Does operations on the timers of a service.
    fn timers(&mut self, scope: Scope, ops: &[TimerOp]) -> Result<Answer, ErrorKind> {
        let (groups, key) = (self.groups, self.key.as_deref());
        let service = self.services.entry(scope).or_default();
        let namespace = scope.namespace(self.namespace);
        let answers = ops.iter().map(|op| service.expect(groups, key, namespace, op));
        answers.collect::<Result<_, _>>().map(Answer::Several)
    }

    /// Pops timers, and registers each again.
    fn fire(&mut self, scope: Scope, most: usize, by: i64) -> Answer {
        let service = self.services.entry(scope).or_default();
        let mut fired = Vec::new();
        while fired.len() < most
            && let Some((time_ms, key, namespace)) = service.pop()
        {
            let again = (time_ms.saturating_add(by), key.clone(), namespace.clone());
            service.register(self.groups, again);
            fired.push((time_ms, key, namespace));
        }
        Answer::Fired(fired)
    }

    /// Counts what has expired and was neither removed nor replaced: the most that may still be stored.
    fn expired(&self, kind: Kind, scope: Scope) -> Result<Answer, ErrorKind> {
        self.check(scope)?;
        let life = self.times.life(scope);
        let places = self.states.get(&State(kind, scope)).into_iter().flatten();
        let expired = |entries: &Entries| entries.len() - live(entries, life).count();
        Ok(Answer::Expired(places.map(|(_, entries)| expired(entries) as u64).sum()))
    }

    /// Compaction filters leave nothing that has expired.
    fn compact(&mut self) -> Result<(), ErrorKind> {
        if !self.capabilities.compact {
            return Err(ErrorKind::Unsupported);
        }
        if self.capabilities.compaction_filter {
            for (State(_, scope), places) in &mut self.states {
                let life = self.times.life(*scope);
                for entries in places.values_mut() {
                    entries.retain(|_, entry| !life.is_over(entry.touched_ms));
                }
                places.retain(|_, entries| !entries.is_empty());
            }
        }
        Ok(())
    }

    /// Returns all that is stored and has not expired. Lists, reducing and aggregating states are read, with
    /// the touches that this makes.
    pub(super) fn everything(&mut self) -> Answer {
        let mut everything = Vec::new();
        for (state, places) in &mut self.states {
            let life = self.times.life(state.1);
            for (place, entries) in places {
                let held = held(state.0, &mut View { entries, life });
                if !held.is_empty() {
                    everything.push((*state, place.clone(), held));
                }
            }
        }
        Answer::Everything(everything)
    }
}

/// Returns what is live in a view, as far as its kind of state shows it.
fn held(kind: Kind, view: &mut View<'_>) -> Vec<Held> {
    let entries = view.live();
    match kind {
        Kind::Map | Kind::Value => view.stamped(),
        Kind::List | Kind::Reducing => {
            view.read_all(&entries);
            entries.into_iter().map(|(_, value)| (Vec::new(), value, None)).collect()
        }
        Kind::Aggregating => {
            view.read_all(&entries);
            let result = |(_, value)| (Vec::new(), aggregating::bracket(value), None);
            entries.into_iter().map(result).collect()
        }
    }
}
