use std::{
    collections::hash_map::DefaultHasher,
    fmt::Debug,
    hash::{Hash, Hasher},
};

use super::{NEIGHBOURS, damage::damaged, expect_samples, part, whole};
use crate::StateKey;

/// A key comes back from its bytes, whole and as a part, whatever follows the part.
pub fn key_comes_back<T: StateKey + Debug>(samples: &[T]) {
    expect_samples(samples);
    for value in samples {
        let bytes = whole(value);
        match T::decode(&bytes) {
            Ok(back) => assert_eq!(&back, value, "{bytes:02x?} decodes to another value"),
            Err(error) => panic!("{value:?} does not decode from {bytes:02x?}: {error}"),
        }
        for after in NEIGHBOURS {
            let stored = [part(value).as_slice(), after].concat();
            let mut input = stored.as_slice();
            match T::decode_part(&mut input) {
                Ok(back) => {
                    assert_eq!(&back, value, "the part in {stored:02x?} decodes to another value");
                    assert_eq!(input, after, "the part of {value:?} did not stop at its end");
                }
                Err(error) => panic!("{value:?} does not decode from {stored:02x?}: {error}"),
            }
        }
    }
}

/// Byte order is `cmp`, and only equal keys have equal bytes.
pub fn key_byte_order_is_cmp<T: StateKey + Debug>(samples: &[T]) {
    for_pairs(samples, whole, |(a, a_bytes), (b, b_bytes)| {
        assert_eq!(
            a_bytes.cmp(b_bytes),
            a.cmp(b),
            "the bytes of {a:?} and {b:?} are not in their order: {a_bytes:02x?}, {b_bytes:02x?}"
        );
    });
}

/// Byte order of parts is `cmp`, and no part begins the part of another key.
pub fn key_parts_keep_order_and_show_their_end<T: StateKey + Debug>(samples: &[T]) {
    for_pairs(samples, part, |(a, a_bytes), (b, b_bytes)| {
        assert_eq!(
            a_bytes.cmp(b_bytes),
            a.cmp(b),
            "the parts of {a:?} and {b:?} are not in their order: {a_bytes:02x?}, {b_bytes:02x?}"
        );
        assert!(
            a == b || !a_bytes.starts_with(b_bytes),
            "the part of {a:?} begins with the part of {b:?}: {a_bytes:02x?}, {b_bytes:02x?}"
        );
    });
}

/// `cmp`, `partial_cmp`, `==`, `hash` and `clone` agree with one another.
pub fn key_cmp_eq_hash_and_clone_agree<T: StateKey + Debug>(samples: &[T]) {
    for value in samples {
        let copy = value.clone();
        assert_eq!(&copy, value, "a clone must equal its original");
        assert_eq!(hash(&copy), hash(value), "{value:?} and its clone have different hashes");
    }
    for_pairs(samples, hash, |(a, a_hash), (b, b_hash)| {
        assert_eq!(a.cmp(b), b.cmp(a).reverse(), "cmp of {a:?} and {b:?} depends on who asks");
        assert_eq!(a.cmp(b).is_eq(), a == b, "cmp and == disagree on {a:?} and {b:?}");
        assert_eq!(a.partial_cmp(b), Some(a.cmp(b)), "partial_cmp and cmp disagree: {a:?}, {b:?}");
        assert!(a != b || a_hash == b_hash, "{a:?} equals {b:?}, but their hashes differ");
    });
}

/// Bytes that are no key's are refused; what is accepted encodes to the same bytes again.
pub fn key_damaged_bytes_decode_or_err<T: StateKey + Debug>(samples: &[T]) {
    expect_samples(samples);
    for bytes in damaged(samples.iter().map(whole)) {
        if let Ok(value) = T::decode(&bytes) {
            assert_eq!(whole(&value), bytes, "{value:?} decodes from bytes that are not its own");
        }
    }
    for bytes in damaged(samples.iter().map(part)) {
        let mut input = bytes.as_slice();
        if let Ok(value) = T::decode_part(&mut input) {
            assert!(bytes.ends_with(input), "decode_part must leave the rest of its input");
            let used = &bytes[..bytes.len() - input.len()];
            assert_eq!(part(&value), used, "{value:?} decodes from a part that is not its own");
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn for_pairs<T, F>(samples: &[T], of: impl Fn(&T) -> F, check: impl Fn((&T, &F), (&T, &F))) {
    expect_samples(samples);
    let derived: Vec<F> = samples.iter().map(of).collect();
    for a in samples.iter().zip(&derived) {
        for b in samples.iter().zip(&derived) {
            check(a, b);
        }
    }
}
