use std::collections::VecDeque;

use super::{
    bucket::{Bucket, Memory},
    catalogue::{self, Catalogue, Head},
    key::{TimerKey, time_of},
    packed::Packed,
    store::Store,
};
use crate::{Engine, Error, ErrorKind, Result, TableId, WriteBatch};

/// The timers of one name, in buckets that follow each other.
///
/// A bucket's timers are in memory, or in the engine, or in the engine with later changes in memory. Timers fire
/// from the first bucket, which is brought into memory for it; memory is given back from the last one.
#[derive(Debug)]
pub(super) struct Service {
    name: String,
    schema: String,
    table: Option<TableId>,
    time_ms: Option<i64>,
    /// Never empty. The first one begins, whatever its start, before everything.
    buckets: VecDeque<Bucket>,
    next_id: u64,
    bucket_bytes: usize,
    memory: Memory,
    catalogue_rows: u32,
    saved: bool,
}

/// What a service needs to reach the engine.
pub(super) struct Lent<'a> {
    pub(super) engine: Option<&'a mut dyn Engine>,
    pub(super) batch: &'a mut WriteBatch,
    pub(super) scratch: &'a mut Vec<u8>,
}

/// What stands at the front of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Front {
    /// No timer up to the time in question.
    Later,
    /// A timer, perhaps of a later time.
    Ready,
    /// Timers that only the engine has, so many bytes.
    Stored(usize),
    /// A bucket without timers, before one that may have some.
    Spent,
}

/// Lends what was lent.
pub(super) fn reborrow<'e>(engine: &'e mut Option<&mut dyn Engine>) -> Option<&'e mut dyn Engine> {
    match engine {
        Some(engine) => Some(&mut **engine),
        None => None,
    }
}

impl Lent<'_> {
    fn store(&mut self, table: Option<TableId>) -> Result<Store<'_>> {
        let Some((engine, table)) = self.engine.as_deref_mut().zip(table) else {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                "timers are stored, but the backend lends no engine to read them",
            ));
        };
        Ok(Store { engine, table, batch: self.batch, scratch: self.scratch })
    }
}

