use std::{fmt, marker::PhantomData};

use super::{
    TimerAccess,
    key::{self, split},
    service::{Front, reborrow},
};
use crate::{Error, ErrorKind, Result, StateKey};

/// A timer: it fires when the time of its service reaches `time_ms`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Timer<K, N> {
    /// When it fires, in milliseconds.
    pub time_ms: i64,
    /// The key that it was registered under.
    pub key: K,
    /// The namespace that it was registered with.
    pub namespace: N,
}

/// View of a timer service: the set of its timers, each a time, a key and a namespace (contract W1).
///
/// A service has a time of its own, in milliseconds, which the caller moves forward: the watermark for timers of event time, a
/// clock for timers of processing time. Timers up to it are due, and are taken one by one, in the order time, key group,
/// key bytes, namespace bytes (contract W2). Nothing fires by itself.
///
/// Timers and the time are kept over closing and opening again. Those beyond the backend's memory budget are written to its
/// engine, the ones that fire last first.
pub struct Timers<'a, K, N> {
    access: TimerAccess<'a, K>,
    service: usize,
    types: PhantomData<fn() -> N>,
}

impl<'a, K: StateKey, N: StateKey> Timers<'a, K, N> {
    pub(crate) fn open(mut access: TimerAccess<'a, K>, name: &str) -> Result<Self> {
        let service = access.context.timers_mut().open::<N>(name, reborrow(&mut access.engine))?;
        Ok(Self { access, service, types: PhantomData })
    }

    /// Registers a timer for the current key; registered twice, it fires once.
    ///
    /// A timer at or before the current time fires at the next advance, or in the present one if its timers are still being
    /// taken. Reads nothing; may write others to the engine.
    ///
    /// # Errors
    ///
    /// [`NoCurrentKey`](ErrorKind::NoCurrentKey); [`InvalidArgument`](ErrorKind::InvalidArgument) if key and namespace
    /// are too long together. The engine's; the timer is not registered then.
    pub fn register(&mut self, time_ms: i64, namespace: &N) -> Result<()> {
        self.attempt(|this| {
            this.encode(time_ms, namespace)?;
            this.make_room(0)?;
            let (service, _, scratch) = this.access.context.timers_mut().lend(this.service, None);
            service.register(&scratch.timer);
            Ok(())
        })
    }

    /// Removes a timer of the current key, and returns whether it was there.
    ///
    /// Cost: nothing much for a timer in memory. For one that was written to the engine, a read of those near it, some
    /// thousands, which are then kept in memory if there is room.
    ///
    /// # Errors
    ///
    /// As [`register`](Self::register), and [`Codec`](ErrorKind::Codec) if what is stored is damaged. Nothing is
    /// removed then.
    pub fn remove(&mut self, time_ms: i64, namespace: &N) -> Result<bool> {
        self.attempt(|this| {
            this.encode(time_ms, namespace)?;
            this.make_room(0)?;
            let room = this.access.context.timers().room_bytes(this.budget_bytes());
            let engine = reborrow(&mut this.access.engine);
            let (service, mut lent, scratch) =
                this.access.context.timers_mut().lend(this.service, engine);
            service.remove(&scratch.timer, room, &mut lent)
        })
    }

    /// Moves the service's time forward to `time_ms`, so that timers up to it are due; an earlier time changes nothing.
    ///
    /// # Errors
    ///
    /// None at present.
    pub fn advance_to(&mut self, time_ms: i64) -> Result<()> {
        self.access.context.timers_mut().lend(self.service, None).0.advance_to(time_ms);
        Ok(())
    }

    /// Takes the next due timer: the first one up to the current time; `None` if there is none, and before the first
    /// [`advance_to`](Self::advance_to).
    ///
    /// A timer that is registered between two calls, at or before the current time, comes in its turn.
    ///
    /// # Errors
    ///
    /// [`Codec`](ErrorKind::Codec) if what is stored is damaged, and the engine's. The timer stays then.
    pub fn pop_due(&mut self) -> Result<Option<Timer<K, N>>> {
        self.attempt(|this| {
            let Some(now) = this.current_time() else { return Ok(None) };
            if !this.bring_front(now)? {
                return Ok(None);
            }
            let (service, ..) = this.access.context.timers_mut().lend(this.service, None);
            service.pop(now, decode)
        })
    }

    /// Returns the service's time in milliseconds, or `None` before the first [`advance_to`](Self::advance_to).
    #[must_use]
    pub fn current_time(&self) -> Option<i64> {
        self.access.context.timers().service(self.service).time_ms()
    }

    /// Returns the earliest time of a registered timer, due or not.
    ///
    /// # Errors
    ///
    /// As [`pop_due`](Self::pop_due).
    pub fn next_due(&mut self) -> Result<Option<i64>> {
        self.attempt(|this| {
            if !this.bring_front(i64::MAX)? {
                return Ok(None);
            }
            Ok(this.access.context.timers_mut().lend(this.service, None).0.first_ms())
        })
    }

