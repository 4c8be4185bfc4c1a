use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use crate::{Error, ErrorKind, Result};

/// Gives the numbers by which lists keep the order of their elements.
///
/// One counter a backend. It never restarts below a number that was stored, so an append needs no read.
/// Clones share the counter.
#[derive(Clone, Debug, Default)]
pub struct Sequence(Arc<AtomicU64>);

impl Sequence {
    /// Takes `count` numbers in a row and returns the first.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) when the 2⁶⁴ numbers are used up.
    pub fn take(&self, count: u64) -> Result<u64> {
        let next = |first: u64| first.checked_add(count);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).map_err(|first| {
            Error::new(
                ErrorKind::InvalidArgument,
                format!("a backend cannot number {count} more list elements after {first}"),
            )
        })
    }

    pub(crate) fn next(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Makes `next` the next number, unless numbers from there on were given already.
    pub(crate) fn restore(&self, next: u64) {
        self.0.fetch_max(next, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_repeat() {
        let sequence = Sequence::default();
        assert_eq!((sequence.take(1).unwrap(), sequence.take(3).unwrap()), (0, 1));
        sequence.restore(2);
        assert_eq!(sequence.take(1).unwrap(), 4);
        sequence.restore(u64::MAX);
        assert_eq!(sequence.take(1).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}
