use std::any::type_name;

use serde::{Serialize, de::DeserializeOwned};

use super::{
    Serde,
    limits::{Budget, Limited},
};
use crate::{Decode, Encode, Error, ErrorKind, Result, codec::fixed};

impl<T: Serialize> Encode for Serde<T> {
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        let budget = Budget::for_output();
        let mut serializer = postcard::Serializer { output: Appending(out) };
        self.0
            .serialize(Limited::new(&mut serializer, &budget))
            .map_err(|error| budget.error().unwrap_or_else(|| failed::<T>("write", error)))?;
        budget.check_written(out.len() - start)
    }
}

impl<T: DeserializeOwned> Decode for Serde<T> {
    fn decode(bytes: &[u8]) -> Result<Self> {
        let budget = Budget::for_input(bytes.len());
        let mut deserializer = postcard::Deserializer::from_bytes(bytes);
        let value = T::deserialize(Limited::new(&mut deserializer, &budget))
            .map_err(|error| budget.error().unwrap_or_else(|| failed::<T>("read", error)))?;
        let rest = deserializer.finalize().map_err(|error| failed::<T>("read", error))?;
        if rest.is_empty() {
            Ok(Self(value))
        } else {
            Err(fixed::trailing(type_name::<T>(), rest.len()))
        }
    }

    fn schema() -> String {
        format!("serde({})", type_name::<T>())
    }
}

#[cold]
fn failed<T>(action: &str, error: postcard::Error) -> Error {
    Error::new(ErrorKind::Codec, format!("postcard cannot {action} a {}", type_name::<T>()))
        .with_source(error)
}

/// Appends to a buffer that stays the caller's.
struct Appending<'a>(&'a mut Vec<u8>);

impl postcard::ser_flavors::Flavor for Appending<'_> {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}
