use std::fmt;

use xxhash_rust::xxh3::xxh3_64;

use crate::{Error, ErrorKind, Result};

/// The number of key groups that keys are spread over: the highest parallelism a job can ever have.
///
/// Between 1 and 32,768, as in Flink. It is fixed for the life of the state: the key group is part of
/// every stored key. The default is 128.
///
/// # How a key finds its group
///
/// `group = XXH3-64(encoded key, seed 0) mod max_parallelism`. XXH3 is specified byte by byte and stable
/// since xxHash 0.8.0 (Y. Collet, <https://github.com/Cyan4973/xxHash>). The rule never changes between
/// releases; golden values in the tests hold it in place (contract K5).
///
/// ```
/// use keyed_state_core::MaxParallelism;
///
/// let max = MaxParallelism::new(4)?;
/// assert!(max.group_of(b"alice") < 4);
/// assert!(MaxParallelism::new(32_769).is_err());
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MaxParallelism(u16);

impl MaxParallelism {
    /// The largest number of key groups.
    pub const LIMIT: u16 = 1 << 15;

    /// One group: every key in it, so that no hash keeps keys apart. For tests.
    pub const ONE: Self = Self(1);

    /// Checks a number of key groups.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) outside 1..=32,768.
    pub fn new(groups: u32) -> Result<Self> {
        match u16::try_from(groups) {
            Ok(n) if (1..=Self::LIMIT).contains(&n) => Ok(Self(n)),
            _ => Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("max parallelism must be from 1 to {}, not {groups}", Self::LIMIT),
            )),
        }
    }

    /// Returns the number of groups.
    #[must_use]
    pub fn get(self) -> u16 {
        self.0
    }

    /// Returns the group of an encoded key.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the conversion cannot fail")]
    pub fn group_of(self, encoded_key: &[u8]) -> u16 {
        let group = xxh3_64(encoded_key) % u64::from(self.0);
        u16::try_from(group).expect("a remainder below a u16 fits in one")
    }

    /// Returns the range of all groups.
    #[must_use]
    pub fn all(self) -> KeyGroupRange {
        KeyGroupRange { first: 0, last: self.0 - 1 }
    }
}

impl Default for MaxParallelism {
    fn default() -> Self {
        Self(128)
    }
}

impl fmt::Display for MaxParallelism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A contiguous range of key groups, both ends included: what one backend owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyGroupRange {
    first: u16,
    last: u16,
}

impl KeyGroupRange {
    /// Checks the range `first..=last`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) if `first > last` or `last` is 32,768 or more.
    pub fn new(first: u16, last: u16) -> Result<Self> {
        if first > last || last >= MaxParallelism::LIMIT {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                format!(
                    "key groups {first}..={last} are no range: the first must not exceed the last, \
                     nor the last {}",
                    MaxParallelism::LIMIT - 1
                ),
            ));
        }
        Ok(Self { first, last })
    }

    /// Returns the first group.
    #[must_use]
    pub fn first(self) -> u16 {
        self.first
    }

    /// Returns the last group.
    #[must_use]
    pub fn last(self) -> u16 {
        self.last
    }

    /// Returns whether `group` lies in the range.
    #[must_use]
    pub fn contains(self, group: u16) -> bool {
        (self.first..=self.last).contains(&group)
    }
}

impl fmt::Display for KeyGroupRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..={}", self.first, self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k5_groups_never_change_between_releases() {
        let max = MaxParallelism::new(32_768).unwrap();
        // Computed by the reference implementation (PyPI's `xxhash`, bindings to xxHash in C).
        let golden: [(&[u8], u16); 6] = [
            (b"", 5314),
            (b"a", 19_999),
            (b"alice", 5808),
            (b"N14228", 5798),
            (&[0xFF; 300], 24_678),
            (&[0; 8], 11_481),
        ];
        let groups: Vec<u16> = golden.iter().map(|(key, _)| max.group_of(key)).collect();
        let expected: Vec<u16> = golden.iter().map(|(_, group)| *group).collect();
        assert_eq!(groups, expected);
    }

    #[test]
    fn limits_are_checked() {
        assert_eq!(MaxParallelism::new(0).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(MaxParallelism::new(1).unwrap().all(), KeyGroupRange::new(0, 0).unwrap());
        assert_eq!(MaxParallelism::new(32_768).unwrap().all().last(), 32_767);
        assert_eq!(MaxParallelism::new(32_769).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(KeyGroupRange::new(3, 2).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(KeyGroupRange::new(0, 32_768).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}
