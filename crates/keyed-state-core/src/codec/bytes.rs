//! `u8`, and with it byte strings: lists of `u8` are stored as they are, without a mark for each element.

use super::{Decode, Encode, StateKey, decode_escaped, encode_escaped, fixed};
use crate::Result;

impl Encode for u8 {
    #[inline]
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        out.push(*self);
        Ok(())
    }

    #[inline]
    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        self.encode(out)
    }

    #[inline]
    fn encode_list(list: &[Self], out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(list);
        Ok(())
    }

    fn encode_list_part(list: &[Self], out: &mut Vec<u8>) -> Result<()> {
        encode_escaped(out, |out| Self::encode_list(list, out))
    }
}

impl Decode for u8 {
    #[inline]
    fn decode(bytes: &[u8]) -> Result<Self> {
        fixed::exactly(bytes, "u8").map(|[byte]| byte)
    }

    #[inline]
    fn decode_part(input: &mut &[u8]) -> Result<Self> {
        fixed::take(input, "u8").map(|[byte]| byte)
    }

    fn schema() -> String {
        "u8".to_owned()
    }

    #[inline]
    fn decode_list(bytes: &[u8]) -> Result<Vec<Self>> {
        Ok(bytes.to_vec())
    }

    fn decode_list_part(input: &mut &[u8]) -> Result<Vec<Self>> {
        decode_escaped(input, Self::decode_list)
    }

    #[inline]
    fn decode_array<const N: usize>(bytes: &[u8]) -> Result<[Self; N]> {
        fixed::exactly(bytes, "byte array")
    }

    fn list_schema() -> String {
        "bytes".to_owned()
    }
}

impl StateKey for u8 {}
