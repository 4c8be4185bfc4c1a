use std::{
    cmp::Ordering,
    collections::{BTreeMap, btree_map::Entry},
    iter,
};

use super::{
    key::{TimerKey, compare},
    packed::Packed,
};

/// What a change did to a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// It is registered, perhaps again.
    Registered,
    /// It is removed, if it was registered.
    Removed,
}

/// Changes to a sorted sequence of timers that is somewhere else: the last one to each timer.
#[derive(Debug, Default)]
pub(super) struct Changes {
    marks: BTreeMap<TimerKey, Mark>,
    timer_bytes: usize,
    heap_bytes: usize,
}

/// What a change takes in a `BTreeMap`, its share of the nodes included: 33 bytes in nodes that are between
/// 55 % full (timers registered in the order of their times) and 70 % (in any order).
const MARK_BYTES: usize = 64;

impl Changes {
    pub(super) fn get(&self, timer: &TimerKey) -> Option<Mark> {
        self.marks.get(timer).copied()
    }

    pub(super) fn set(&mut self, timer: TimerKey, mark: Mark) {
        let (timer_bytes, heap_bytes) = (timer.bytes().len(), timer.heap_bytes());
        match self.marks.entry(timer) {
            Entry::Occupied(mut entry) => *entry.get_mut() = mark,
            Entry::Vacant(entry) => {
                entry.insert(mark);
                self.timer_bytes += timer_bytes;
                self.heap_bytes += heap_bytes;
            }
        }
    }

    pub(super) fn unset(&mut self, timer: &TimerKey) {
        if let Some((timer, _)) = self.marks.remove_entry(timer) {
            self.forget(&timer);
        }
    }

    pub(super) fn first(&self) -> Option<(&TimerKey, Mark)> {
        self.marks.first_key_value().map(|(timer, mark)| (timer, *mark))
    }

    pub(super) fn take_first(&mut self) {
        if let Some((timer, _)) = self.marks.pop_first() {
            self.forget(&timer);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], Mark)> {
        self.marks.iter().map(|(timer, mark)| (timer.bytes(), *mark))
    }

    pub(super) fn len(&self) -> usize {
        self.marks.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Returns how long the timers are together.
    pub(super) fn timer_bytes(&self) -> usize {
        self.timer_bytes
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.marks.len() * MARK_BYTES + self.heap_bytes
    }

    fn forget(&mut self, timer: &TimerKey) {
        self.timer_bytes -= timer.bytes().len();
        self.heap_bytes -= timer.heap_bytes();
    }
}

/// Iterates over the timers of `packed` after `changes`, in order, each once.
pub(super) fn merged<'a>(
    packed: Option<&'a Packed>,
    changes: &'a Changes,
) -> impl Iterator<Item = &'a [u8]> {
    let mut packed = packed.into_iter().flat_map(Packed::iter).peekable();
    let mut changes = changes.marks.iter().peekable();
    iter::from_fn(move || {
        loop {
            let Some((change, mark)) = changes.peek() else { return packed.next() };
            let order =
                packed.peek().map_or(Ordering::Greater, |timer| compare(timer, change.bytes()));
            match order {
                Ordering::Less => return packed.next(),
                Ordering::Equal => drop(packed.next()),
                Ordering::Greater => {}
            }
            let (timer, registered) = (change.bytes(), **mark == Mark::Registered);
            changes.next();
            if registered {
                return Some(timer);
            }
        }
    })
}
