use super::{Decode, Encode, StateKey};
use crate::{Error, ErrorKind, Result};

/// Takes the first `N` bytes from the front of `input`.
pub(super) fn take<const N: usize>(input: &mut &[u8], schema: &str) -> Result<[u8; N]> {
    let (head, rest) =
        input.split_first_chunk().ok_or_else(|| wrong_length(schema, N, input.len()))?;
    *input = rest;
    Ok(*head)
}

/// Takes all of `bytes`, which must be `N`.
pub(super) fn exactly<const N: usize>(bytes: &[u8], schema: &str) -> Result<[u8; N]> {
    bytes.try_into().map_err(|_| wrong_length(schema, N, bytes.len()))
}

fn wrong_length(schema: &str, expected: usize, found: usize) -> Error {
    Error::new(ErrorKind::Codec, format!("{schema} takes {expected} bytes, not {found}"))
}

/// Big endian, so that byte order is numeric order; `$flip` turns the sign bit of signed integers over.
macro_rules! integers {
    ($($type:ident, $flip:expr;)*) => {$(
        impl Encode for $type {
            fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
                out.extend_from_slice(&(*self ^ $flip).to_be_bytes());
                Ok(())
            }

            fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
                self.encode(out)
            }
        }

        impl Decode for $type {
            fn decode(bytes: &[u8]) -> Result<Self> {
                Ok($type::from_be_bytes(exactly(bytes, stringify!($type))?) ^ $flip)
            }

            fn decode_part(input: &mut &[u8]) -> Result<Self> {
                Ok($type::from_be_bytes(take(input, stringify!($type))?) ^ $flip)
            }

            fn schema() -> String {
                stringify!($type).to_owned()
            }
        }

        impl StateKey for $type {}
    )*};
}

integers! {
    u8, 0;
    u16, 0;
    u32, 0;
    u64, 0;
    u128, 0;
    i8, i8::MIN;
    i16, i16::MIN;
    i32, i32::MIN;
    i64, i64::MIN;
    i128, i128::MIN;
}
