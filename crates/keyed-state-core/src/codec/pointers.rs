use super::{Decode, Encode, StateKey, nesting};
use crate::Result;

/// So that a codec can write `(self.day, self.name.as_str()).encode(out)` without a copy.
impl<T: Encode + ?Sized> Encode for &T {
    #[inline]
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        T::encode(self, out)
    }

    #[inline]
    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        T::encode_part(self, out)
    }
}

/// As what is in it. A type can hold itself through a box, hence the bound on nesting.
impl<T: Encode + ?Sized> Encode for Box<T> {
    #[inline]
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        nesting::nested(|| T::encode(self, out))
    }

    #[inline]
    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        nesting::nested(|| T::encode_part(self, out))
    }
}

impl<T: Decode> Decode for Box<T> {
    #[inline]
    fn decode(bytes: &[u8]) -> Result<Self> {
        nesting::nested(|| T::decode(bytes).map(Self::new))
    }

    #[inline]
    fn decode_part(input: &mut &[u8]) -> Result<Self> {
        nesting::nested(|| T::decode_part(input).map(Self::new))
    }

    fn schema() -> String {
        nesting::schema_of::<T>()
    }
}

impl<T: StateKey> StateKey for Box<T> {}
