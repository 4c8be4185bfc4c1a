//! The laws of codecs as functions that a test calls; [`codec_suite!`](crate::codec_suite) calls them all.
//!
//! # Panics
//!
//! Every function here panics where its law is broken, naming the values and the bytes, and where it gets no
//! samples to try.

#![allow(clippy::missing_panics_doc, reason = "said once, above")]

use crate::{Encode, Result};

mod damage;
mod keys;
mod values;

pub use keys::{
    key_byte_order_is_cmp, key_cmp_eq_hash_and_clone_agree, key_comes_back,
    key_damaged_bytes_decode_or_err, key_parts_keep_order_and_show_their_end,
};
pub use values::{value_comes_back, value_damaged_bytes_decode_or_err};

/// What stands in the buffer beforehand, and after a part.
const NEIGHBOURS: [&[u8]; 4] = [&[], &[0x00], &[0x00, 0x00, 0x01], &[0xFF, 0xFF]];

fn expect_samples<T>(samples: &[T]) {
    assert!(!samples.is_empty(), "the suite needs samples to try");
}

fn whole<T: Encode + std::fmt::Debug>(value: &T) -> Vec<u8> {
    appended(value, |out| value.encode(out))
}

fn part<T: Encode + std::fmt::Debug>(value: &T) -> Vec<u8> {
    appended(value, |out| value.encode_part(out))
}

/// Returns what `encode` appends, and checks that it only appends, and the same each time.
fn appended<T: std::fmt::Debug>(value: &T, encode: impl Fn(&mut Vec<u8>) -> Result<()>) -> Vec<u8> {
    let into = |before: &[u8]| {
        let mut out = before.to_vec();
        if let Err(error) = encode(&mut out) {
            panic!("{value:?} does not encode: {error}");
        }
        assert!(
            out.starts_with(before),
            "encoding {value:?} changed what was in the buffer: {before:02x?} became {out:02x?}"
        );
        out.split_off(before.len())
    };
    let bytes = into(&[]);
    for before in NEIGHBOURS {
        assert_eq!(into(before), bytes, "the bytes of {value:?} depend on what is before them");
    }
    bytes
}
