//! What stands before each stored value: how many ranges had been deleted when it was written.
//!
//! A varint of seven bits a byte, the lowest first, the top bit set where more follow.

/// The longest form.
pub(crate) const MAX_BYTES: usize = 10;

const MORE: u8 = 0x80;

pub(crate) fn append(mut stamp: u64, out: &mut Vec<u8>) {
    while stamp >= u64::from(MORE) {
        out.push(stamp.to_le_bytes()[0] | MORE);
        stamp >>= 7;
    }
    out.push(stamp.to_le_bytes()[0]);
}

/// Takes the stamp from the front of a stored value; `None` if there is none.
#[inline]
pub(crate) fn split(stored: &[u8]) -> Option<(u64, &[u8])> {
    match stored {
        [byte, value @ ..] if *byte < MORE => Some((u64::from(*byte), value)),
        longer => split_longer(longer),
    }
}

fn split_longer(stored: &[u8]) -> Option<(u64, &[u8])> {
    let mut stamp = 0;
    for (index, byte) in stored.iter().take(MAX_BYTES).enumerate() {
        stamp |= u64::from(byte & !MORE).checked_shl(7 * u32::try_from(index).ok()?)?;
        if byte & MORE == 0 {
            return Some((stamp, &stored[index + 1..]));
        }
    }
    None
}

/// Fills `out` with `value` behind its stamp.
pub(crate) fn stamp(stamp: u64, value: &[u8], out: &mut Vec<u8>) {
    out.clear();
    append(stamp, out);
    out.extend_from_slice(value);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn stamps_come_back(stamp in any::<u64>(), shift in 0..64_u32, value: Vec<u8>) {
            let stamp = stamp >> shift;
            let mut stored = Vec::new();
            append(stamp, &mut stored);
            prop_assert!(stored.len() <= MAX_BYTES);
            stored.extend_from_slice(&value);
            prop_assert_eq!(split(&stored), Some((stamp, value.as_slice())));
        }

        #[test]
        fn f2_any_bytes_are_split_or_refused(stored: Vec<u8>) {
            if let Some((_, value)) = split(&stored) {
                prop_assert!(stored.ends_with(value));
            }
        }
    }
}
