use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;

/// The packages that have the traits at their root, in the order in which they are looked for.
const PACKAGES: [&str; 2] = ["keyed-state-core", "keyed-state"];

/// Finds the traits through the dependencies of the package that is compiled; without luck, under core's
/// own name, and the compiler says what it misses.
pub(crate) fn find() -> TokenStream {
    let name = PACKAGES.into_iter().find_map(|package| match crate_name(package) {
        // Both name themselves by `extern crate self`.
        Ok(FoundCrate::Itself) => Some(package.replace('-', "_")),
        Ok(FoundCrate::Name(name)) => Some(name),
        Err(_) => None,
    });
    let name = Ident::new(name.as_deref().unwrap_or("keyed_state_core"), Span::call_site());
    quote!(::#name)
}
