//! Codecs for types that implement serde's traits.

use std::{
    fmt,
    ops::{Deref, DerefMut},
};

mod input;
mod limits;
mod ordered;
mod value;

/// A value of any type that implements serde's traits, stored as [postcard](https://docs.rs/postcard) writes it.
///
/// For `HashMap`, `BTreeMap` and types of other crates, which cannot take `#[derive(StateValue)]`.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use keyed_state_core::{Decode, Encode, Serde};
///
/// let mut visits = Serde(BTreeMap::from([("LAX".to_owned(), 3_u32)]));
/// visits.insert("SFO".to_owned(), 1);
///
/// let mut bytes = Vec::new();
/// visits.encode(&mut bytes)?;
/// assert_eq!(Serde::decode(&bytes)?, visits);
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
///
/// # Limits
///
/// - The schema is `serde(` and the type's path, as in `serde(my_job::Visits)`. Moving or renaming the type
///   makes it another type; a change to its *fields* goes unnoticed, and old bytes then fail to decode or
///   decode wrongly. `#[derive(StateValue)]` notices.
/// - It is no key: postcard's bytes are not in the order of the values. See [`OrderedSerde`].
/// - postcard does not describe itself: `#[serde(untagged)]`, `#[serde(flatten)]`, internally tagged enums and
///   `skip_serializing_if` fail.
/// - [`Codec`](crate::ErrorKind::Codec), when it is written and when it is read, for a value that nests more
///   than 128 levels, or that has over 1,024 more list and map elements than bytes (elements that take no bytes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Serde<T>(pub T);

/// A key of any type that implements serde's traits, in the byte form of
/// [memcomparable](https://docs.rs/memcomparable), whose order is that of derived `Ord`.
///
/// For types of other crates, which cannot take `#[derive(StateKey)]`.
///
/// ```
/// use std::collections::BTreeSet;
///
/// use keyed_state_core::{Decode, Encode, OrderedSerde};
///
/// let bytes = |codes: &[&str]| {
///     let set: BTreeSet<String> = codes.iter().map(|code| code.to_string()).collect();
///     let mut bytes = Vec::new();
///     OrderedSerde(set).encode(&mut bytes).map(|()| bytes)
/// };
/// assert!(bytes(&["JFK"])? < bytes(&["JFK", "LAX"])?);
/// assert!(bytes(&["JFK", "LAX"])? < bytes(&["LAX"])?);
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
///
/// # Limits
///
/// - The order law holds where `Ord` compares what serde writes, in serde's order: derived `Ord` and derived
///   `Serialize` do. `std::cmp::Reverse`, `#[serde(skip)]`, `#[serde(with = …)]` and an `Ord` by hand break it.
///   [`codec_suite!`](crate::codec_suite) finds out.
/// - Maps, `#[serde(untagged)]`, `#[serde(flatten)]` and internally tagged enums fail, as do enums of more than 256
///   variants, with [`Codec`](crate::ErrorKind::Codec) at the first write.
/// - Schema and nesting: as for [`Serde`].
/// - Cost: strings and `serde_bytes` take 9 bytes for each 8, other lists one more for each element. Reading also
///   writes, to refuse bytes that are not the key's own form. Derived codecs are shorter and faster.
/// - It does not implement `Borrow<T>`, whose bytes could be others, so look-ups take an `OrderedSerde<T>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderedSerde<T>(pub T);

/// Lets a newtype be used as what is in it.
macro_rules! transparent {
    ($($newtype:ident),*) => {$(
        impl<T> $newtype<T> {
            /// Returns what is in it.
            pub fn into_inner(self) -> T {
                self.0
            }
        }

        impl<T> From<T> for $newtype<T> {
            fn from(inner: T) -> Self {
                Self(inner)
            }
        }

        impl<T> Deref for $newtype<T> {
            type Target = T;

            fn deref(&self) -> &T {
                &self.0
            }
        }

        impl<T> DerefMut for $newtype<T> {
            fn deref_mut(&mut self) -> &mut T {
                &mut self.0
            }
        }

        impl<T: fmt::Display> fmt::Display for $newtype<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

transparent!(Serde, OrderedSerde);
