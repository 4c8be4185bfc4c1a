use std::ops::{Bound, RangeBounds};

use crate::{Error, ErrorKind, Result};

/// Checks a range of user keys; returns whether anything can lie in it. For backend authors:
/// `BTreeMap::range` panics where this returns an error or false.
///
/// # Errors
///
/// [`InvalidArgument`](ErrorKind::InvalidArgument) if the start is above the end.
pub fn check_range<Q: Ord + ?Sized>(range: &impl RangeBounds<Q>) -> Result<bool> {
    let (start, start_open) = match range.start_bound() {
        Bound::Included(start) => (start, false),
        Bound::Excluded(start) => (start, true),
        Bound::Unbounded => return Ok(true),
    };
    let (end, end_open) = match range.end_bound() {
        Bound::Included(end) => (end, false),
        Bound::Excluded(end) => (end, true),
        Bound::Unbounded => return Ok(true),
    };
    if start > end {
        return Err(Error::new(
            ErrorKind::InvalidArgument,
            "the start of a range of map keys must not be above its end",
        ));
    }
    Ok(start < end || !(start_open || end_open))
}

/// Returns the first key after every key that starts with `prefix`, or `None` if there is none.
///
/// Trailing `FF` bytes are dropped before one is added, since they cannot be counted up.
///
/// ```
/// use keyed_state_core::prefix_successor;
///
/// assert_eq!(prefix_successor(&[0x61, 0xFF]), Some(vec![0x62]));
/// assert_eq!(prefix_successor(&[0xFF, 0xFF]), None);
/// ```
#[must_use]
pub fn prefix_successor(prefix: &[u8]) -> Option<Vec<u8>> {
    let mut end = prefix.to_vec();
    count_up(&mut end).then_some(end)
}

/// Makes `bytes` the first key after every key that starts with them; returns false if there is none.
pub(crate) fn count_up(bytes: &mut Vec<u8>) -> bool {
    while let Some(last) = bytes.last_mut() {
        if *last < 0xFF {
            *last += 1;
            return true;
        }
        bytes.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_empty_full_or_refused() {
        assert!(check_range(&(1..=1)).unwrap());
        assert!(check_range(&(1..2)).unwrap());
        assert!(check_range::<i32>(&..).unwrap());
        assert!(!check_range(&(1..1)).unwrap());
        assert!(!check_range(&(Bound::Excluded(1), Bound::Excluded(1))).unwrap());
        assert!(!check_range(&(Bound::Excluded(1), Bound::Included(1))).unwrap());
        let inverted = check_range(&(Bound::Included(2), Bound::Included(1))).unwrap_err();
        assert_eq!(inverted.kind(), ErrorKind::InvalidArgument);
    }

    #[test]
    fn successor_is_the_first_key_beyond_the_prefix() {
        for prefix in [&[][..], &[0], &[0xFF], &[1, 0xFF], &[1, 0xFE], &[0xFF, 0, 0xFF, 0xFF]] {
            let mut inside = prefix.to_vec();
            inside.extend_from_slice(&[0xFF; 9]);
            match prefix_successor(prefix) {
                Some(end) => assert!(inside < end && !end.starts_with(prefix), "{prefix:?}"),
                None => assert!(prefix.iter().all(|byte| *byte == 0xFF), "{prefix:?}"),
            }
        }
    }
}
