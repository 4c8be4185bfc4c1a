use syn::{Data, DeriveInput, Error, Expr, ExprLit, ExprUnary, Lit, Result, UnOp};

/// Refuses enums whose derived `Ord`, which goes by discriminants, is not the order of their tags, which go
/// by declaration.
pub(crate) fn check(input: &DeriveInput) -> Result<()> {
    let Data::Enum(data) = &input.data else {
        return Ok(());
    };
    let mut previous: Option<i128> = None;
    for variant in &data.variants {
        let discriminant = match &variant.discriminant {
            None => previous.map_or(0, |previous| previous.saturating_add(1)),
            Some((_, expression)) => {
                let discriminant = literal(expression).ok_or_else(|| {
                    Error::new_spanned(
                        expression,
                        "a key's variants sort by discriminant, so that it must be an integer \
                         literal here, from which the order can be seen",
                    )
                })?;
                if previous.is_some_and(|previous| previous >= discriminant) {
                    return Err(Error::new_spanned(
                        expression,
                        "a key's variants are stored in the order of declaration and sort by \
                         discriminant, so that discriminants must ascend; reorder the variants",
                    ));
                }
                discriminant
            }
        };
        previous = Some(discriminant);
    }
    Ok(())
}

fn literal(expression: &Expr) -> Option<i128> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => literal(expr)?.checked_neg(),
        _ => None,
    }
}
