use super::{Decode, Encode, StateKey, fixed};
use crate::Result;

const NONE: u8 = 0;
const SOME: u8 = 1;

impl<T: Encode> Encode for Option<T> {
    #[inline]
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            None => NONE.encode(out),
            Some(value) => {
                out.push(SOME);
                value.encode(out)
            }
        }
    }

    #[inline]
    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            None => NONE.encode(out),
            Some(value) => {
                out.push(SOME);
                value.encode_part(out)
            }
        }
    }
}

/// Takes the tag; true for `Some`.
#[inline]
fn take_tag(input: &mut &[u8]) -> Result<bool> {
    match fixed::take(input, "tag of an option")? {
        [NONE] => Ok(false),
        [SOME] => Ok(true),
        [other] => Err(fixed::invalid("tag of an option", format_args!("{other:02x}"))),
    }
}

impl<T: Decode> Decode for Option<T> {
    #[inline]
    fn decode(mut bytes: &[u8]) -> Result<Self> {
        if take_tag(&mut bytes)? {
            T::decode(bytes).map(Some)
        } else if bytes.is_empty() {
            Ok(None)
        } else {
            Err(fixed::trailing("None", bytes.len()))
        }
    }

    #[inline]
    fn decode_part(input: &mut &[u8]) -> Result<Self> {
        if take_tag(input)? { T::decode_part(input).map(Some) } else { Ok(None) }
    }

    fn schema() -> String {
        format!("option({})", T::schema())
    }
}

impl<T: StateKey> StateKey for Option<T> {}
