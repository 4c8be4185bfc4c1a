use syn::{Attribute, Data, DeriveInput, Error, Fields, LitStr, Path, Result};

/// What `#[state(…)]` on a type says.
#[derive(Default)]
pub(crate) struct Attributes {
    /// Where the traits are.
    pub(crate) core: Option<Path>,
}

impl Attributes {
    pub(crate) fn of(input: &DeriveInput) -> Result<Self> {
        refuse_elsewhere(&input.data)?;
        let mut attributes = Self::default();
        for attribute in state_attributes(&input.attrs) {
            attribute.parse_nested_meta(|meta| {
                if !meta.path.is_ident("crate") {
                    return Err(meta.error("expected `crate = \"path\"`"));
                }
                if attributes.core.is_some() {
                    return Err(meta.error("`crate` is given twice"));
                }
                let path: LitStr = meta.value()?.parse()?;
                attributes.core = Some(path.parse_with(Path::parse_mod_style)?);
                Ok(())
            })?;
        }
        Ok(attributes)
    }
}

fn state_attributes(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("state"))
}

/// An attribute that is silently ignored would be taken for one that works.
fn refuse_elsewhere(data: &Data) -> Result<()> {
    let fields = |fields: &Fields| -> Vec<Attribute> {
        fields.iter().flat_map(|field| field.attrs.clone()).collect()
    };
    let attributes: Vec<Attribute> = match data {
        Data::Struct(data) => fields(&data.fields),
        Data::Enum(data) => data
            .variants
            .iter()
            .flat_map(|variant| [variant.attrs.clone(), fields(&variant.fields)].concat())
            .collect(),
        Data::Union(_) => Vec::new(),
    };
    match state_attributes(&attributes).next() {
        None => Ok(()),
        Some(attribute) => Err(Error::new_spanned(
            attribute,
            "`#[state(…)]` stands on the type, not on its fields and variants",
        )),
    }
}