impl Service {
    /// Opens what is stored in `table`, or begins anew.
    pub(super) fn open(
        name: &str,
        schema: String,
        bucket_bytes: usize,
        table: Option<TableId>,
        lent: &mut Lent<'_>,
    ) -> Result<Self> {
        let stored = match table {
            Some(_) => catalogue::read(&mut lent.store(table)?)?,
            None => None,
        };
        let saved = stored.is_some();
        let stored =
            stored.unwrap_or_else(|| Catalogue { schema: schema.clone(), ..Catalogue::default() });
        if stored.schema != schema {
            return Err(Error::new(
                ErrorKind::StateMismatch,
                format!("it is stored with namespaces of {}, not of {schema}", stored.schema),
            ));
        }
        let mut service = Self {
            name: name.to_owned(),
            schema,
            table,
            time_ms: stored.time_ms,
            buckets: VecDeque::new(),
            next_id: stored.next_id,
            bucket_bytes,
            memory: Memory::default(),
            catalogue_rows: stored.rows,
            saved,
        };
        for bucket in stored.buckets {
            service.insert(service.buckets.len(), bucket);
        }
        if service.buckets.is_empty() {
            let id = service.next_id;
            service.next_id += 1;
            service.insert(0, Bucket::new(TimerKey::least(), id, Packed::default()));
        }
        Ok(service)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn schema(&self) -> &str {
        &self.schema
    }

    /// Puts the service's name before the message of an error.
    pub(super) fn named(&self, error: Error) -> Error {
        error.context(format_args!("timer service {:?}", self.name))
    }

    pub(super) fn memory(&self) -> Memory {
        self.memory
    }

    pub(super) fn time_ms(&self) -> Option<i64> {
        self.time_ms
    }

    pub(super) fn advance_to(&mut self, time_ms: i64) {
        if self.time_ms.is_none_or(|now| now < time_ms) {
            self.time_ms = Some(time_ms);
            self.saved = false;
        }
    }

    pub(super) fn register(&mut self, timer: &[u8]) {
        let timer = TimerKey::new(timer);
        let index = self.position(&timer);
        self.saved = false;
        self.change(index, |bucket| bucket.register(timer));
        self.split(index);
    }

    /// Removes a timer and returns whether it was there. A bucket that has to be looked at is brought into memory if
    /// it has at most `room_bytes`.
    pub(super) fn remove(
        &mut self,
        timer: &[u8],
        room_bytes: usize,
        lent: &mut Lent<'_>,
    ) -> Result<bool> {
        let timer = TimerKey::new(timer);
        let mut index = self.position(&timer);
        self.saved = false;
        if !self.buckets[index].knows(&timer) {
            let mut store = lent.store(self.table)?;
            if self.buckets[index].timer_bytes() > room_bytes {
                return self.change(index, |bucket| bucket.remove_stored(&timer, &mut store));
            }
            self.load(index, &mut store)?;
            index = self.position(&timer);
        }
        Ok(self.change(index, |bucket| bucket.remove(&timer)))
    }

    /// Looks for what may fire up to `until_ms`.
    pub(super) fn front(&mut self, until_ms: i64) -> Front {
        let later = |bucket: &Bucket| bucket.start().time_ms() > until_ms;
        let front = &mut self.buckets[0];
        if later(front) {
            return Front::Later;
        }
        if !front.is_in_memory() {
            return Front::Stored(front.timer_bytes());
        }
        if self.change(0, |front| front.first().is_some()) {
            return Front::Ready;
        }
        if self.buckets.get(1).is_none_or(later) { Front::Later } else { Front::Spent }
    }

    /// Returns the time of the timer at the front, if it is [ready](Front::Ready).
    pub(super) fn first_ms(&mut self) -> Option<i64> {
        self.buckets[0].first().map(time_of)
    }

    /// Takes the timer at the front, if it is [ready](Front::Ready) and not later than `until_ms`. It stays if it
    /// cannot be decoded.
    pub(super) fn pop<T>(
        &mut self,
        until_ms: i64,
        decode: impl FnOnce(&[u8]) -> Result<T>,
    ) -> Result<Option<T>> {
        let Some(first) = self.buckets[0].first().filter(|first| time_of(first) <= until_ms) else {
            return Ok(None);
        };
        let timer = decode(first)?;
        self.saved = false;
        self.change(0, Bucket::take_first);
        Ok(Some(timer))
    }

    /// Brings the timers at the front into memory.
    pub(super) fn load_front(&mut self, lent: &mut Lent<'_>) -> Result<()> {
        self.load(0, &mut lent.store(self.table)?)?;
        Ok(())
    }

    /// Drops the bucket at the front, which has no timer.
    pub(super) fn drop_front(&mut self, lent: &mut Lent<'_>) -> Result<()> {
        self.saved = false;
        if self.buckets[0].rows().rows > 0 {
            self.buckets[0].clear(&mut lent.store(self.table)?)?;
        }
        self.forget_empty(0);
        Ok(())
    }

    /// Returns how many timers there are at most: those that were registered twice may count twice.
    pub(super) fn most(&self) -> u64 {
        self.buckets.iter().map(Bucket::most).sum()
    }

    pub(super) fn len(&mut self, lent: &mut Lent<'_>) -> Result<u64> {
        let mut timers = 0;
        for index in 0..self.buckets.len() {
            timers += if let Some(known) = self.buckets[index].len() {
                known
            } else {
                let read = self.read(index, lent)?;
                self.buckets[index].count(read.as_ref())
            };
        }
        Ok(timers)
    }

    /// Passes all timers to `visit` in their order.
    pub(super) fn for_each(
        &self,
        lent: &mut Lent<'_>,
        mut visit: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        for (index, bucket) in self.buckets.iter().enumerate() {
            let read = self.read(index, lent)?;
            bucket.iter(read.as_ref()).try_for_each(&mut visit)?;
        }
        Ok(())
    }

    /// Gives memory back until at most `goal_bytes` are left, from the timers that fire last.
    pub(super) fn shrink(&mut self, goal_bytes: usize, lent: &mut Lent<'_>) -> Result<()> {
        let mut store = lent.store(self.table)?;
        let mut index = self.buckets.len();
        while index > 0 && self.memory.timers > goal_bytes {
            index -= 1;
            if self.buckets[index].memory().timers > 0 {
                self.write(index, true, &mut store)?;
            }
        }
        Ok(())
    }

    /// Makes the engine hold everything.
    pub(super) fn save(&mut self, lent: &mut Lent<'_>) -> Result<()> {
        if self.saved {
            return Ok(());
        }
        let mut store = lent.store(self.table)?;
        for index in (0..self.buckets.len()).rev() {
            let forget = !self.buckets[index].is_in_memory();
            self.write(index, forget, &mut store)?;
        }
        let head = Head { schema: &self.schema, time_ms: self.time_ms, next_id: self.next_id };
        let stored = self.buckets.iter().filter(|bucket| bucket.rows().rows > 0);
        self.catalogue_rows = catalogue::write(&mut store, &head, stored, self.catalogue_rows)?;
        self.saved = true;
        Ok(())
    }

    /// Writes what a bucket has in memory and the engine lacks; gives back its memory if `forget` says so.
    fn write(&mut self, index: usize, forget: bool, store: &mut Store<'_>) -> Result<()> {
        let bucket = &self.buckets[index];
        self.saved &= bucket.is_written();
        let fits = bucket.is_written() || bucket.can_append(self.limit_bytes(bucket));
        let parts = if fits { 1 } else { self.load(index, store)? };
        for part in (index..index + parts).rev() {
            let limit_bytes = self.limit_bytes(&self.buckets[part]);
            self.change(part, |bucket| bucket.write(store, limit_bytes))?;
            if forget {
                self.change(part, Bucket::forget);
            }
            if self.buckets.len() > 1 && self.buckets[part].is_nothing() {
                self.forget_empty(part);
            }
        }
        Ok(())
    }

    /// Brings a bucket into memory and returns in how many it was split.
    fn load(&mut self, index: usize, store: &mut Store<'_>) -> Result<usize> {
        let end = self.buckets.get(index + 1).map(|next| next.start().clone());
        self.change(index, |bucket| bucket.load(store, end.as_ref()))?;
        self.saved &= self.buckets[index].is_written();
        Ok(self.split(index))
    }

    /// Reads what only the engine has of a bucket.
    fn read(&self, index: usize, lent: &mut Lent<'_>) -> Result<Option<Packed>> {
        let bucket = &self.buckets[index];
        if bucket.is_in_memory() {
            return Ok(None);
        }
        let end = self.buckets.get(index + 1).map(Bucket::start);
        bucket.read(&mut lent.store(self.table)?, end).map(Some)
    }

    /// Splits a bucket that has outgrown its limit and is in memory; returns in how many.
    fn split(&mut self, index: usize) -> usize {
        let bucket = &self.buckets[index];
        if !bucket.is_in_memory() || bucket.timer_bytes() <= self.limit_bytes(bucket) {
            return 1;
        }
        let (part_bytes, mut next_id) = (self.bucket_bytes, self.next_id);
        let parts = self.change(index, |bucket| bucket.split(part_bytes, &mut next_id));
        self.next_id = next_id;
        let count = parts.len() + 1;
        for (place, part) in (index + 1..).zip(parts) {
            self.insert(place, part);
        }
        count
    }

    /// Returns how large a bucket may grow. Differs between buckets, so that those that fill alike are not all split
    /// in one call.
    fn limit_bytes(&self, bucket: &Bucket) -> usize {
        let part = usize::try_from(bucket.id().wrapping_mul(37) % 64).unwrap_or_default();
        self.bucket_bytes + self.bucket_bytes / 2 + self.bucket_bytes * part / 64
    }

    /// Returns the index of the bucket that a timer belongs to.
    fn position(&self, timer: &TimerKey) -> usize {
        self.buckets.partition_point(|bucket| bucket.start() <= timer).saturating_sub(1)
    }

    fn insert(&mut self, index: usize, bucket: Bucket) {
        let Memory { timers, place } = bucket.memory();
        self.memory.timers += timers;
        self.memory.place += place;
        self.buckets.insert(index, bucket);
    }

    /// Drops a bucket without timers and rows.
    fn forget_empty(&mut self, index: usize) {
        if let Some(bucket) = self.buckets.remove(index) {
            let Memory { timers, place } = bucket.memory();
            self.memory.timers -= timers;
            self.memory.place -= place;
        }
    }

    /// Does something to a bucket and keeps the books.
    fn change<R>(&mut self, index: usize, action: impl FnOnce(&mut Bucket) -> R) -> R {
        let bucket = &mut self.buckets[index];
        let before = bucket.memory();
        let result = action(bucket);
        let after = bucket.memory();
        self.memory.timers = self.memory.timers - before.timers + after.timers;
        self.memory.place = self.memory.place - before.place + after.place;
        result
    }
}
