use super::{Decode, Encode, StateKey};
use crate::{Error, ErrorKind, Result};

/// No bytes: the namespace of states that have none.
impl Encode for () {
    fn encode(&self, _: &mut Vec<u8>) -> Result<()> {
        Ok(())
    }

    fn encode_part(&self, _: &mut Vec<u8>) -> Result<()> {
        Ok(())
    }
}

impl Decode for () {
    fn decode(bytes: &[u8]) -> Result<Self> {
        if bytes.is_empty() {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Codec, format!("() takes no bytes, not {}", bytes.len())))
    }

    fn decode_part(_: &mut &[u8]) -> Result<Self> {
        Ok(())
    }

    fn schema() -> String {
        "()".to_owned()
    }
}

impl StateKey for () {}
