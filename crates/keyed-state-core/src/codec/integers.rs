use super::{Decode, Encode, StateKey, fixed};
use crate::Result;

/// Big endian, so that byte order is numeric order; `$flip` turns the sign bit of signed integers over.
macro_rules! integers {
    ($($type:ident, $flip:expr;)*) => {$(
        impl Encode for $type {
            #[inline]
            fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
                out.extend_from_slice(&(*self ^ $flip).to_be_bytes());
                Ok(())
            }

            #[inline]
            fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
                self.encode(out)
            }
        }

        impl Decode for $type {
            #[inline]
            fn decode(bytes: &[u8]) -> Result<Self> {
                Ok($type::from_be_bytes(fixed::exactly(bytes, stringify!($type))?) ^ $flip)
            }

            #[inline]
            fn decode_part(input: &mut &[u8]) -> Result<Self> {
                Ok($type::from_be_bytes(fixed::take(input, stringify!($type))?) ^ $flip)
            }

            fn schema() -> String {
                stringify!($type).to_owned()
            }
        }

        impl StateKey for $type {}
    )*};
}

// `u8` is in `bytes.rs`.
integers! {
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