    /// Counts the timers, of all keys.
    ///
    /// Cost: timers that were written to the engine and then had others registered among them are read to tell which
    /// were registered twice, all of them in the worst case. For a figure at no cost, see
    /// [`TimerServices::most`](crate::TimerServices::most).
    ///
    /// # Errors
    ///
    /// As [`pop_due`](Self::pop_due).
    pub fn len(&mut self) -> Result<u64> {
        self.attempt(|this| {
            let engine = reborrow(&mut this.access.engine);
            let (service, mut lent, _) =
                this.access.context.timers_mut().lend(this.service, engine);
            service.len(&mut lent)
        })
    }

    /// Returns whether there is no timer, of any key.
    ///
    /// # Errors
    ///
    /// As [`pop_due`](Self::pop_due).
    pub fn is_empty(&mut self) -> Result<bool> {
        Ok(self.next_due()?.is_none())
    }

    /// Returns the times of the timers of the current key and `namespace`, ascending.
    ///
    /// Cost: a walk over all timers of the service, since they are kept by time.
    ///
    /// # Errors
    ///
    /// [`NoCurrentKey`](ErrorKind::NoCurrentKey), and as [`pop_due`](Self::pop_due).
    pub fn times(&mut self, namespace: &N) -> Result<Vec<i64>> {
        self.attempt(|this| {
            this.encode(0, namespace)?;
            let engine = reborrow(&mut this.access.engine);
            let (service, mut lent, scratch) =
                this.access.context.timers_mut().lend(this.service, engine);
            let mut times = Vec::new();
            let wanted = key::without_time(&scratch.timer);
            service.for_each(&mut lent, |timer| {
                if key::without_time(timer) == wanted {
                    times.push(key::time_of(timer));
                }
                Ok(())
            })?;
            Ok(times)
        })
    }

    /// Passes all timers, of all keys, to `visit` in the order in which they fire.
    ///
    /// Cost: a walk over all timers of the service, a few thousand in memory at a time.
    ///
    /// # Errors
    ///
    /// The first of `visit`, which ends the walk, and as [`pop_due`](Self::pop_due).
    pub fn for_each(&mut self, mut visit: impl FnMut(Timer<K, N>) -> Result<()>) -> Result<()> {
        self.attempt(|this| {
            let engine = reborrow(&mut this.access.engine);
            let (service, mut lent, _) =
                this.access.context.timers_mut().lend(this.service, engine);
            service.for_each(&mut lent, |timer| visit(decode(timer)?))
        })
    }

    /// Returns all timers, of all keys, in the order in which they fire.
    ///
    /// Cost: that of [`for_each`](Self::for_each), and memory for all of them. For tests.
    ///
    /// # Errors
    ///
    /// As [`pop_due`](Self::pop_due).
    pub fn all(&mut self) -> Result<Vec<Timer<K, N>>> {
        let mut all = Vec::new();
        self.for_each(|timer| {
            all.push(timer);
            Ok(())
        })?;
        Ok(all)
    }

    /// Brings the timers that fire first into memory; returns whether there may be any up to `until_ms`.
    fn bring_front(&mut self, until_ms: i64) -> Result<bool> {
        loop {
            let (service, ..) = self.access.context.timers_mut().lend(self.service, None);
            let front = service.front(until_ms);
            match front {
                Front::Ready => return Ok(true),
                Front::Later => return Ok(false),
                Front::Stored(bytes) => self.make_room(bytes)?,
                Front::Spent => {}
            }
            let engine = reborrow(&mut self.access.engine);
            let (service, mut lent, _) =
                self.access.context.timers_mut().lend(self.service, engine);
            if front == Front::Spent {
                service.drop_front(&mut lent)?;
            } else {
                service.load_front(&mut lent)?;
            }
        }
    }

    fn encode(&mut self, time_ms: i64, namespace: &N) -> Result<()> {
        let TimerAccess { context, current, .. } = &mut self.access;
        let current = current.ok_or_else(|| {
            let message = "there is no current key; call set_current_key first";
            Error::new(ErrorKind::NoCurrentKey, message)
        })?;
        let (services, options) = context.timers_and_options();
        let (_, _, scratch) = services.lend(self.service, None);
        key::encode(time_ms, current, namespace, options, &mut scratch.key, &mut scratch.timer)
    }

    fn make_room(&mut self, bytes: usize) -> Result<()> {
        let budget_bytes = self.budget_bytes();
        self.access.context.timers_mut().make_room(
            self.service,
            bytes,
            budget_bytes,
            reborrow(&mut self.access.engine),
        )
    }

    fn budget_bytes(&self) -> usize {
        self.access.context.options().max_timer_memory_bytes()
    }

    /// Does something whose errors then name the service.
    fn attempt<R>(&mut self, action: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let result = action(self);
        result.map_err(|error| self.access.context.timers().service(self.service).named(error))
    }
}

fn decode<K: StateKey, N: StateKey>(timer: &[u8]) -> Result<Timer<K, N>> {
    let (key, namespace) = split(timer).ok_or_else(|| {
        Error::new(ErrorKind::Codec, "a stored timer is malformed: its key has no end")
    })?;
    let (key, namespace) = (K::decode(key)?, N::decode(namespace)?);
    Ok(Timer { time_ms: key::time_of(timer), key, namespace })
}

impl<K: fmt::Debug, N> fmt::Debug for Timers<'_, K, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Timers").field("access", &self.access).finish_non_exhaustive()
    }
}
