use std::{any::type_name, hash::Hash};

use serde::{Serialize, de::DeserializeOwned};

use super::{
    OrderedSerde,
    input::Input,
    limits::{Budget, Limited},
};
use crate::{Decode, Encode, Error, ErrorKind, Result, StateKey, codec::fixed};

impl<T: Serialize> Encode for OrderedSerde<T> {
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        write(&self.0, out)?.check_written(out.len() - start)
    }

    /// The form shows its end: scalars are fixed, lists, strings and options marked.
    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        self.encode(out)
    }
}

impl<T: Serialize + DeserializeOwned> Decode for OrderedSerde<T> {
    fn decode(bytes: &[u8]) -> Result<Self> {
        fixed::whole(bytes, type_name::<T>(), Self::decode_part)
    }

    fn decode_part(input: &mut &[u8]) -> Result<Self> {
        let (value, rest) = read(input)?;
        let used = &input[..input.len() - rest.len()];
        // What is not the value's own form is another key to the engine: a set out of order, or a string
        // with something in the bytes that fill up its last chunk, which neither memcomparable nor the
        // type's `Deserialize` mind.
        let mut own = Vec::with_capacity(used.len());
        write(&value, &mut own)?;
        if own != used {
            return Err(fixed::invalid(type_name::<T>(), "not in the form that writing it gives"));
        }
        *input = rest;
        Ok(Self(value))
    }

    fn schema() -> String {
        format!("ordered_serde({})", type_name::<T>())
    }
}

impl<T> StateKey for OrderedSerde<T> where
    T: Serialize + DeserializeOwned + Ord + Hash + Clone + Send + Sync + 'static
{
}

fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<Budget> {
    let budget = Budget::for_output();
    let mut serializer = memcomparable::Serializer::new(out);
    match value.serialize(Limited::new(&mut serializer, &budget)) {
        Ok(()) => Ok(budget),
        Err(error) => Err(budget.error().unwrap_or_else(|| failed::<T>("write", error))),
    }
}

/// Reads a value from the front of `input`, and returns what is behind it.
fn read<T: DeserializeOwned>(input: &[u8]) -> Result<(T, &[u8])> {
    let budget = Budget::for_input(input.len());
    let mut deserializer = memcomparable::Deserializer::new(Input::new(input));
    let value = T::deserialize(Limited::new(&mut deserializer, &budget));
    // The end of the bytes first: any other error came of the zeros behind it.
    let rest = deserializer.into_inner().rest()?;
    match value {
        Ok(value) => Ok((value, rest)),
        Err(error) => Err(budget.error().unwrap_or_else(|| failed::<T>("read", error))),
    }
}

#[cold]
fn failed<T>(action: &str, error: memcomparable::Error) -> Error {
    Error::new(ErrorKind::Codec, format!("memcomparable cannot {action} a {}", type_name::<T>()))
        .with_source(error)
}
