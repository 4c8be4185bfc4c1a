use std::cmp::Ordering;

use super::{
    changes::{Changes, Mark, merged},
    key::{TimerKey, compare},
    packed::Packed,
    store::Stored,
};

/// The timers between its start and the start of the next bucket.
///
/// Always: the timers are `timers` after `changes`. If `timers` is `None` or not `stale`, the rows in the engine
/// say the same as `timers`.
#[derive(Debug)]
pub(super) struct Bucket {
    /// Not after any timer in the bucket.
    pub(super) start: TimerKey,
    pub(super) id: u64,
    /// `None` if only the engine has them.
    pub(super) timers: Option<Packed>,
    pub(super) changes: Changes,
    pub(super) stored: Stored,
    pub(super) stale: bool,
}

/// Memory of a bucket.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    /// What is given back when the bucket is forgotten.
    pub(super) timers: usize,
    /// What its place among the other buckets takes.
    pub(super) place: usize,
}

impl Bucket {
    /// Makes a bucket in memory, of which the engine has nothing.
    pub(super) fn new(start: TimerKey, id: u64, timers: Packed) -> Self {
        Self {
            start,
            id,
            timers: Some(timers),
            changes: Changes::default(),
            stored: Stored::default(),
            stale: true,
        }
    }

    /// Makes a bucket that only the engine has.
    pub(super) fn stored(start: TimerKey, id: u64, stored: Stored) -> Self {
        let changes = Changes::default();
        Self { start, id, timers: None, changes, stored, stale: false }
    }

