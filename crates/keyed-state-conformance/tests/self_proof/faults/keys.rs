//! Faults of key encodings, as an engine sees them: it stores a row under another key than it was given, and
//! the given key beside the value.

use super::Fault;

/// Whether `fault` is one of these.
pub(super) fn are_rewritten(fault: Option<Fault>) -> bool {
    matches!(
        fault,
        Some(
            Fault::KeysCompareSigned
                | Fault::SignBitNotFlipped
                | Fault::NegativeFloatsReversed
                | Fault::LengthPrefixDropped
                | Fault::LongKeysCut
        )
    )
}

/// Returns the key under which the row of `key` is stored.
pub(super) fn rewrite(fault: Option<Fault>, key: &[u8]) -> Vec<u8> {
    let user_key = user_key_start(key).filter(|start| key.len() - start == 8);
    let mut stored = key.to_vec();
    match (fault, user_key) {
        (Some(Fault::KeysCompareSigned), _) => stored.iter_mut().for_each(|byte| *byte ^= 0x80),
        (Some(Fault::LongKeysCut), _) => stored.truncate(255),
        (Some(Fault::LengthPrefixDropped), _) => {
            if let Some(without_lengths) = without_lengths(key) {
                stored = without_lengths;
            }
        }
        (Some(Fault::SignBitNotFlipped), Some(start)) => stored[start] ^= 0x80,
        (Some(Fault::NegativeFloatsReversed), Some(start)) if matches!(stored[start], 1..0x80) => {
            stored[start] ^= 0x7F;
            stored[start + 1..].iter_mut().for_each(|byte| *byte ^= 0xFF);
        }
        _ => {}
    }
    stored
}

pub(super) fn pack(key: &[u8], value: &[u8]) -> Vec<u8> {
    [&u32::try_from(key.len()).expect("keys are short").to_be_bytes()[..], key, value].concat()
}

pub(super) fn unpack(packed: &[u8]) -> (&[u8], &[u8]) {
    let (length, rest) = packed.split_first_chunk().expect("it was packed");
    rest.split_at(u32::from_be_bytes(*length) as usize)
}

/// Key group, key and namespace and what follows, of a composite key; the lengths left out.
fn without_lengths(key: &[u8]) -> Option<Vec<u8>> {
    let (group, mut rest) = key.split_at_checked(2)?;
    let (key, namespace) = (take(&mut rest)?, take(&mut rest)?);
    Some([group, key, namespace, rest].concat())
}

fn user_key_start(key: &[u8]) -> Option<usize> {
    let mut rest = key.get(2..)?;
    take(&mut rest)?;
    take(&mut rest)?;
    // The generation, which is one byte as long as it is 0.
    Some(key.len() - rest.len() + 1).filter(|start| *start < key.len())
}

/// Takes a part behind its length, of which only the forms of one to three bytes matter here.
fn take<'a>(input: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (first, rest) = input.split_first()?;
    let (length, rest) = match first {
        0..=0xF7 => (usize::from(*first), rest),
        0xF8 => (usize::from(*rest.first()?), &rest[1..]),
        _ => {
            let (bytes, rest) = rest.split_first_chunk()?;
            (usize::from(u16::from_be_bytes(*bytes)), rest)
        }
    };
    let (part, rest) = rest.split_at_checked(length)?;
    *input = rest;
    Some(part)
}
