//! How a timer is written and ordered.
//!
//! ```text
//! time (i64, sign bit flipped) ‖ key group (u16) ‖ key length (varint) ‖ key ‖ namespace
//! ```

use std::{cmp::Ordering, fmt};

use crate::{BackendOptions, Error, ErrorKind, MAX_KEY_BYTES, Result, StateKey, varint};

const TIME_BYTES: usize = 8;
const GROUP_BYTES: usize = 2;

/// Room for a key of eight bytes and a namespace of eleven without an allocation; makes 32 bytes with the
/// length and the kind.
const INLINE_BYTES: usize = 30;

/// Appends nothing to `out` but a whole timer; `scratch` is for the key.
pub(super) fn encode<K: StateKey, N: StateKey>(
    time_ms: i64,
    key: &K,
    namespace: &N,
    options: &BackendOptions,
    scratch: &mut Vec<u8>,
    out: &mut Vec<u8>,
) -> Result<()> {
    scratch.clear();
    key.encode(scratch)?;
    let group = options.groups().group_of(scratch);
    options.check_owned(group)?;
    out.clear();
    out.extend_from_slice(&(time_ms ^ i64::MIN).to_be_bytes());
    out.extend_from_slice(&group.to_be_bytes());
    varint::encode(scratch.len() as u64, out);
    out.extend_from_slice(scratch);
    namespace.encode(out)?;
    if out.len() <= MAX_KEY_BYTES {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!(
            "key and namespace of a timer together must have at most {MAX_KEY_BYTES} encoded bytes, \
             with their lengths and the time, not {}",
            out.len()
        ),
    ))
}

/// Returns the time of an encoded timer.
pub(super) fn time_of(timer: &[u8]) -> i64 {
    let time = timer.first_chunk::<TIME_BYTES>().copied().unwrap_or_default();
    i64::from_be_bytes(time) ^ i64::MIN
}

/// Returns key and namespace of an encoded timer, or `None` if it is malformed.
pub(super) fn split(timer: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut rest = timer.get(TIME_BYTES + GROUP_BYTES..)?;
    let length = varint::decode(&mut rest).ok()?;
    rest.split_at_checked(usize::try_from(length).ok()?)
}

/// Returns what an encoded timer has besides its time.
pub(super) fn without_time(timer: &[u8]) -> &[u8] {
    timer.get(TIME_BYTES..).unwrap_or_default()
}

/// Compares two encoded timers: by time, key group, key bytes and namespace bytes.
///
/// Not the order of the encodings, since there a shorter key comes before every longer one.
pub(super) fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let time = |timer: &[u8]| timer.first_chunk().map(|time| u64::from_be_bytes(*time));
    // Nearly all comparisons end here.
    time(a).cmp(&time(b)).then_with(|| {
        let parts = |timer| {
            let group = <[u8]>::get(timer, TIME_BYTES..TIME_BYTES + GROUP_BYTES);
            (group, split(timer))
        };
        parts(a).cmp(&parts(b))
    })
}

/// An encoded timer, owned.
#[derive(Clone)]
pub(super) enum TimerKey {
    Inline { length: u8, bytes: [u8; INLINE_BYTES] },
    Heap(Box<[u8]>),
}

impl TimerKey {
    pub(super) fn new(timer: &[u8]) -> Self {
        match u8::try_from(timer.len()) {
            Ok(length) if timer.len() <= INLINE_BYTES => {
                let mut bytes = [0; INLINE_BYTES];
                bytes[..timer.len()].copy_from_slice(timer);
                Self::Inline { length, bytes }
            }
            _ => Self::Heap(timer.into()),
        }
    }

    /// Returns a timer that none comes before.
    pub(super) fn least() -> Self {
        Self::new(&[0; TIME_BYTES + GROUP_BYTES + 1])
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Inline { length, bytes } => &bytes[..usize::from(*length)],
            Self::Heap(bytes) => bytes,
        }
    }

    pub(super) fn time_ms(&self) -> i64 {
        time_of(self.bytes())
    }

    /// Returns what the timer takes outside of itself.
    pub(super) fn heap_bytes(&self) -> usize {
        /// What an allocator keeps beside each allocation, about.
        const OVERHEAD_BYTES: usize = 12;
        match self {
            Self::Inline { .. } => 0,
            Self::Heap(bytes) => bytes.len() + OVERHEAD_BYTES,
        }
    }
}

impl PartialEq for TimerKey {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for TimerKey {}

impl PartialOrd for TimerKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TimerKey {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self.bytes(), other.bytes())
    }
}

impl fmt::Debug for TimerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:02x?}", self.time_ms(), without_time(self.bytes()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::MaxParallelism;

    fn encoded(time_ms: i64, key: &Vec<u8>, namespace: &Vec<u8>) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let options = BackendOptions::new().max_parallelism(MaxParallelism::ONE);
        encode(time_ms, key, namespace, &options, &mut Vec::new(), &mut out)?;
        Ok(out)
    }

    fn tiny() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop::sample::select(vec![0_u8, 1, 0x61, 0xFF]), 0..4)
    }

    fn time() -> impl Strategy<Value = i64> {
        prop::sample::select(vec![i64::MIN, i64::MIN + 1, -5, -1, 0, 1, 3, i64::MAX])
    }

    proptest! {
        #[test]
        fn w2_order_is_time_then_key_then_namespace(
            a in (time(), tiny(), tiny()),
            b in (time(), tiny(), tiny()),
        ) {
            let [x, y] = [&a, &b].map(|t| TimerKey::new(&encoded(t.0, &t.1, &t.2).unwrap()));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x == y, a == b);
            prop_assert!(TimerKey::least() <= x);
            prop_assert_eq!(x.time_ms(), a.0);
            prop_assert_eq!(split(x.bytes()), Some((a.1.as_slice(), a.2.as_slice())));
        }

        #[test]
        fn f2_any_bytes_split_and_compare(
            a in prop::collection::vec(any::<u8>(), 0..40),
            b in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            split(&a);
            time_of(&a);
            prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
        }
    }

    #[test]
    fn golden_bytes() {
        let bytes = encoded(-1, &b"ab".to_vec(), &b"n".to_vec()).unwrap();
        let expected = [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 2, b'a', b'b', b'n'];
        assert_eq!(bytes, expected);
    }

    #[test]
    fn long_timers_are_kept_too() {
        assert_eq!(size_of::<TimerKey>(), INLINE_BYTES + 2);
        let bytes = encoded(1, &vec![0xFF; 300], &Vec::new()).unwrap();
        assert_eq!(TimerKey::new(&bytes).bytes(), bytes);
    }

    #[test]
    fn f2_longer_than_a_key_may_be_is_an_error() {
        let most = MAX_KEY_BYTES - TIME_BYTES - GROUP_BYTES - 1;
        assert!(encoded(1, &Vec::new(), &vec![1; most]).is_ok());
        let error = encoded(1, &Vec::new(), &vec![1; most + 1]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }

    #[test]
    fn k2_keys_of_other_groups_are_refused() {
        let options = BackendOptions::new().key_groups(crate::KeyGroupRange::new(0, 0).unwrap());
        let key =
            (0..1_000_u64).find(|key| options.groups().group_of(&key.to_be_bytes()) != 0).unwrap();
        let error = encode(1, &key, &(), &options, &mut Vec::new(), &mut Vec::new()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::KeyGroupNotOwned { .. }));
    }
}
