use proc_macro2::Span;
use quote::format_ident;
use syn::{Data, DeriveInput, Error, Fields, Ident, Index, Member, Result, Type, ext::IdentExt};

/// The most variants that a tag can name.
const MAX_VARIANTS: usize = 1 << 16;

/// What a type is made of, checked.
pub(crate) struct Shape<'a> {
    /// As it is written, without `r#`.
    pub(crate) name: String,
    pub(crate) kind: Kind<'a>,
}

pub(crate) enum Kind<'a> {
    Struct(Variant<'a>),
    Enum { variants: Vec<Variant<'a>>, tag: Tag },
}

/// The type of an enum's tag.
#[derive(Clone, Copy)]
pub(crate) enum Tag {
    U8,
    U16,
}

/// A variant of an enum, or all of a struct.
pub(crate) struct Variant<'a> {
    /// `None` for a struct.
    pub(crate) ident: Option<&'a Ident>,
    pub(crate) style: Style,
    pub(crate) fields: Vec<Field<'a>>,
}

#[derive(Clone, Copy)]
pub(crate) enum Style {
    Named,
    Tuple,
    Unit,
}

pub(crate) struct Field<'a> {
    pub(crate) member: Member,
    /// The name that its value is bound to.
    pub(crate) binding: Ident,
    pub(crate) ty: &'a Type,
}

impl<'a> Shape<'a> {
    pub(crate) fn of(input: &'a DeriveInput) -> Result<Self> {
        if let Some(lifetime) = input.generics.lifetimes().next() {
            return Err(Error::new_spanned(
                lifetime,
                "state owns what it holds, so a key or value cannot have lifetime parameters; \
                 use owned fields such as `String` and `Vec<u8>`",
            ));
        }
        let kind = match &input.data {
            Data::Struct(data) => Kind::Struct(Variant::of(None, &data.fields)),
            Data::Enum(data) => {
                let variants: Vec<_> = data
                    .variants
                    .iter()
                    .map(|variant| Variant::of(Some(&variant.ident), &variant.fields))
                    .collect();
                let tag = match variants.len() {
                    0 => {
                        return Err(Error::new_spanned(
                            &input.ident,
                            "an enum without variants has no values to store",
                        ));
                    }
                    1..=256 => Tag::U8,
                    257..=MAX_VARIANTS => Tag::U16,
                    _ => {
                        return Err(Error::new_spanned(
                            &input.ident,
                            "an enum may have at most 65536 variants to be stored",
                        ));
                    }
                };
                Kind::Enum { variants, tag }
            }
            Data::Union(data) => {
                return Err(Error::new_spanned(
                    data.union_token,
                    "a union does not know which of its fields is set, so it cannot be stored; \
                     use an enum",
                ));
            }
        };
        Ok(Self { name: input.ident.unraw().to_string(), kind })
    }

    /// Every field of every variant.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field<'a>> {
        let variants = match &self.kind {
            Kind::Struct(all) => std::slice::from_ref(all),
            Kind::Enum { variants, .. } => variants,
        };
        variants.iter().flat_map(|variant| &variant.fields)
    }
}

impl<'a> Variant<'a> {
    fn of(ident: Option<&'a Ident>, fields: &'a Fields) -> Self {
        let style = match fields {
            Fields::Named(_) => Style::Named,
            Fields::Unnamed(_) => Style::Tuple,
            Fields::Unit => Style::Unit,
        };
        let fields = fields.iter().zip(0_u32..).map(|(field, index)| Field {
            member: match &field.ident {
                Some(ident) => Member::Named(ident.clone()),
                None => Member::Unnamed(Index { index, span: Span::mixed_site() }),
            },
            binding: format_ident!("field_{index}", span = Span::mixed_site()),
            ty: &field.ty,
        });
        Self { ident, style, fields: fields.collect() }
    }
}
