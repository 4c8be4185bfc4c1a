use std::any::{TypeId, type_name};

use super::{
    bucket::Memory,
    service::{Lent, Service, reborrow},
};
use crate::{
    Engine, Error, ErrorKind, MAX_STATE_NAME_BYTES, Result, StateKey, WriteBatch,
    engine_backend::table_name,
};

const TIMER_TABLE: &str = "timer.";

/// All timer services of one backend.
#[derive(Debug, Default)]
pub struct TimerServices {
    opened: Vec<Opened>,
    limits: Limits,
    batch: WriteBatch,
    row: Vec<u8>,
    scratch: Scratch,
}

#[derive(Debug)]
struct Opened {
    service: Service,
    namespace: TypeId,
    namespace_name: &'static str,
}

/// Memory for a timer that is being encoded.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) key: Vec<u8>,
    pub(super) timer: Vec<u8>,
}

/// Sizes that only tests change.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_field_names, reason = "units stand in names")]
pub(super) struct Limits {
    /// About how many bytes of timers are stored together.
    pub(super) bucket_bytes: usize,
    /// Memory that timers may take beside their index however small the budget: a few buckets, lest the same ones are
    /// read and written again and again.
    pub(super) least_bytes: usize,
    /// The most that is given back in one call, which bounds its duration.
    pub(super) step_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bucket_bytes: 128 << 10, least_bytes: 1 << 20, step_bytes: 8 << 20 }
    }
}

impl TimerServices {
    /// Writes all that is in memory to the engine, so that opening it again gives the same timers.
    ///
    /// Cost: what has changed since the last time, and the timers from which some have fired.
    pub(crate) fn save(&mut self, engine: &mut dyn Engine) -> Result<()> {
        for index in 0..self.opened.len() {
            let (service, mut lent, _) = self.lend(index, Some(engine));
            service.save(&mut lent).map_err(|error| service.named(error))?;
        }
        Ok(())
    }

    /// Returns about how many bytes the timers take in memory.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let Memory { timers, place } = self.memory();
        timers + place
    }

    /// Returns how many timers all services have at most: one that was registered twice may count twice until it is
    /// looked at. For metrics; [`Timers::len`](crate::Timers::len) is exact.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.opened.iter().map(|opened| opened.service.most()).sum()
    }

    /// Finds or opens a service and returns its index.
    pub(super) fn open<N: StateKey>(
        &mut self,
        name: &str,
        engine: Option<&mut dyn Engine>,
    ) -> Result<usize> {
        let found = self.opened.iter().position(|opened| opened.service.name() == name);
        if let Some(index) = found {
            self.opened[index].check::<N>()?;
            return Ok(index);
        }
        check_name(name)?;
        self.open_new::<N>(name, engine)
            .map_err(|error| error.context(format_args!("timer service {name:?}")))
    }

    fn open_new<N: StateKey>(
        &mut self,
        name: &str,
        mut engine: Option<&mut dyn Engine>,
    ) -> Result<usize> {
        let table = match &mut engine {
            Some(engine) => Some(engine.open_table(&table_name(TIMER_TABLE, name))?),
            None => None,
        };
        let engine = reborrow(&mut engine);
        let lent = &mut Lent { engine, batch: &mut self.batch, scratch: &mut self.row };
        let service = Service::open(name, N::schema(), self.limits.bucket_bytes, table, lent)?;
        let (namespace, namespace_name) = (TypeId::of::<N>(), type_name::<N>());
        self.opened.push(Opened { service, namespace, namespace_name });
        Ok(self.opened.len() - 1)
    }

    /// Lends a service with its way to the engine, and scratch memory for a timer.
    pub(super) fn lend<'s>(
        &'s mut self,
        index: usize,
        engine: Option<&'s mut dyn Engine>,
    ) -> (&'s mut Service, Lent<'s>, &'s mut Scratch) {
        let Self { opened, batch, row, scratch, .. } = self;
        (&mut opened[index].service, Lent { engine, batch, scratch: row }, scratch)
    }

    pub(super) fn service(&self, index: usize) -> &Service {
        &self.opened[index].service
    }

    /// Returns how much memory timers may still take.
    pub(super) fn room_bytes(&self, budget_bytes: usize) -> usize {
        self.allowed_bytes(budget_bytes).saturating_sub(self.memory().timers)
    }

    /// Gives memory back if there is no room for `bytes` more in the service `index`; the service that has most
    /// gives first.
    pub(super) fn make_room(
        &mut self,
        index: usize,
        bytes: usize,
        budget_bytes: usize,
        engine: Option<&mut dyn Engine>,
    ) -> Result<()> {
        let allowed = self.allowed_bytes(budget_bytes);
        let Some(engine) = engine else { return Ok(()) };
        if self.memory().timers + bytes <= allowed {
            return Ok(());
        }
        let step = self.limits.step_bytes.min(allowed / 2);
        let goal = (allowed - step).saturating_sub(bytes);
        for _ in 0..self.opened.len() {
            let excess = self.memory().timers.saturating_sub(goal);
            let sizes = self.opened.iter().map(|opened| opened.service.memory().timers);
            let largest = sizes.enumerate().max_by_key(|(_, size)| *size);
            let Some((giver, size)) = largest.filter(|_| excess > 0) else { break };
            let (service, mut lent, _) = self.lend(giver, Some(engine));
            let result = service.shrink(size.saturating_sub(excess), &mut lent);
            result.map_err(|error| if giver == index { error } else { service.named(error) })?;
        }
        Ok(())
    }

    fn allowed_bytes(&self, budget_bytes: usize) -> usize {
        budget_bytes.saturating_sub(self.memory().place).max(self.limits.least_bytes)
    }

    fn memory(&self) -> Memory {
        self.opened.iter().fold(Memory::default(), |sum, opened| {
            let Memory { timers, place } = opened.service.memory();
            Memory { timers: sum.timers + timers, place: sum.place + place }
        })
    }

    #[cfg(test)]
    pub(super) fn with_limits(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }
}

impl Opened {
    fn check<N: StateKey>(&self) -> Result<()> {
        if self.namespace == TypeId::of::<N>() {
            return Ok(());
        }
        let (was, now) = (self.service.schema(), N::schema());
        let message = if was == now {
            let (was, now) = (self.namespace_name, type_name::<N>());
            format!("it was opened with namespaces of the Rust type {was}, not of {now}")
        } else {
            format!("it was opened with namespaces of {was}, not of {now}")
        };
        Err(self.service.named(Error::new(ErrorKind::StateMismatch, message)))
    }
}

fn check_name(name: &str) -> Result<()> {
    if (1..=MAX_STATE_NAME_BYTES).contains(&name.len()) && !name.contains(char::is_control) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!(
            "a timer service's name must have 1 to {MAX_STATE_NAME_BYTES} bytes and no control \
             character, unlike {name:?} with {}",
            name.len()
        ),
    ))
}
