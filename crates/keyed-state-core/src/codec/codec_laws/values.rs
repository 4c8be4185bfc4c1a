use std::fmt::Debug;

use super::{NEIGHBOURS, damage::damaged, expect_samples, part, whole};
use crate::StateValue;

/// A value comes back from its bytes, whole and as a part, whatever follows the part.
///
/// *Comes back*: is equal or, for a value that does not even equal itself (a NaN), has the same bytes.
pub fn value_comes_back<T: StateValue + PartialEq + Debug>(samples: &[T]) {
    expect_samples(samples);
    for value in samples {
        let bytes = whole(value);
        match T::decode(&bytes) {
            Ok(back) => expect_same(&back, value, &bytes),
            Err(error) => panic!("{value:?} does not decode from {bytes:02x?}: {error}"),
        }
        for after in NEIGHBOURS {
            let stored = [part(value).as_slice(), after].concat();
            let mut input = stored.as_slice();
            match T::decode_part(&mut input) {
                Ok(back) => {
                    expect_same(&back, value, &stored);
                    assert_eq!(input, after, "the part of {value:?} did not stop at its end");
                }
                Err(error) => panic!("{value:?} does not decode from {stored:02x?}: {error}"),
            }
        }
        expect_same(&value.clone(), value, &bytes);
    }
}

/// Damaged bytes are refused, or decode to a value that comes back.
pub fn value_damaged_bytes_decode_or_err<T: StateValue + PartialEq + Debug>(samples: &[T]) {
    expect_samples(samples);
    for bytes in damaged(samples.iter().map(whole)) {
        if let Ok(value) = T::decode(&bytes) {
            value_comes_back(&[value]);
        }
    }
    for bytes in damaged(samples.iter().map(part)) {
        let mut input = bytes.as_slice();
        if let Ok(value) = T::decode_part(&mut input) {
            assert!(bytes.ends_with(input), "decode_part must leave the rest of its input");
            value_comes_back(&[value]);
        }
    }
}

fn expect_same<T: StateValue + PartialEq + Debug>(back: &T, value: &T, bytes: &[u8]) {
    #[expect(clippy::eq_op, reason = "asks whether there is a NaN in it")]
    let equals_itself = value == value;
    assert!(
        back == value || (!equals_itself && whole(back) == whole(value)),
        "{value:?} was stored as {bytes:02x?} and came back as {back:?}"
    );
}
