use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Generics, Type, parse_quote};

use crate::input::Shape;

/// Adds `bound` to the type parameters that fields are made of.
pub(crate) fn add(generics: &Generics, shape: &Shape<'_>, bound: Option<&TokenStream>) -> Generics {
    let mut generics = generics.clone();
    let Some(bound) = bound else {
        return generics;
    };
    let mut used = HashSet::new();
    for field in shape.fields().filter(|field| !is_phantom(field.ty)) {
        collect_idents(field.ty.to_token_stream(), &mut used);
    }
    let parameters: Vec<Ident> = generics
        .type_params()
        .map(|parameter| parameter.ident.clone())
        .filter(|ident| used.contains(ident))
        .collect();
    if !parameters.is_empty() {
        let predicates = &mut generics.make_where_clause().predicates;
        predicates.extend(
            parameters
                .into_iter()
                .map(|ident| -> syn::WherePredicate { parse_quote!(#ident: #bound) }),
        );
    }
    generics
}

/// Whether the type is `PhantomData<…>`, which has a codec whatever it is of.
fn is_phantom(ty: &Type) -> bool {
    matches!(ty, Type::Path(path)
        if path.path.segments.last().is_some_and(|segment| segment.ident == "PhantomData"))
}

fn collect_idents(tokens: TokenStream, idents: &mut HashSet<Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                idents.insert(ident);
            }
            TokenTree::Group(group) => collect_idents(group.stream(), idents),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
