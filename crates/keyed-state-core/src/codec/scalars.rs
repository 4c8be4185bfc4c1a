use std::time::Duration;

use super::{Decode, Encode, StateKey, fixed};
use crate::Result;

/// Types that are written as another type and checked when read back.
macro_rules! checked {
    ($($type:ty, $schema:literal, $form:ty, $write:expr, $read:expr;)*) => {$(
        impl Encode for $type {
            #[inline]
            fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
                let write: fn(&$type) -> $form = $write;
                write(self).encode_part(out)
            }

            #[inline]
            fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
                self.encode(out)
            }
        }

        impl Decode for $type {
            #[inline]
            fn decode(bytes: &[u8]) -> Result<Self> {
                fixed::whole(bytes, $schema, Self::decode_part)
            }

            #[inline]
            fn decode_part(input: &mut &[u8]) -> Result<Self> {
                let read: fn($form) -> Option<$type> = $read;
                let form = <$form>::decode_part(input)?;
                read(form).ok_or_else(|| fixed::invalid($schema, format_args!("{form:?}")))
            }

            fn schema() -> String {
                $schema.to_owned()
            }
        }

        impl StateKey for $type {}
    )*};
}

checked! {
    bool, "bool", u8,
        |value| u8::from(*value),
        |byte| match byte { 0 => Some(false), 1 => Some(true), _ => None };
    char, "char", u32,
        |value| u32::from(*value),
        char::from_u32;
    Duration, "duration", (u64, u32),
        |value| (value.as_secs(), value.subsec_nanos()),
        // A billion nanoseconds would be a second form of the next second.
        |(secs, nanos)| (nanos < 1_000_000_000).then(|| Duration::new(secs, nanos));
}
