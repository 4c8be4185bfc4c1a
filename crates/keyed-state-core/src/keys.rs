use std::{iter::FusedIterator, vec};

/// The keys found by [`KeyedStateBackend::keys`](crate::KeyedStateBackend::keys), as of that call.
///
/// Owns what it gives, so that state can be changed while it is consumed.
#[derive(Clone, Debug)]
pub struct Keys<T>(vec::IntoIter<T>);

impl<T> Keys<T> {
    /// Makes a list of what a backend found. For backend authors: each key once.
    #[must_use]
    pub fn new(found: Vec<T>) -> Self {
        Self(found.into_iter())
    }
}

impl<T> Iterator for Keys<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> ExactSizeIterator for Keys<T> {}

impl<T> FusedIterator for Keys<T> {}
