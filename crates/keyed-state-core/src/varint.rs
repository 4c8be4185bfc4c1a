//! Unsigned integers whose byte order is their numeric order, in one byte while they are small.
//!
//! `0..=0xF7` is the byte itself; `0xF8 + n - 1` is followed by the `n` bytes (1 to 8) of the number, big
//! endian and without leading zero bytes. Each number has exactly one form.

use crate::{Error, ErrorKind, Result};

/// The length of the longest form.
pub(crate) const MAX_BYTES: usize = 9;

const LAST_SINGLE: u8 = 0xF7;

/// Appends `number`.
pub(crate) fn encode(number: u64, out: &mut Vec<u8>) {
    match u8::try_from(number) {
        Ok(byte) if byte <= LAST_SINGLE => out.push(byte),
        _ => {
            let bytes = number.to_be_bytes();
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let width = u8::try_from(bytes.len() - zeros).expect("at most 8");
            out.push(LAST_SINGLE + width);
            out.extend_from_slice(&bytes[zeros..]);
        }
    }
}

/// Takes one number from the front of `input` and moves `input` past it.
pub(crate) fn decode(input: &mut &[u8]) -> Result<u64> {
    let malformed =
        || Error::new(ErrorKind::Codec, "a stored length or generation is no valid number");
    let (first, rest) = input.split_first().ok_or_else(malformed)?;
    if *first <= LAST_SINGLE {
        *input = rest;
        return Ok(u64::from(*first));
    }
    let width = usize::from(first - LAST_SINGLE);
    let (digits, rest) = rest.split_at_checked(width).ok_or_else(malformed)?;
    let number = digits.iter().fold(0, |number, digit| number << 8 | u64::from(*digit));
    if digits[0] == 0 || number <= u64::from(LAST_SINGLE) {
        return Err(malformed());
    }
    *input = rest;
    Ok(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes(number: u64) -> Vec<u8> {
        let mut out = Vec::new();
        encode(number, &mut out);
        out
    }

    /// Numbers of every width alike.
    fn number() -> impl Strategy<Value = u64> {
        (any::<u64>(), 0..64_u32).prop_map(|(n, shift)| n >> shift)
    }

    proptest! {
        #[test]
        fn keeps_order_and_comes_back(a in number(), b in number()) {
            prop_assert_eq!(a.cmp(&b), bytes(a).cmp(&bytes(b)));
            prop_assert_eq!(decode(&mut bytes(a).as_slice()).unwrap(), a);
        }

        #[test]
        fn each_number_has_one_form(bytes_in in prop::collection::vec(any::<u8>(), 0..10)) {
            let mut input = bytes_in.as_slice();
            if let Ok(number) = decode(&mut input) {
                prop_assert_eq!(&bytes(number), &bytes_in[..bytes_in.len() - input.len()]);
            }
        }
    }

    #[test]
    fn golden_forms() {
        assert_eq!(bytes(0), [0]);
        assert_eq!(bytes(0xF7), [0xF7]);
        assert_eq!(bytes(0xF8), [0xF8, 0xF8]);
        assert_eq!(bytes(0x1234), [0xF9, 0x12, 0x34]);
        assert_eq!(bytes(u64::MAX), [0xFF; MAX_BYTES]);
    }
}
