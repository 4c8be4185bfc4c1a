//! How Rust values become bytes.

use std::hash::Hash;

use crate::Result;

mod integers;
mod part;
mod text_and_bytes;
mod unit;

pub use part::{decode_escaped, encode_escaped};

/// Appends the byte form of a value.
///
/// # Laws
///
/// - Equal values give equal bytes, in every process and release.
/// - If `T: Borrow<Q>` and both implement `Encode`, they give equal bytes; so `get("a")` finds what
///   `put("a".to_owned(), …)` stored.
pub trait Encode {
    /// Appends the encoding of `self` to `out`, leaving untouched what is there.
    ///
    /// # Errors
    ///
    /// [`Codec`](crate::ErrorKind::Codec) if the value has no byte form. What was appended by then is
    /// unspecified; the caller cuts it off.
    fn encode(&self, out: &mut Vec<u8>) -> Result<()>;

    /// Appends an encoding that shows where it ends, for a value that is followed by others (the fields of a struct).
    ///
    /// The default [escapes](encode_escaped) what [`encode`](Self::encode) gives, which keeps its order
    /// and costs two bytes and one for each zero byte. Types of fixed width override it by `encode`.
    /// Override it together with [`Decode::decode_part`] or not at all.
    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        encode_escaped(out, |out| self.encode(out))
    }
}

/// Rebuilds a value from the bytes that [`Encode::encode`] appended.
pub trait Decode: Sized {
    /// Decodes `bytes`; the whole slice belongs to the value.
    ///
    /// # Errors
    ///
    /// [`Codec`](crate::ErrorKind::Codec) for any bytes that `encode` never gives. No input panics, and
    /// none allocates more than a small multiple of its length.
    fn decode(bytes: &[u8]) -> Result<Self>;

    /// Decodes what [`Encode::encode_part`] appended from the front of `input`, and moves `input` past it.
    fn decode_part(input: &mut &[u8]) -> Result<Self> {
        decode_escaped(input, Self::decode)
    }

    /// Names the byte form, such as `u64` or `Point{x:i32,y:i32}`.
    ///
    /// Stored with the state and compared when it is opened again: two types with one schema must read
    /// each other's bytes, and a change to the byte form must change the schema.
    fn schema() -> String;
}

/// A type that can be a stream key, a namespace or a map key.
///
/// # Laws
///
/// - `a.cmp(&b)` equals the lexicographic order of the two encodings as unsigned bytes, and so
///   `a == b` exactly if the encodings are equal. Iteration order, ranges, `first` and `last` rest on it.
/// - `Hash` and `Clone` agree with `Eq`.
///
/// [`codec_suite!`](crate::codec_suite) tests the laws for a type of yours.
pub trait StateKey: Encode + Decode + Ord + Hash + Clone + Send + Sync + 'static {}

/// A type that can be a state's value. Implemented for everything that qualifies.
///
/// # Law
///
/// `clone` is deep: what is done to a clone cannot be seen through the original. (A value with an
/// `Arc<Mutex<_>>` inside would break that.)
pub trait StateValue: Encode + Decode + Clone + Send + Sync + 'static {}

impl<T: Encode + Decode + Clone + Send + Sync + 'static> StateValue for T {}
