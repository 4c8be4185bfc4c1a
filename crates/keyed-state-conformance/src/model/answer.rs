use keyed_state_core::{ErrorKind, Result};

/// What an operation gives back, of the backend and of the model alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Done,
    Flag(bool),
    Count(usize),
    Bytes(Option<Vec<u8>>),
    Entries(Vec<Entry>),
    /// The value before, and nothing else, of an update.
    Found(Option<Vec<u8>>),
    /// The keys of a namespace, and all keys and namespaces; sorted, repetitions kept.
    Listing(Vec<Vec<u8>>, Vec<Entry>),
    /// For each state, keys and namespaces with their entries.
    Everything(Vec<(Entry, Vec<Entry>)>),
    Refused(ErrorKind),
}

/// A user key and value, or a key and namespace.
pub(super) type Entry = (Vec<u8>, Vec<u8>);

/// Turns an expected error into an answer; the message of an unexpected one is kept for the report.
pub(super) fn answer(result: Result<Answer>) -> (Answer, String) {
    match result {
        Ok(answer) => (answer, String::new()),
        Err(error) => (Answer::Refused(error.kind()), format!(" ({error:?})")),
    }
}
