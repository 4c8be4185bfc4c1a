use std::marker::PhantomData;

use super::{Decode, Encode, StateKey, fixed};
use crate::Result;

/// Types of one value, which takes no bytes.
macro_rules! units {
    ($($type:ty, $value:expr, $schema:literal $(, $parameter:ident)?;)*) => {$(
        impl$(<$parameter: ?Sized>)? Encode for $type {
            #[inline]
            fn encode(&self, _: &mut Vec<u8>) -> Result<()> {
                Ok(())
            }

            #[inline]
            fn encode_part(&self, _: &mut Vec<u8>) -> Result<()> {
                Ok(())
            }
        }

        impl$(<$parameter: ?Sized>)? Decode for $type {
            #[inline]
            fn decode(bytes: &[u8]) -> Result<Self> {
                fixed::whole(bytes, $schema, Self::decode_part)
            }

            #[inline]
            fn decode_part(_: &mut &[u8]) -> Result<Self> {
                Ok($value)
            }

            fn schema() -> String {
                $schema.to_owned()
            }
        }
    )*};
}

units! {
    // The namespace of states that have none.
    (), (), "()";
    // For typed ids: `struct Id<T> { raw: u64, of: PhantomData<T> }`.
    PhantomData<T>, PhantomData, "()", T;
}

impl StateKey for () {}
impl<T: ?Sized + Send + Sync + 'static> StateKey for PhantomData<T> {}
