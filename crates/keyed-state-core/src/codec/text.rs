use std::sync::Arc;

use super::{Decode, Encode, StateKey};
use crate::{Error, ErrorKind, Result};

impl Encode for str {
    #[inline]
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(self.as_bytes());
        Ok(())
    }
}

fn utf8(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|error| {
        Error::new(ErrorKind::Codec, "the stored bytes are no UTF-8 text").with_source(error)
    })
}

/// Owned texts; all alike in bytes and schema, so that one can take the place of another.
macro_rules! texts {
    ($($type:ty),*) => {$(
        impl Decode for $type {
            #[inline]
            fn decode(bytes: &[u8]) -> Result<Self> {
                utf8(bytes).map(Self::from)
            }

            fn schema() -> String {
                "string".to_owned()
            }
        }

        impl StateKey for $type {}
    )*};
}

texts!(String, Box<str>, Arc<str>);

impl Encode for String {
    #[inline]
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        self.as_str().encode(out)
    }
}

impl Encode for Arc<str> {
    #[inline]
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        str::encode(self, out)
    }
}
