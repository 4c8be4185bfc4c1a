//! The laws catch the mistakes that people make in codecs: each type here makes one.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::{
    hash::{Hash, Hasher},
    panic::catch_unwind,
};

use keyed_state_core::{Decode, Encode, Error, ErrorKind, Result, StateKey, codec_laws};

/// A key over a `String` or number with the given `encode` and `decode`.
macro_rules! wrong_key {
    ($name:ident($inner:ty), $encode:expr, $decode:expr) => {
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        struct $name($inner);

        impl Encode for $name {
            fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
                let encode: fn(&$inner, &mut Vec<u8>) -> Result<()> = $encode;
                encode(&self.0, out)
            }
        }

        impl Decode for $name {
            fn decode(bytes: &[u8]) -> Result<Self> {
                let decode: fn(&[u8]) -> Result<$inner> = $decode;
                decode(bytes).map(Self)
            }

            fn schema() -> String {
                stringify!($name).to_owned()
            }
        }

        impl StateKey for $name {}
    };
}

fn eight(bytes: &[u8]) -> Result<[u8; 8]> {
    bytes.try_into().map_err(|_| Error::new(ErrorKind::Codec, "a number takes 8 bytes"))
}

wrong_key!(
    LittleEndian(u64),
    |n, out| {
        out.extend_from_slice(&n.to_le_bytes());
        Ok(())
    },
    |bytes| Ok(u64::from_le_bytes(eight(bytes)?))
);
wrong_key!(
    SignBitKept(i64),
    |n, out| {
        out.extend_from_slice(&n.to_be_bytes());
        Ok(())
    },
    |bytes| Ok(i64::from_be_bytes(eight(bytes)?))
);
wrong_key!(
    LengthInFront(String),
    |text, out| (u32::try_from(text.len()).unwrap(), text.as_str()).encode(out),
    |bytes| <(u32, String)>::decode(bytes).map(|(_, text)| text)
);
wrong_key!(Lossy(String), |text, out| text.to_lowercase().encode(out), String::decode);
wrong_key!(
    FromTheStart(u64),
    |n, out| {
        out.clear();
        n.encode(out)
    },
    u64::decode
);
wrong_key!(IgnoresTheRest(u64), u64::encode, |mut bytes| u64::decode_part(&mut bytes));
wrong_key!(TrustsItsInput(u64), u64::encode, |bytes| Ok(u64::from_be_bytes(
    bytes.try_into().expect("8 bytes")
)));

/// Equal whatever the case, but hashed and stored by it.
#[derive(Clone, Debug)]
struct CaseBlind(String);

impl PartialEq for CaseBlind {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for CaseBlind {}

impl PartialOrd for CaseBlind {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CaseBlind {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.to_lowercase().cmp(&other.0.to_lowercase())
    }
}

impl Hash for CaseBlind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Encode for CaseBlind {
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        self.0.encode(out)
    }
}

impl Decode for CaseBlind {
    fn decode(bytes: &[u8]) -> Result<Self> {
        String::decode(bytes).map(Self)
    }

    fn schema() -> String {
        "CaseBlind".to_owned()
    }
}

impl StateKey for CaseBlind {}

/// A part that does not show its end: `a` begins `ab`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Endless(String);

impl Encode for Endless {
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        self.0.encode(out)
    }

    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        self.0.encode(out)
    }
}

impl Decode for Endless {
    fn decode(bytes: &[u8]) -> Result<Self> {
        String::decode(bytes).map(Self)
    }

    fn decode_part(input: &mut &[u8]) -> Result<Self> {
        Self::decode(std::mem::take(input))
    }

    fn schema() -> String {
        "Endless".to_owned()
    }
}

impl StateKey for Endless {}

#[track_caller]
fn caught<T: StateKey + std::fmt::Debug + std::panic::RefUnwindSafe>(
    law: fn(&[T]),
    samples: &[T],
    message: &str,
) {
    let panic = catch_unwind(|| law(samples)).expect_err("the law must catch it");
    let text = panic.downcast_ref::<String>().expect("a message with values in it");
    assert!(text.contains(message), "{text}");
}

fn texts<T>(key: fn(String) -> T) -> Vec<T> {
    ["a", "ab", "B", "b"].map(|text| key(text.to_owned())).into()
}

#[test]
fn a_wrong_order_is_caught() {
    let message = "are not in their order";
    caught(codec_laws::key_byte_order_is_cmp, &[1, 256].map(LittleEndian), message);
    caught(codec_laws::key_byte_order_is_cmp, &[-1, 1].map(SignBitKept), message);
    caught(codec_laws::key_byte_order_is_cmp, &texts(LengthInFront), message);
    caught(codec_laws::key_parts_keep_order_and_show_their_end, &[-1, 1].map(SignBitKept), message);
}

#[test]
fn a_part_without_an_end_is_caught() {
    caught(
        codec_laws::key_parts_keep_order_and_show_their_end,
        &texts(Endless),
        "begins with the part of",
    );
    caught(codec_laws::key_comes_back, &texts(Endless), "decodes to another value");
}

#[test]
fn a_key_that_does_not_come_back_is_caught() {
    caught(codec_laws::key_comes_back, &texts(Lossy), "decodes to another value");
}

#[test]
fn touching_what_was_in_the_buffer_is_caught() {
    caught(codec_laws::key_comes_back, &[FromTheStart(1)], "depend on what is before them");
}

#[test]
fn a_hash_that_disagrees_with_eq_is_caught() {
    let message = "their hashes differ";
    caught(codec_laws::key_cmp_eq_hash_and_clone_agree, &texts(CaseBlind), message);
}

#[test]
fn equal_keys_with_different_bytes_are_caught() {
    caught(codec_laws::key_byte_order_is_cmp, &texts(CaseBlind), "are not in their order");
}

#[test]
fn accepting_bytes_left_over_is_caught() {
    let message = "decodes from bytes that are not its own";
    caught(codec_laws::key_damaged_bytes_decode_or_err, &[IgnoresTheRest(1)], message);
}

#[test]
fn a_panic_on_damaged_bytes_is_caught() {
    let message = "8 bytes";
    caught(codec_laws::key_damaged_bytes_decode_or_err, &[TrustsItsInput(1)], message);
}

#[test]
#[should_panic(expected = "the suite needs samples to try")]
fn a_suite_without_samples_is_no_suite() {
    codec_laws::key_comes_back::<u8>(&[]);
}

#[test]
#[should_panic(expected = "came back as")]
fn a_value_that_does_not_come_back_is_caught() {
    codec_laws::value_comes_back(&texts(Lossy));
}
