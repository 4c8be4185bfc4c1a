use std::fmt::Write as _;

use keyed_state_core::{ErrorKind, Result};

use super::state::State;

/// What an operation gives back, of the backend and of the model alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Done,
    Flag(bool),
    Count(usize),
    Bytes(Option<Vec<u8>>),
    Entries(Vec<Entry>),
    Elements(Vec<Vec<u8>>),
    /// The value before, and nothing else, of an update.
    Found(Option<Vec<u8>>),
    /// Those of several operations through one view.
    Several(Vec<Self>),
    /// The keys of a namespace, and all keys and namespaces; sorted, repetitions kept.
    Listing(Vec<Vec<u8>>, Vec<Place>),
    /// The keys that were visited, likewise.
    Visited(Vec<Vec<u8>>),
    /// The expired entries that are stored; of the model, how many there may be.
    Expired(u64),
    Time(Option<i64>),
    Times(Vec<i64>),
    Fired(Vec<Fired>),
    /// For each state, keys and namespaces with what they hold.
    Everything(Vec<(State, Place, Vec<Held>)>),
    Refused(ErrorKind),
}

/// A user key and value.
pub(super) type Entry = (Vec<u8>, Vec<u8>);

/// A key and namespace.
pub(super) type Place = (Vec<u8>, Vec<u8>);

/// A timer: its time, key and namespace.
pub(super) type Fired = (i64, Vec<u8>, Vec<u8>);

/// A user key, value and last touch. There is no user key but in maps, and only maps and values tell the touch.
pub(super) type Held = (Vec<u8>, Vec<u8>, Option<i64>);

impl Answer {
    /// Compares with what a backend gave; returns what differs, if anything does.
    pub(super) fn difference(&self, found: Result<Self>) -> Option<String> {
        let (found, why) = match found {
            Ok(answer) => (answer, String::new()),
            // The message of an unexpected error is kept for the report.
            Err(error) => (Self::Refused(error.kind()), format!(" ({error:?})")),
        };
        match (self, &found) {
            (Self::Expired(most), Self::Expired(found)) if found <= most => None,
            _ if *self == found => None,
            (Self::Everything(expected), Self::Everything(found)) => {
                Some(only_in_one(expected, found))
            }
            _ => Some(format!("\n  expected: {self:02x?}\n  found:    {found:02x?}{why}")),
        }
    }
}

/// Shows what is in one of the lists alone.
fn only_in_one<T: PartialEq + std::fmt::Debug>(expected: &[T], found: &[T]) -> String {
    let mut shown = String::new();
    for (title, these, those) in [("expected:", expected, found), ("found:   ", found, expected)] {
        for item in these.iter().filter(|item| !those.contains(item)) {
            write!(shown, "\n  {title} {item:02x?}").expect("writing to a string cannot fail");
        }
    }
    if shown.is_empty() {
        // Repeated, or in another order.
        return format!("\n  expected: {expected:02x?}\n  found:    {found:02x?}");
    }
    shown
}
