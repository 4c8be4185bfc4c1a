use std::array;

use super::{Decode, Encode, StateKey, fixed, nesting};
use crate::{Error, ErrorKind, Result};

/// Goes before each element, and is above [`END`], so that a list sorts before all longer lists that
/// it begins. A mark and no count: a count in front would sort by length.
const ELEMENT: u8 = 1;
/// Ends a list.
const END: u8 = 0;

/// The list form of every type but `u8`.
pub(super) fn encode_marked<T: Encode>(list: &[T], out: &mut Vec<u8>) -> Result<()> {
    nesting::nested(|| {
        for element in list {
            out.push(ELEMENT);
            element.encode_part(out)?;
        }
        out.push(END);
        Ok(())
    })
}

/// Takes a mark from the front of `input`; true before an element, false at the end.
fn take_mark(input: &mut &[u8]) -> Result<bool> {
    match fixed::take(input, "mark of a list")? {
        [ELEMENT] => Ok(true),
        [END] => Ok(false),
        [other] => Err(Error::new(
            ErrorKind::Codec,
            format!("expected 00 or 01 before an element of a list, not {other:02x}"),
        )),
    }
}

/// Every element takes at least its mark, so that memory is bounded by the input, not by a count in it.
pub(super) fn decode_marked<T: Decode>(input: &mut &[u8]) -> Result<Vec<T>> {
    nesting::nested(|| {
        let mut list = Vec::new();
        while take_mark(input)? {
            list.push(T::decode_part(input)?);
        }
        Ok(list)
    })
}

pub(super) fn decode_marked_array<T: Decode, const N: usize>(bytes: &[u8]) -> Result<[T; N]> {
    let wrong_length =
        || Error::new(ErrorKind::Codec, format!("expected a list of exactly {N} elements"));
    fixed::whole(bytes, "list", |input| {
        let array =
            try_array(
                || {
                    if take_mark(input)? { T::decode_part(input) } else { Err(wrong_length()) }
                },
            )?;
        if take_mark(input)? { Err(wrong_length()) } else { Ok(array) }
    })
}

/// Fills an array from a function that can fail, without a vector in between.
fn try_array<T, const N: usize>(mut next: impl FnMut() -> Result<T>) -> Result<[T; N]> {
    let mut failure = None;
    let elements: [Option<T>; N] = array::from_fn(|_| {
        if failure.is_some() {
            return None;
        }
        next().map_err(|error| failure = Some(error)).ok()
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(elements.map(|element| element.expect("no element failed"))),
    }
}

impl<T: Encode> Encode for [T] {
    #[inline]
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        T::encode_list(self, out)
    }

    #[inline]
    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        T::encode_list_part(self, out)
    }
}

impl<T: Encode> Encode for Vec<T> {
    #[inline]
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        T::encode_list(self, out)
    }

    #[inline]
    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        T::encode_list_part(self, out)
    }
}

impl<T: Decode> Decode for Vec<T> {
    #[inline]
    fn decode(bytes: &[u8]) -> Result<Self> {
        T::decode_list(bytes)
    }

    #[inline]
    fn decode_part(input: &mut &[u8]) -> Result<Self> {
        T::decode_list_part(input)
    }

    fn schema() -> String {
        T::list_schema()
    }
}

impl<T: StateKey> StateKey for Vec<T> {}

/// As a list, since `[T; N]` borrows as `[T]`; as a part without marks, since its length is known.
impl<T: Encode, const N: usize> Encode for [T; N] {
    #[inline]
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        T::encode_list(self, out)
    }

    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        self.iter().try_for_each(|element| element.encode_part(out))
    }
}

impl<T: Decode, const N: usize> Decode for [T; N] {
    #[inline]
    fn decode(bytes: &[u8]) -> Result<Self> {
        T::decode_array(bytes)
    }

    fn decode_part(input: &mut &[u8]) -> Result<Self> {
        try_array(|| T::decode_part(input))
    }

    fn schema() -> String {
        format!("[{};{N}]", T::schema())
    }
}

impl<T: StateKey, const N: usize> StateKey for [T; N] {}
