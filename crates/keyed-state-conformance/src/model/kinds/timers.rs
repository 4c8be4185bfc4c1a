use std::{collections::BTreeSet, fmt};

use keyed_state_core::{ErrorKind, MaxParallelism, Result, Timer, Timers};
use proptest::prelude::*;

use crate::model::{
    answer::{Answer, Fired},
    code::number,
    state::Namespace,
};

/// An operation on a timer service, with the current key and namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimerOp {
    /// `register`.
    Register(i64),
    /// `remove`.
    Remove(i64),
    /// `advance_to`.
    AdvanceTo(i64),
    /// `pop_due`, at most so many times.
    Pop(usize),
    /// `current_time`.
    Time,
    /// `next_due`.
    NextDue,
    /// `len`.
    Len,
    /// `is_empty`.
    IsEmpty,
    /// `times`.
    Times,
    /// `all`.
    All,
}

impl TimerOp {
    pub(in crate::model) fn any() -> impl Strategy<Value = Self> {
        prop_oneof![
            12 => time().prop_map(Self::Register),
            4 => time().prop_map(Self::Remove),
            4 => time().prop_map(Self::AdvanceTo),
            3 => (0..4_usize).prop_map(Self::Pop),
            1 => Just(Self::Pop(usize::MAX)),
            1 => Just(Self::Time),
            2 => Just(Self::NextDue),
            1 => Just(Self::Len),
            1 => Just(Self::IsEmpty),
            2 => Just(Self::Times),
            1 => Just(Self::All),
        ]
    }
}

/// Few times, so that they meet again.
fn time() -> impl Strategy<Value = i64> {
    prop_oneof![
        30 => -3..12_i64,
        1 => prop::sample::select(vec![i64::MIN, i64::MAX]),
    ]
}

impl fmt::Display for TimerOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register(time) => write!(f, "TimerOp::Register({})", number(*time)),
            Self::Remove(time) => write!(f, "TimerOp::Remove({})", number(*time)),
            Self::AdvanceTo(time) => write!(f, "TimerOp::AdvanceTo({})", number(*time)),
            Self::Pop(usize::MAX) => write!(f, "TimerOp::Pop(usize::MAX)"),
            Self::Pop(most) => write!(f, "TimerOp::Pop({most})"),
            Self::Time | Self::NextDue | Self::Len | Self::IsEmpty | Self::Times | Self::All => {
                write!(f, "TimerOp::{self:?}")
            }
        }
    }
}

/// The timers of a service in the order in which they fire: by time, key group, key and namespace.
#[derive(Debug, Default)]
pub(in crate::model) struct Service {
    time_ms: Option<i64>,
    timers: BTreeSet<(i64, u16, Vec<u8>, Vec<u8>)>,
}

impl Service {
    pub(in crate::model) fn register(
        &mut self,
        groups: MaxParallelism,
        (time_ms, key, namespace): Fired,
    ) {
        self.timers.insert((time_ms, groups.group_of(&key), key, namespace));
    }

    pub(in crate::model) fn pop(&mut self) -> Option<Fired> {
        let due = self.timers.first()?.0 <= self.time_ms?;
        let (time_ms, _, key, namespace) = due.then(|| self.timers.pop_first()).flatten()?;
        Some((time_ms, key, namespace))
    }

    /// Does `op` on the model.
    pub(in crate::model) fn expect(
        &mut self,
        groups: MaxParallelism,
        key: Option<&[u8]>,
        namespace: &[u8],
        op: &TimerOp,
    ) -> Result<Answer, ErrorKind> {
        let owner = || {
            let key = key.ok_or(ErrorKind::NoCurrentKey)?;
            Ok((groups.group_of(key), key.to_vec(), namespace.to_vec()))
        };
        Ok(match op {
            TimerOp::Register(time_ms) => {
                let (group, key, namespace) = owner()?;
                self.timers.insert((*time_ms, group, key, namespace));
                Answer::Done
            }
            TimerOp::Remove(time_ms) => {
                let (group, key, namespace) = owner()?;
                Answer::Flag(self.timers.remove(&(*time_ms, group, key, namespace)))
            }
            TimerOp::AdvanceTo(time_ms) => {
                self.time_ms = self.time_ms.max(Some(*time_ms));
                Answer::Done
            }
            TimerOp::Pop(most) => {
                Answer::Fired(std::iter::from_fn(|| self.pop()).take(*most).collect())
            }
            TimerOp::Time => Answer::Time(self.time_ms),
            TimerOp::NextDue => Answer::Time(self.timers.first().map(|(time_ms, ..)| *time_ms)),
            TimerOp::Len => Answer::Count(self.timers.len()),
            TimerOp::IsEmpty => Answer::Flag(self.timers.is_empty()),
            TimerOp::Times => {
                let (_, key, namespace) = owner()?;
                let timers = self.timers.iter();
                let own = timers.filter(|timer| (&timer.2, &timer.3) == (&key, &namespace));
                Answer::Times(own.map(|(time_ms, ..)| *time_ms).collect())
            }
            TimerOp::All => {
                let timers = self.timers.iter().cloned();
                let fired = timers.map(|(time_ms, _, key, namespace)| (time_ms, key, namespace));
                Answer::Fired(fired.collect())
            }
        })
    }
}

/// Does `op` on a backend's timers.
pub(in crate::model) fn apply<N: Namespace>(
    timers: &mut Timers<'_, Vec<u8>, N>,
    namespace: &N,
    op: &TimerOp,
) -> Result<Answer> {
    Ok(match op {
        TimerOp::Register(time_ms) => {
            timers.register(*time_ms, namespace)?;
            Answer::Done
        }
        TimerOp::Remove(time_ms) => Answer::Flag(timers.remove(*time_ms, namespace)?),
        TimerOp::AdvanceTo(time_ms) => {
            timers.advance_to(*time_ms)?;
            Answer::Done
        }
        TimerOp::Pop(most) => {
            let due = std::iter::from_fn(|| timers.pop_due().transpose());
            let fired = due.take(*most).map(|timer| timer.map(fired));
            Answer::Fired(fired.collect::<Result<_>>()?)
        }
        TimerOp::Time => Answer::Time(timers.current_time()),
        TimerOp::NextDue => Answer::Time(timers.next_due()?),
        TimerOp::Len => Answer::Count(usize::try_from(timers.len()?).unwrap_or(usize::MAX)),
        TimerOp::IsEmpty => Answer::Flag(timers.is_empty()?),
        TimerOp::Times => Answer::Times(timers.times(namespace)?),
        TimerOp::All => Answer::Fired(timers.all()?.into_iter().map(fired).collect()),
    })
}

pub(in crate::model) fn fired<N: Namespace>(timer: Timer<Vec<u8>, N>) -> Fired {
    (timer.time_ms, timer.key, timer.namespace.to_bytes())
}
