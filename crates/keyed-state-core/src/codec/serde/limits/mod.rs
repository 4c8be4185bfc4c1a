//! Bounds what a format of serde's does not: how deep a value nests, and how many elements it has for
//! its bytes. Both formats recurse once a level and would overflow the stack; postcard's lists of elements
//! that take no bytes would grow to whatever number stands in front of them.

use std::cell::Cell;

use crate::{Error, ErrorKind, MAX_NESTING, Result};

mod deserialize;
mod serialize;
mod visit;

/// How many elements a value may have that take no bytes.
const EMPTY_ELEMENTS: usize = 1024;

/// The bounds of one value, whose parts share it.
pub(super) struct Budget {
    elements: Cell<usize>,
    /// Kept here, since postcard drops the messages of errors that are not its own.
    exceeded: Cell<Option<Exceeded>>,
}

#[derive(Clone, Copy)]
enum Exceeded {
    Nesting,
    Elements,
}

impl Budget {
    /// For reading a value from `length` bytes.
    pub(super) fn for_input(length: usize) -> Self {
        Self {
            elements: Cell::new(length.saturating_add(EMPTY_ELEMENTS)),
            exceeded: Cell::new(None),
        }
    }

    /// For writing a value; see [`check_written`](Self::check_written).
    pub(super) fn for_output() -> Self {
        Self { elements: Cell::new(usize::MAX), exceeded: Cell::new(None) }
    }

    /// Refuses to have written what could not be read again.
    pub(super) fn check_written(&self, length: usize) -> Result<()> {
        if usize::MAX - self.elements.get() > length.saturating_add(EMPTY_ELEMENTS) {
            self.exceeded.set(Some(Exceeded::Elements));
        }
        self.error().map_or(Ok(()), Err)
    }

    /// Returns the error for the bound that was exceeded, if one was.
    pub(super) fn error(&self) -> Option<Error> {
        let message = match self.exceeded.get()? {
            Exceeded::Nesting => format!("a value may nest at most {MAX_NESTING} levels"),
            Exceeded::Elements => {
                format!("a value may have at most {EMPTY_ELEMENTS} more elements than bytes")
            }
        };
        Some(Error::new(ErrorKind::Codec, message))
    }
}

/// What is left of the bounds at one place of a value.
#[derive(Clone, Copy)]
struct Limits<'a> {
    depth: usize,
    /// Whether the number of elements is the input's to say, not the type's.
    counted: bool,
    budget: &'a Budget,
}

impl Limits<'_> {
    /// Returns the limits one level further in, or the format's error, made by `custom`.
    fn deeper<E>(self, custom: fn(&'static str) -> E) -> Result<Self, E> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Self { depth, counted: false, ..self }),
            None => Err(self.exceed(Exceeded::Nesting, custom)),
        }
    }

    /// Counts one element.
    fn count_element<E>(self, custom: fn(&'static str) -> E) -> Result<(), E> {
        match self.budget.elements.get().checked_sub(1) {
            Some(left) => {
                self.budget.elements.set(left);
                Ok(())
            }
            None => Err(self.exceed(Exceeded::Elements, custom)),
        }
    }

    /// The returned error only stops the format; [`Budget::error`] says why.
    fn exceed<E>(self, exceeded: Exceeded, custom: fn(&'static str) -> E) -> E {
        self.budget.exceeded.set(Some(exceeded));
        custom("a bound is exceeded")
    }
}

/// A serializer, deserializer or any other of serde's roles, within limits.
pub(super) struct Limited<'a, T> {
    inner: T,
    limits: Limits<'a>,
}

impl<'a, T> Limited<'a, T> {
    /// Limits a serializer or deserializer of a whole value.
    pub(super) fn new(inner: T, budget: &'a Budget) -> Self {
        Self { inner, limits: Limits { depth: MAX_NESTING, counted: false, budget } }
    }

    fn at(inner: T, limits: Limits<'a>) -> Self {
        Self { inner, limits }
    }
}
