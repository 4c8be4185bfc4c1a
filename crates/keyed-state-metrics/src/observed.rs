use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

use keyed_state_core::{Encode, Error, ErrorKind, Result, StateDefinition};
use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};

use crate::names;

/// An operation on a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Get,
    Contains,
    Put,
    PutAll,
    ReplaceAll,
    Remove,
    Retain,
    Iter,
    Range,
    Clear,
    Len,
    IsEmpty,
    First,
    Last,
    IsSet,
    Set,
    Keys,
    Change,
}

impl Operation {
    const ALL: [Self; 18] = [
        Self::Get,
        Self::Contains,
        Self::Put,
        Self::PutAll,
        Self::ReplaceAll,
        Self::Remove,
        Self::Retain,
        Self::Iter,
        Self::Range,
        Self::Clear,
        Self::Len,
        Self::IsEmpty,
        Self::First,
        Self::Last,
        Self::IsSet,
        Self::Set,
        Self::Keys,
        Self::Change,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Contains => "contains",
            Self::Put => "put",
            Self::PutAll => "put_all",
            Self::ReplaceAll => "replace_all",
            Self::Remove => "remove",
            Self::Retain => "retain",
            Self::Iter => "iter",
            Self::Range => "range",
            Self::Clear => "clear",
            Self::Len => "len",
            Self::IsEmpty => "is_empty",
            Self::First => "first",
            Self::Last => "last",
            Self::IsSet => "is_set",
            Self::Set => "set",
            Self::Keys => "keys",
            Self::Change => "change",
        }
    }
}

/// The metrics of one state: every handle is looked up once.
pub(crate) struct Observed {
    backend: String,
    state: String,
    operations: [(Counter, Histogram); Operation::ALL.len()],
    written_bytes: Histogram,
    read_bytes: Histogram,
    clears: Counter,
    pub(crate) open_iterators: Gauge,
    pub(crate) expired_entries: Gauge,
    /// One operation in so many is timed; 0 for none.
    one_in: u64,
    seen: AtomicU64,
}

impl Observed {
    pub(crate) fn new(backend: &str, definition: &StateDefinition, one_in: u64) -> Self {
        let kind = definition.schema().split('<').next().unwrap_or_default().to_owned();
        let (backend, state) = (backend.to_owned(), definition.name().to_owned());
        let labels =
            [("backend", backend.clone()), ("state", state.clone()), ("kind", kind.clone())];
        let operations = Operation::ALL.map(|operation| {
            let [backend, state, kind] = labels.clone();
            let labels = [backend, state, kind, ("operation", operation.name().to_owned())];
            (counter!(names::OPERATIONS, &labels), histogram!(names::OPERATION_SECONDS, &labels))
        });
        tracing::debug!(backend, state, schema = definition.schema(), "state registered");
        Self {
            operations,
            written_bytes: histogram!(names::WRITTEN_BYTES, &labels),
            read_bytes: histogram!(names::READ_BYTES, &labels),
            clears: counter!(names::CLEARS, &labels),
            open_iterators: gauge!(names::OPEN_ITERATORS, &labels),
            expired_entries: gauge!(names::EXPIRED_ENTRIES, &labels),
            backend,
            state,
            one_in,
            seen: AtomicU64::new(0),
        }
    }

    /// Does something and counts it; says whether it is one of those that are timed.
    pub(crate) fn sampled<T>(
        &self,
        operation: Operation,
        action: impl FnOnce() -> Result<T>,
    ) -> (Result<T>, bool) {
        let (count, seconds) = &self.operations[operation as usize];
        count.increment(1);
        if operation == Operation::Clear {
            self.clears.increment(1);
        }
        let timed = self.one_in > 0
            && self.seen.fetch_add(1, Ordering::Relaxed).is_multiple_of(self.one_in);
        let outcome = if timed {
            let start = Instant::now();
            let outcome = action();
            seconds.record(start.elapsed());
            outcome
        } else {
            action()
        };
        (outcome.inspect_err(|error| self.failed(error)), timed)
    }

    /// Does something and counts it.
    pub(crate) fn count<T>(
        &self,
        operation: Operation,
        action: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        self.sampled(operation, action).0
    }

    /// Counts an error.
    pub(crate) fn failed(&self, error: &Error) {
        let kind = kind(error);
        tracing::warn!(
            backend = self.backend,
            state = self.state,
            error = kind,
            "operation failed"
        );
        counter!(names::ERRORS, "backend" => self.backend.clone(), "error" => kind).increment(1);
    }

    /// Records the size of a value that is about to be written.
    pub(crate) fn written(&self, value: &impl Encode) {
        record_size(&self.written_bytes, value);
    }

    /// Records the size of a value that was read.
    pub(crate) fn read(&self, value: &impl Encode) {
        record_size(&self.read_bytes, value);
    }

    /// Returns whether the next operation will be timed.
    pub(crate) fn next_is_timed(&self) -> bool {
        self.one_in > 0 && self.seen.load(Ordering::Relaxed).is_multiple_of(self.one_in)
    }
}

fn record_size(histogram: &Histogram, value: &impl Encode) {
    let mut bytes = Vec::new();
    // A value that has no encoding is the operation's matter.
    if value.encode(&mut bytes).is_ok() {
        #[expect(clippy::cast_precision_loss, reason = "sizes far below 2^52")]
        histogram.record(bytes.len() as f64);
    }
}

/// Names an error's kind, without what it has in it.
pub(crate) fn kind(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::NoCurrentKey => "no_current_key",
        ErrorKind::KeyGroupNotOwned { .. } => "key_group_not_owned",
        ErrorKind::UnknownState => "unknown_state",
        ErrorKind::StateMismatch => "state_mismatch",
        ErrorKind::Incompatible => "incompatible",
        ErrorKind::NotCleanlyClosed => "not_cleanly_closed",
        ErrorKind::Locked => "locked",
        ErrorKind::Codec => "codec",
        ErrorKind::InvalidArgument => "invalid_argument",
        ErrorKind::Unsupported => "unsupported",
        ErrorKind::Function => "function",
        ErrorKind::Storage => "storage",
        _ => "other",
    }
}

/// An iterator that counts as open until it is dropped.
pub(crate) struct Open<'a, I> {
    inner: I,
    observed: &'a Observed,
}

impl<'a, I> Open<'a, I> {
    pub(crate) fn new(inner: I, observed: &'a Observed) -> Self {
        observed.open_iterators.increment(1.0);
        Self { inner, observed }
    }
}

impl<I> Open<'_, I> {
    fn observe<T>(&self, item: &Result<T>) {
        if let Err(error) = item {
            self.observed.failed(error);
        }
    }
}

impl<I> Drop for Open<'_, I> {
    fn drop(&mut self) {
        self.observed.open_iterators.decrement(1.0);
    }
}

impl<T, I: Iterator<Item = Result<T>>> Iterator for Open<'_, I> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.inner.next().inspect(|item| self.observe(item))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.inner.size_hint()
    }
}

impl<T, I: DoubleEndedIterator<Item = Result<T>>> DoubleEndedIterator for Open<'_, I> {
    fn next_back(&mut self) -> Option<Result<T>> {
        self.inner.next_back().inspect(|item| self.observe(item))
    }
}
