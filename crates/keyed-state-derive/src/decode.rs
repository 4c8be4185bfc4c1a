use proc_macro2::TokenStream;
use quote::quote;

use crate::input::{Field, Kind, Shape, Variant};

/// The methods of `Decode` but `schema`.
pub(crate) fn body(shape: &Shape<'_>, core: &TokenStream) -> TokenStream {
    let name = &shape.name;
    let whole = value(shape, core, |variant| {
        let Some((last, others)) = variant.fields.split_last() else {
            let value = build(variant, &[]);
            return quote!({
                #core::derive_support::nothing_left(#name, input)?;
                #value
            });
        };
        let mut values: Vec<_> = others.iter().map(|field| field.decode_part(core)).collect();
        let ty = last.ty;
        values.push(quote!(<#ty as #core::Decode>::decode(input)?));
        build(variant, &values)
    });
    let part = value(shape, core, |variant| {
        let values: Vec<_> = variant.fields.iter().map(|field| field.decode_part(core)).collect();
        build(variant, &values)
    });
    quote! {
        fn decode(mut input: &[u8]) -> #core::Result<Self> {
            let input = &mut input;
            #whole
        }

        fn decode_part(input: &mut &[u8]) -> #core::Result<Self> {
            #part
        }
    }
}

fn value(
    shape: &Shape<'_>,
    core: &TokenStream,
    build: impl Fn(&Variant<'_>) -> TokenStream,
) -> TokenStream {
    match &shape.kind {
        Kind::Struct(all) => {
            let value = build(all);
            quote!(::core::result::Result::Ok(#value))
        }
        Kind::Enum { variants, tag } => {
            let name = &shape.name;
            let arms = variants.iter().zip(0_u16..=u16::MAX).map(|(variant, index)| {
                let tag = tag.literal(index);
                let value = build(variant);
                quote!(#tag => #value,)
            });
            quote! {
                ::core::result::Result::Ok(match <#tag as #core::Decode>::decode_part(input)? {
                    #(#arms)*
                    #[allow(unreachable_patterns, reason = "every tag may be taken")]
                    tag => return ::core::result::Result::Err(
                        #core::derive_support::unknown_tag(#name, ::core::convert::From::from(tag)),
                    ),
                })
            }
        }
    }
}

/// Fields are evaluated in the order in which they are written here, which is that of the bytes.
fn build(variant: &Variant<'_>, values: &[TokenStream]) -> TokenStream {
    let ident = variant.ident.map(|ident| quote!(:: #ident));
    let members = variant.fields.iter().map(|field| &field.member);
    quote!(Self #ident { #(#members: #values,)* })
}

impl Field<'_> {
    /// With its type, so that the compiler blames the field if it has no codec.
    fn decode_part(&self, core: &TokenStream) -> TokenStream {
        let ty = self.ty;
        quote!(<#ty as #core::Decode>::decode_part(input)?)
    }
}
