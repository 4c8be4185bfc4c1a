use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{DeriveInput, Result};

use crate::{
    attributes::Attributes, bounds, core_path, decode, encode, input::Shape, order, schema,
};

/// What the type is derived for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Key,
    Value,
}

pub(crate) fn expand(input: &DeriveInput, role: Role) -> Result<TokenStream> {
    let attributes = Attributes::of(input)?;
    let shape = Shape::of(input)?;
    if role == Role::Key {
        order::check(input)?;
    }
    let core = match attributes.core {
        Some(path) => quote!(#path),
        None => core_path::find(),
    };

    let name = &input.ident;
    let (_, type_generics, _) = input.generics.split_for_impl();
    let head = |trait_name: TokenStream, bound: Option<TokenStream>| {
        let generics = bounds::add(&input.generics, &shape, bound.as_ref());
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #impl_generics #core::#trait_name for #name #type_generics #where_clause
        }
    };

    let encode_head = head(quote!(Encode), Some(quote!(#core::Encode)));
    let encode_body = encode::body(&shape, &core);
    let decode_head = head(quote!(Decode), Some(quote!(#core::Decode)));
    let decode_body = decode::body(&shape, &core);
    let schema = schema::body(&shape, &core);
    let once = head(quote!(derive_support::DeriveStateKeyOrStateValueButNotBoth), None);
    let key = (role == Role::Key).then(|| {
        let mut generics = bounds::add(&input.generics, &shape, Some(&quote!(#core::StateKey)));
        if input.generics.type_params().next().is_some() {
            // Not each parameter's business: one that stands in `PhantomData` needs what the type's own
            // derives ask of it, and no codec.
            generics.make_where_clause().predicates.push(syn::parse_quote! {
                Self: ::core::cmp::Ord
                    + ::core::hash::Hash
                    + ::core::clone::Clone
                    + ::core::marker::Send
                    + ::core::marker::Sync
                    + 'static
            });
        }
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        quote_spanned! {name.span()=>
            #[automatically_derived]
            impl #impl_generics #core::StateKey for #name #type_generics #where_clause {}
        }
    });

    Ok(quote! {
        #encode_head { #encode_body }
        #decode_head { #decode_body #schema }
        #once {}
        #key
    })
}
