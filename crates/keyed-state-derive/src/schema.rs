use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use crate::input::{Kind, Shape, Style, Variant};

/// `schema`: `Point{x:i32,y:i32}`, `Id(u64)`, `Event::{Click(u32)|Close}`.
pub(crate) fn body(shape: &Shape<'_>, core: &TokenStream) -> TokenStream {
    let mut pieces = Pieces { core, pieces: Vec::new() };
    pieces.text(&shape.name);
    match &shape.kind {
        Kind::Struct(all) => pieces.fields(all),
        Kind::Enum { variants, .. } => {
            pieces.text("::{");
            for (index, variant) in variants.iter().enumerate() {
                if index > 0 {
                    pieces.text("|");
                }
                if let Some(ident) = variant.ident {
                    pieces.text(&ident.unraw().to_string());
                }
                pieces.fields(variant);
            }
            pieces.text("}");
        }
    }
    let pieces = pieces.pieces;
    quote! {
        fn schema() -> ::std::string::String {
            let mut schema = ::std::string::String::new();
            #(schema.push_str(#pieces);)*
            schema
        }
    }
}

struct Pieces<'a> {
    core: &'a TokenStream,
    pieces: Vec<TokenStream>,
}

impl Pieces<'_> {
    fn text(&mut self, text: &str) {
        self.pieces.push(quote!(#text));
    }

    fn fields(&mut self, variant: &Variant<'_>) {
        let (open, close) = match variant.style {
            Style::Named => ("{", "}"),
            Style::Tuple => ("(", ")"),
            Style::Unit => return,
        };
        self.text(open);
        for (index, field) in variant.fields.iter().enumerate() {
            if index > 0 {
                self.text(",");
            }
            if let syn::Member::Named(ident) = &field.member {
                self.text(&format!("{}:", ident.unraw()));
            }
            let (core, ty) = (self.core, field.ty);
            self.pieces.push(quote!(&<#ty as #core::Decode>::schema()));
        }
        self.text(close);
    }
}
