//! How Rust values become bytes.

use std::hash::Hash;

use crate::Result;

mod bytes;
pub mod codec_laws;
#[doc(hidden)]
pub mod derive_support;
mod fixed;
mod floats;
mod integers;
mod lists;
mod nesting;
mod net;
mod option;
mod part;
mod pointers;
mod scalars;
#[cfg(feature = "serde")]
mod serde;
mod suite;
mod text;
mod tuples;
mod unit;

pub use floats::{TotalF32, TotalF64};
pub use nesting::MAX_NESTING;
pub use part::{decode_escaped, encode_escaped};
#[cfg(feature = "serde")]
pub use serde::{OrderedSerde, Serde};

#[doc = include_str!("forms.md")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no byte form",
    note = "a type of yours takes `#[derive(StateKey)]` (keys and values) or `#[derive(StateValue)]`",
    note = "a type of another crate goes into `Serde<T>` (values) or `OrderedSerde<T>` (keys)",
    note = "`usize` and `isize` differ between machines: say `u64` and `i64`"
)]
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

    // A list of `u8` is a byte string, a list of anything else is not, and `Vec<T>` can have one
    // implementation only; so the element decides, as in `Hash::hash_slice`. Only `u8` overrides these.
    #[doc(hidden)]
    fn encode_list(list: &[Self], out: &mut Vec<u8>) -> Result<()>
    where
        Self: Sized,
    {
        lists::encode_marked(list, out)
    }

    #[doc(hidden)]
    fn encode_list_part(list: &[Self], out: &mut Vec<u8>) -> Result<()>
    where
        Self: Sized,
    {
        lists::encode_marked(list, out)
    }
}

/// Rebuilds a value from the bytes that [`Encode::encode`] appended.
///
/// The byte forms, and an implementation by hand, are shown at [`Encode`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read back from bytes",
    note = "a type of yours takes `#[derive(StateKey)]` (keys and values) or `#[derive(StateValue)]`",
    note = "a type of another crate goes into `Serde<T>` (values) or `OrderedSerde<T>` (keys)"
)]
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

    #[doc(hidden)]
    fn decode_list(bytes: &[u8]) -> Result<Vec<Self>> {
        fixed::whole(bytes, "list", lists::decode_marked)
    }

    #[doc(hidden)]
    fn decode_list_part(input: &mut &[u8]) -> Result<Vec<Self>> {
        lists::decode_marked(input)
    }

    #[doc(hidden)]
    fn decode_array<const N: usize>(bytes: &[u8]) -> Result<[Self; N]> {
        lists::decode_marked_array(bytes)
    }

    #[doc(hidden)]
    #[must_use]
    fn list_schema() -> String {
        format!("[{}]", nesting::schema_of::<Self>())
    }
}

/// A type that can be a stream key, a namespace or a map key.
///
/// # Laws
///
/// - `a.cmp(&b)` equals the lexicographic order of the two encodings as unsigned bytes, and so
///   `a == b` exactly if the encodings are equal. Iteration order, ranges, `first` and `last` rest on it.
///   It holds of the [parts](Encode::encode_part) too, and no part begins the part of another value.
/// - `Hash` and `Clone` agree with `Eq`.
///
/// [`codec_suite!`](crate::codec_suite) tests the laws for a type of yours. `#[derive(StateKey)]`
/// (feature `derive`) obeys them where `Ord`, `Eq` and `Hash` are derived as well.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a key",
    note = "a type of yours takes `#[derive(StateKey)]`, one of another crate goes into `OrderedSerde<T>`",
    note = "`f32` and `f64` have no total order: use `TotalF32` and `TotalF64`"
)]
pub trait StateKey: Encode + Decode + Ord + Hash + Clone + Send + Sync + 'static {}

/// A type that can be a state's value. Implemented for everything that qualifies.
///
/// `#[derive(StateValue)]` (feature `derive`) writes `Encode` and `Decode` for a type of yours.
///
/// # Law
///
/// `clone` is deep: what is done to a clone cannot be seen through the original. (A value with an
/// `Arc<Mutex<_>>` inside would break that.)
pub trait StateValue: Encode + Decode + Clone + Send + Sync + 'static {}

impl<T: Encode + Decode + Clone + Send + Sync + 'static> StateValue for T {}
