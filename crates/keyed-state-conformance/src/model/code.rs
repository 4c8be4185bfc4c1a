use std::{
    fmt::{self, Write as _},
    ops::Bound,
};

use keyed_state_core::{BackendOptions, ClearStrategy};

use super::{Bytes, MapOp, Op, Scope, ValueOp};

/// Returns a test, as Rust code to paste beside your fixture, that [replays](super::replay) `ops` on a
/// backend opened with `options`.
#[must_use]
pub fn test_code(options: &BackendOptions, ops: &[Op]) -> String {
    let strategy = match options.default_clear_strategy() {
        ClearStrategy::PointDeletes => "PointDeletes".to_owned(),
        ClearStrategy::RangeDelete => "RangeDelete".to_owned(),
        ClearStrategy::Adaptive { threshold } => format!("Adaptive {{ threshold: {threshold} }}"),
        other => format!("{other:?}"),
    };
    let mut code = format!(
        "#[test]
fn differs_from_the_model() {{
    #[allow(unused_imports)]
    use keyed_state_conformance::model::{{MapOp, Op, Scope, ValueOp, replay}};
    use keyed_state_core::{{BackendOptions, ClearStrategy, MaxParallelism}};

    let options = BackendOptions::new()
        .max_parallelism(MaxParallelism::new({}).unwrap())
        .clear_strategy(ClearStrategy::{strategy});
    let ops = [
",
        options.groups()
    );
    for op in ops {
        writeln!(code, "        {op},").expect("writing to a string cannot fail");
    }
    code.push_str("    ];\n    replay(&YOUR_FIXTURE, &options, &ops);\n}\n");
    code
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SetKey(key) => write!(f, "Op::SetKey({})", bytes(key)),
            Self::SetNamespace(namespace) => write!(f, "Op::SetNamespace({})", bytes(namespace)),
            Self::Map(scope, op) => write!(f, "Op::Map({scope}, {op})"),
            Self::Value(scope, op) => write!(f, "Op::Value({scope}, {op})"),
            Self::ListMap(scope) => write!(f, "Op::ListMap({scope})"),
            Self::ListValue(scope) => write!(f, "Op::ListValue({scope})"),
            Self::Flush | Self::Compact | Self::Reopen => write!(f, "Op::{self:?}"),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scope::{self:?}")
    }
}

impl fmt::Display for MapOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get(key) => write!(f, "MapOp::Get({})", bytes(key)),
            Self::Contains(key) => write!(f, "MapOp::Contains({})", bytes(key)),
            Self::Put(key, value) => write!(f, "MapOp::Put({}, {})", bytes(key), bytes(value)),
            Self::PutAll(entries) => {
                let entries: Vec<String> = entries
                    .iter()
                    .map(|(key, value)| format!("({}, {})", bytes(key), bytes(value)))
                    .collect();
                write!(f, "MapOp::put_all(&[{}])", entries.join(", "))
            }
            Self::Remove(key) => write!(f, "MapOp::Remove({})", bytes(key)),
            Self::RetainBelow(key) => write!(f, "MapOp::RetainBelow({})", bytes(key)),
            Self::Update(key, value) => {
                write!(f, "MapOp::Update({}, {})", bytes(key), option(*value))
            }
            Self::Iter(ends) => write!(f, "MapOp::Iter({ends:#04x})"),
            Self::Range(start, end, ends) => {
                write!(f, "MapOp::Range({}, {}, {ends:#04x})", bound(start), bound(end))
            }
            Self::First | Self::Last | Self::Len | Self::IsEmpty | Self::Clear => {
                write!(f, "MapOp::{self:?}")
            }
        }
    }
}

impl fmt::Display for ValueOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get | Self::IsSet | Self::Clear => write!(f, "ValueOp::{self:?}"),
            Self::Set(value) => write!(f, "ValueOp::Set({})", bytes(value)),
            Self::Update(value) => write!(f, "ValueOp::Update({})", option(*value)),
        }
    }
}

fn bytes(bytes: Bytes) -> String {
    format!("b\"{}\"", bytes.escape_ascii())
}

fn option(value: Option<Bytes>) -> String {
    value.map_or_else(|| "None".to_owned(), |value| format!("Some({})", bytes(value)))
}

fn bound(bound: &Bound<Bytes>) -> String {
    match bound {
        Bound::Included(key) => format!("std::ops::Bound::Included({})", bytes(key)),
        Bound::Excluded(key) => format!("std::ops::Bound::Excluded({})", bytes(key)),
        Bound::Unbounded => "std::ops::Bound::Unbounded".to_owned(),
    }
}
