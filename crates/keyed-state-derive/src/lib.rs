#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

mod attributes;
mod bounds;
mod core_path;
mod decode;
mod encode;
mod expand;
mod input;
mod order;
mod schema;

use expand::{Role, expand};

/// Implements `Encode` and `Decode`, so that the type can be a value.
///
/// See the [crate's documentation](crate) for the byte form, the bounds and the attribute
/// `#[state(crate = "…")]`.
#[proc_macro_derive(StateValue, attributes(state))]
pub fn derive_state_value(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input, Role::Value).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Implements `Encode`, `Decode` and `StateKey`, so that the type can be a key and a value.
///
/// See the [crate's documentation](crate) for the byte form, the bounds and the attribute
/// `#[state(crate = "…")]`.
#[proc_macro_derive(StateKey, attributes(state))]
pub fn derive_state_key(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input, Role::Key).unwrap_or_else(syn::Error::into_compile_error).into()
}
