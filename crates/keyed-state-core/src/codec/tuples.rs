use super::{Decode, Encode, StateKey};
use crate::Result;

/// Every field as a part, but the last one of a whole tuple as a whole: nothing follows it.
macro_rules! tuples {
    ($(($($field:ident $index:tt,)* ; $last:ident $last_index:tt);)*) => {$(
        impl<$($field: Encode,)* $last: Encode> Encode for ($($field,)* $last,) {
            #[inline]
            fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
                $(self.$index.encode_part(out)?;)*
                self.$last_index.encode(out)
            }

            #[inline]
            fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
                $(self.$index.encode_part(out)?;)*
                self.$last_index.encode_part(out)
            }
        }

        impl<$($field: Decode,)* $last: Decode> Decode for ($($field,)* $last,) {
            #[inline]
            #[allow(unused_mut, reason = "the tuple of one has no field before its last")]
            fn decode(mut bytes: &[u8]) -> Result<Self> {
                Ok(($($field::decode_part(&mut bytes)?,)* $last::decode(bytes)?,))
            }

            #[inline]
            fn decode_part(input: &mut &[u8]) -> Result<Self> {
                Ok(($($field::decode_part(input)?,)* $last::decode_part(input)?,))
            }

            fn schema() -> String {
                let fields: &[String] = &[$($field::schema(),)* $last::schema()];
                format!("({})", fields.join(","))
            }
        }

        impl<$($field: StateKey,)* $last: StateKey> StateKey for ($($field,)* $last,) {}
    )*};
}

tuples! {
    (; A 0);
    (A 0,; B 1);
    (A 0, B 1,; C 2);
    (A 0, B 1, C 2,; D 3);
    (A 0, B 1, C 2, D 3,; E 4);
    (A 0, B 1, C 2, D 3, E 4,; F 5);
    (A 0, B 1, C 2, D 3, E 4, F 5,; G 6);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6,; H 7);
}
