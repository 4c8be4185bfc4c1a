use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use crate::input::{Kind, Shape, Tag, Variant};

/// Whether the value has its bytes to itself, so that its last field needs no end mark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Whole,
    Part,
}

/// The methods of `Encode`.
pub(crate) fn body(shape: &Shape<'_>, core: &TokenStream) -> TokenStream {
    let whole = value(shape, core, Form::Whole);
    let part = value(shape, core, Form::Part);
    quote! {
        fn encode(&self, out: &mut ::std::vec::Vec<u8>) -> #core::Result<()> {
            #whole
        }

        fn encode_part(&self, out: &mut ::std::vec::Vec<u8>) -> #core::Result<()> {
            #part
        }
    }
}

fn value(shape: &Shape<'_>, core: &TokenStream, form: Form) -> TokenStream {
    let arms: Vec<TokenStream> = match &shape.kind {
        Kind::Struct(all) => vec![arm(all, None, core, form)],
        Kind::Enum { variants, tag } => variants
            .iter()
            .zip(0_u16..=u16::MAX)
            .map(|(variant, index)| arm(variant, Some(tag.literal(index)), core, form))
            .collect(),
    };
    quote!(match self { #(#arms)* })
}

fn arm(variant: &Variant<'_>, tag: Option<Literal>, core: &TokenStream, form: Form) -> TokenStream {
    let ident = variant.ident.map(|ident| quote!(:: #ident));
    let members = variant.fields.iter().map(|field| &field.member);
    let bindings = variant.fields.iter().map(|field| &field.binding);
    let last = variant.fields.len().checked_sub(1);
    let mut steps: Vec<TokenStream> = tag
        .map(|tag| quote!(#core::Encode::encode(&#tag, out)))
        .into_iter()
        .chain(variant.fields.iter().enumerate().map(|(index, field)| {
            // With its type, so that the compiler blames the field if it has no codec.
            let (binding, ty) = (&field.binding, field.ty);
            if form == Form::Whole && Some(index) == last {
                quote!(<#ty as #core::Encode>::encode(#binding, out))
            } else {
                quote!(<#ty as #core::Encode>::encode_part(#binding, out))
            }
        }))
        .collect();
    let result = steps.pop().unwrap_or_else(|| quote!(::core::result::Result::Ok(())));
    quote! {
        Self #ident { #(#members: #bindings,)* } => {
            #(#steps?;)*
            #result
        }
    }
}

impl Tag {
    /// The tag of the variant at `index`, with its type.
    pub(crate) fn literal(self, index: u16) -> Literal {
        match self {
            Self::U8 => Literal::u8_suffixed(u8::try_from(index).expect("at most 256 variants")),
            Self::U16 => Literal::u16_suffixed(index),
        }
    }
}

impl ToTokens for Tag {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::U8 => quote!(u8),
            Self::U16 => quote!(u16),
        });
    }
}
