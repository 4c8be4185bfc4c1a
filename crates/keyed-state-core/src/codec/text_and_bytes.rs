use super::{Decode, Encode, StateKey};
use crate::{Error, ErrorKind, Result};

impl Encode for str {
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(self.as_bytes());
        Ok(())
    }
}

impl Encode for String {
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        self.as_str().encode(out)
    }
}

impl Decode for String {
    fn decode(bytes: &[u8]) -> Result<Self> {
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| {
            Error::new(ErrorKind::Codec, "the stored bytes are no UTF-8 text").with_source(error)
        })
    }

    fn schema() -> String {
        "string".to_owned()
    }
}

impl StateKey for String {}

impl Encode for [u8] {
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(self);
        Ok(())
    }
}

impl Encode for Vec<u8> {
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        self.as_slice().encode(out)
    }
}

impl Decode for Vec<u8> {
    fn decode(bytes: &[u8]) -> Result<Self> {
        Ok(bytes.to_vec())
    }

    fn schema() -> String {
        "bytes".to_owned()
    }
}

impl StateKey for Vec<u8> {}
