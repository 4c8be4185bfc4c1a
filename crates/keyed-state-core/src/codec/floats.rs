use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
};

use super::{Decode, Encode, StateKey, fixed};
use crate::Result;

/// `f32` and `f64` as values, and a newtype of each that is ordered.
macro_rules! floats {
    ($($float:ident, $schema:literal, $bits:ident, $total:ident, $total_schema:literal;)*) => {$(
        impl Encode for $float {
            #[inline]
            fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
                self.to_bits().encode(out)
            }

            #[inline]
            fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
                self.encode(out)
            }
        }

        impl Decode for $float {
            #[inline]
            fn decode(bytes: &[u8]) -> Result<Self> {
                fixed::whole(bytes, $schema, Self::decode_part)
            }

            #[inline]
            fn decode_part(input: &mut &[u8]) -> Result<Self> {
                Ok($float::from_bits($bits::from_be_bytes(fixed::take(input, $schema)?)))
            }

            fn schema() -> String {
                $schema.to_owned()
            }
        }

        #[doc = concat!("An `", $schema, "` that can be a key, in the total order of IEEE 754.")]
        ///
        /// Negative NaNs, -∞, …, -0.0, 0.0, …, +∞, positive NaNs: what `total_cmp` says. Two values are
        /// equal if all their bits are, so `-0.0` and `0.0` are two keys, and a NaN finds itself.
        ///
        /// ```
        #[doc = concat!("use keyed_state_core::", stringify!($total), ";")]
        ///
        #[doc = concat!("assert!(", stringify!($total), "(-0.0) < ", stringify!($total), "(0.0));")]
        #[doc = concat!(
            "assert_eq!(", stringify!($total), "(", $schema, "::NAN), ",
            stringify!($total), "(", $schema, "::NAN));"
        )]
        /// ```
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $total(pub $float);

        impl $total {
            /// The bits with their order turned into that of unsigned integers: the sign bit of
            /// positive numbers flipped, every bit of negative ones.
            #[inline]
            fn ordered_bits(self) -> $bits {
                let bits = self.0.to_bits();
                let negative = (bits.cast_signed() >> ($bits::BITS - 1)).cast_unsigned();
                bits ^ (negative | 1 << ($bits::BITS - 1))
            }

            #[inline]
            fn from_ordered_bits(ordered: $bits) -> Self {
                let positive = (ordered.cast_signed() >> ($bits::BITS - 1)).cast_unsigned();
                Self($float::from_bits(ordered ^ (!positive | 1 << ($bits::BITS - 1))))
            }
        }

        impl Ord for $total {
            fn cmp(&self, other: &Self) -> Ordering {
                self.0.total_cmp(&other.0)
            }
        }

        impl PartialOrd for $total {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl PartialEq for $total {
            fn eq(&self, other: &Self) -> bool {
                self.0.to_bits() == other.0.to_bits()
            }
        }

        impl Eq for $total {}

        impl Hash for $total {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.0.to_bits().hash(state);
            }
        }

        impl From<$float> for $total {
            fn from(value: $float) -> Self {
                Self(value)
            }
        }

        impl From<$total> for $float {
            fn from(value: $total) -> Self {
                value.0
            }
        }

        impl fmt::Display for $total {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl Encode for $total {
            #[inline]
            fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
                self.ordered_bits().encode(out)
            }

            #[inline]
            fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
                self.encode(out)
            }
        }

        impl Decode for $total {
            #[inline]
            fn decode(bytes: &[u8]) -> Result<Self> {
                fixed::whole(bytes, $total_schema, Self::decode_part)
            }

            #[inline]
            fn decode_part(input: &mut &[u8]) -> Result<Self> {
                let ordered = $bits::from_be_bytes(fixed::take(input, $total_schema)?);
                Ok(Self::from_ordered_bits(ordered))
            }

            fn schema() -> String {
                $total_schema.to_owned()
            }
        }

        impl StateKey for $total {}
    )*};
}

floats! {
    f32, "f32", u32, TotalF32, "total_f32";
    f64, "f64", u64, TotalF64, "total_f64";
}