    pub(super) fn start(&self) -> &TimerKey {
        &self.start
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    pub(super) fn rows(&self) -> &Stored {
        &self.stored
    }

    pub(super) fn is_in_memory(&self) -> bool {
        self.timers.is_some()
    }

    pub(super) fn memory(&self) -> Memory {
        let timers = self.timers.as_ref().map_or(0, Packed::memory_bytes);
        Memory {
            timers: timers + self.changes.memory_bytes(),
            place: size_of::<Self>() + self.start.heap_bytes(),
        }
    }

    /// Returns how long all timers are together, counting those twice that are registered again.
    pub(super) fn timer_bytes(&self) -> usize {
        let timers = self.timers.as_ref().map_or(self.stored.timer_bytes, Packed::timer_bytes);
        timers + self.changes.timer_bytes()
    }

    /// Returns how many timers there are at most.
    pub(super) fn most(&self) -> u64 {
        let timers = self.timers.as_ref().map_or(self.stored.timers, |timers| timers.len() as u64);
        timers + self.changes.len() as u64
    }

    pub(super) fn register(&mut self, timer: TimerKey) {
        if timer < self.start {
            self.start = timer.clone();
        }
        self.changes.set(timer, Mark::Registered);
    }

    /// Returns whether memory can tell if a timer is registered.
    pub(super) fn knows(&self, timer: &TimerKey) -> bool {
        self.timers.is_some() || *timer < self.start || self.changes.get(timer).is_some()
    }

    /// Removes a timer that the bucket [knows](Self::knows) of; returns whether it was there.
    pub(super) fn remove(&mut self, timer: &TimerKey) -> bool {
        let below = match &self.timers {
            Some(timers) => timers.contains(timer.bytes()),
            // Perhaps.
            None => *timer >= self.start,
        };
        let there = self.changes.get(timer).map_or(below, |mark| mark == Mark::Registered);
        match (there, below) {
            (true, true) => self.changes.set(timer.clone(), Mark::Removed),
            (true, false) => self.changes.unset(timer),
            (false, _) => {}
        }
        there
    }

    /// Returns the first timer of a bucket in memory.
    pub(super) fn first(&mut self) -> Option<&[u8]> {
        while let (Some(timers), Some((change, Mark::Removed))) =
            (&mut self.timers, self.changes.first())
        {
            match timers.first().map(|first| compare(first, change.bytes())) {
                Some(Ordering::Less) => break,
                Some(Ordering::Equal) => {
                    timers.take_first();
                    self.stale = true;
                }
                _ => {}
            }
            self.changes.take_first();
        }
        let first = self.timers.as_ref().and_then(Packed::first);
        let change = self.changes.first().map(|(change, _)| change.bytes());
        match (first, change) {
            (Some(first), Some(change)) if compare(change, first).is_lt() => Some(change),
            (None, change) => change,
            (first, _) => first,
        }
    }

    /// Takes what [`first`](Self::first) returned.
    pub(super) fn take_first(&mut self) {
        let first = self.timers.as_ref().and_then(Packed::first);
        let change = self.changes.first().map(|(change, _)| change.bytes());
        let order = match (first, change) {
            (Some(first), Some(change)) => compare(first, change),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        if order.is_ge() {
            self.changes.take_first();
        }
        if order.is_le()
            && let Some(timers) = &mut self.timers
        {
            timers.take_first();
            self.stale = true;
        }
    }

    /// Returns whether there is nothing, in memory or in the engine.
    pub(super) fn is_nothing(&self) -> bool {
        self.most() == 0 && self.stored.rows == 0
    }

    /// Returns the number of timers, if counting needs no more than to look at it.
    pub(super) fn len(&self) -> Option<u64> {
        match &self.timers {
            _ if !self.changes.is_empty() => None,
            Some(timers) => Some(timers.len() as u64),
            None => self.stored.exact.then_some(self.stored.timers),
        }
    }

    /// Counts the timers. Those that only the engine has were [read](Self::read) before.
    pub(super) fn count(&mut self, read: Option<&Packed>) -> u64 {
        if let Some(read) = read {
            self.stored.timers = read.len() as u64;
            self.stored.exact = true;
        }
        self.iter(read).count() as u64
    }

    /// Iterates over the timers in order. Those that only the engine has were [read](Self::read) before.
    pub(super) fn iter<'a>(&'a self, read: Option<&'a Packed>) -> impl Iterator<Item = &'a [u8]> {
        merged(read.or(self.timers.as_ref()), &self.changes)
    }

    /// Cuts a bucket in memory into parts of about `part_bytes`: itself and those that are returned, with
    /// ids from `next_id` on.
    pub(super) fn split(&mut self, part_bytes: usize, next_id: &mut u64) -> Vec<Self> {
        let mut parts = self.parts(part_bytes).into_iter();
        self.set_timers(parts.next().unwrap_or_default());
        let after = parts.filter_map(|part| {
            let start = TimerKey::new(part.first()?);
            *next_id += 1;
            Some(Self::new(start, *next_id - 1, part))
        });
        after.collect()
    }

    /// Applies the changes of a bucket in memory to its timers.
    pub(super) fn fold(&mut self) {
        if !self.changes.is_empty() {
            let folded = self.parts(usize::MAX).pop().unwrap_or_default();
            self.set_timers(folded);
        }
    }

    fn set_timers(&mut self, timers: Packed) {
        self.timers = Some(timers);
        self.changes = Changes::default();
        self.stale = true;
    }

    fn parts(&self, part_bytes: usize) -> Vec<Packed> {
        let bytes = self.timer_bytes();
        let parts = (bytes.saturating_add(part_bytes / 2) / part_bytes.max(1)).max(1);
        let part_bytes = bytes.div_ceil(parts);
        let part_timers = usize::try_from(self.most()).unwrap_or_default().div_ceil(parts);
        let new = || Packed::with_capacity(part_timers, part_bytes);
        let (mut done, mut part) = (Vec::with_capacity(parts), new());
        for timer in self.iter(None) {
            if !part.is_empty() && part.timer_bytes() >= part_bytes {
                done.push(std::mem::replace(&mut part, new()).shrunk());
            }
            part.push(timer);
        }
        done.push(part.shrunk());
        done
    }
}
