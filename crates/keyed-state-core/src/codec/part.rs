use crate::{Error, ErrorKind, Result};

/// Ends an escaped part. Below every escape and every other byte pair that can follow, so that a part
/// sorts before all longer parts that it begins.
const END: [u8; 2] = [0x00, 0x00];
/// What a zero byte becomes.
const ESCAPED_ZERO: [u8; 2] = [0x00, 0xFF];

/// Appends what `encode` appends, escaped so that its end can be found and its order is kept.
///
/// A zero byte becomes `00 FF`, and `00 00` ends the part. This is the scheme of Google's `OrderedCode`
/// and of `FoundationDB`'s tuple layer. Cost: two bytes, one more for each zero byte, one pass.
pub fn encode_escaped(
    out: &mut Vec<u8>,
    encode: impl FnOnce(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    let start = out.len();
    encode(out)?;
    #[expect(clippy::naive_bytecount, reason = "keys are short, and the compiler vectorises it")]
    let zeros = out[start..].iter().filter(|byte| **byte == 0).count();
    if zeros > 0 {
        // Moved from the back to the front, so that no second buffer is needed.
        let mut from = out.len();
        out.resize(from + zeros, 0);
        let mut to = out.len();
        while from < to {
            from -= 1;
            if out[from] == 0 {
                to -= 2;
                out[to..to + 2].copy_from_slice(&ESCAPED_ZERO);
            } else {
                to -= 1;
                out[to] = out[from];
            }
        }
    }
    out.extend_from_slice(&END);
    Ok(())
}

/// Takes one escaped part from the front of `input`, moves `input` past it and decodes it.
///
/// Allocates only for a part that holds a zero byte.
pub fn decode_escaped<T>(input: &mut &[u8], decode: impl FnOnce(&[u8]) -> Result<T>) -> Result<T> {
    let bytes = *input;
    let mut unescaped = Vec::new();
    let mut copied = 0;
    let mut at = 0;
    loop {
        let Some(zero) = bytes[at..].iter().position(|byte| *byte == 0).map(|i| at + i) else {
            return Err(Error::new(ErrorKind::Codec, "a part of a value has no end mark (00 00)"));
        };
        match bytes.get(zero + 1) {
            Some(0x00) => {
                *input = &bytes[zero + 2..];
                if copied == 0 {
                    return decode(&bytes[..zero]);
                }
                unescaped.extend_from_slice(&bytes[copied..zero]);
                return decode(&unescaped);
            }
            Some(0xFF) => {
                unescaped.extend_from_slice(&bytes[copied..=zero]);
                copied = zero + 2;
                at = copied;
            }
            _ => {
                return Err(Error::new(
                    ErrorKind::Codec,
                    "a zero byte in a part of a value must be followed by 00 or FF",
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn escape(bytes: &[u8]) -> Vec<u8> {
        let mut out = vec![7];
        encode_escaped(&mut out, |out| {
            out.extend_from_slice(bytes);
            Ok(())
        })
        .unwrap();
        assert_eq!(out.remove(0), 7);
        out
    }

    fn tiny() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop::sample::select(vec![0_u8, 1, 0x61, 0xFF]), 0..6)
    }

    proptest! {
        #[test]
        fn keeps_order_and_comes_back(a in tiny(), b in tiny(), rest in tiny()) {
            prop_assert_eq!(a.cmp(&b), escape(&a).cmp(&escape(&b)));
            let mut stored = escape(&a);
            stored.extend_from_slice(&rest);
            let mut input = stored.as_slice();
            let back = decode_escaped(&mut input, |bytes| Ok(bytes.to_vec())).unwrap();
            prop_assert_eq!((back, input), (a, rest.as_slice()));
        }

        #[test]
        fn no_part_begins_another(a in tiny(), b in tiny()) {
            prop_assume!(a != b);
            prop_assert!(!escape(&a).starts_with(&escape(&b)));
        }

        #[test]
        fn any_bytes_decode_or_err(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut input = bytes.as_slice();
            if let Ok(part) = decode_escaped(&mut input, |part| Ok(part.to_vec())) {
                let used = &bytes[..bytes.len() - input.len()];
                prop_assert_eq!(escape(&part), used);
            }
        }
    }
}
