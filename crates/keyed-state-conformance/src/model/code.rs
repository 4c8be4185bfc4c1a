use std::{
    fmt::{self, Write as _},
    ops::Bound,
};

use keyed_state_core::BackendOptions;

use super::{Bytes, Kind, Merge, Op, Scope, Visit};

/// Returns a test, as Rust code to paste beside your fixture, that [replays](super::replay) `ops` on a
/// backend opened with `options`.
#[must_use]
pub fn test_code(options: &BackendOptions, ops: &[Op]) -> String {
    let mut clearing = String::new();
    if let Some(strategy) = options.default_clear_strategy() {
        write!(clearing, "\n        .clear_strategy(ClearStrategy::{strategy:?})")
            .expect("writing to a string cannot fail");
    }
    let bytes = options.max_clear_memory_bytes();
    if bytes != BackendOptions::new().max_clear_memory_bytes() {
        write!(clearing, "\n        .clear_memory_bytes({bytes})")
            .expect("writing to a string cannot fail");
    }
    let mut code = format!(
        "#[test]
fn differs_from_the_model() {{
    #[allow(unused_imports)]
    use keyed_state_conformance::model::{{
        FoldOp, Kind, ListOp, MapOp, Merge, Op, Scope, TimerOp, ValueOp, Visit, replay,
    }};
    use keyed_state_core::{{BackendOptions, ClearStrategy, MaxParallelism}};

    let options = BackendOptions::new()
        .max_parallelism(MaxParallelism::new({}).unwrap()){clearing};
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
            Self::Map(scope, ops) => write!(f, "Op::map({scope}, {})", slice(ops)),
            Self::Value(scope, ops) => write!(f, "Op::value({scope}, {})", slice(ops)),
            Self::List(scope, ops) => write!(f, "Op::list({scope}, {})", slice(ops)),
            Self::Reducing(scope, ops) => write!(f, "Op::reducing({scope}, {})", slice(ops)),
            Self::Aggregating(scope, ops) => write!(f, "Op::aggregating({scope}, {})", slice(ops)),
            Self::Merge(merge, scope, target, sources) => {
                write!(f, "Op::merge({merge}, {scope}, {}, {})", bytes(target), words(sources))
            }
            Self::Keys(kind, scope) => write!(f, "Op::Keys({kind}, {scope})"),
            Self::ForEachKey(kind, scope, visit) => {
                write!(f, "Op::ForEachKey({kind}, {scope}, {visit})")
            }
            Self::Expired(kind, scope) => write!(f, "Op::Expired({kind}, {scope})"),
            Self::Timers(scope, ops) => write!(f, "Op::timers({scope}, {})", slice(ops)),
            Self::Fire(scope, most, by) => write!(f, "Op::Fire({scope}, {most}, {by})"),
            Self::Clock(by) => write!(f, "Op::Clock({})", number(*by)),
            Self::Watermark(by) => write!(f, "Op::Watermark({})", number(*by)),
            Self::UnsetKey | Self::Flush | Self::Compact | Self::Reopen => {
                write!(f, "Op::{self:?}")
            }
        }
    }
}

/// Enums whose variants hold nothing are printed by their names.
macro_rules! plain {
    ($($name:ident),*) => {
        $(impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "::{:?}"), self)
            }
        })*
    };
}
plain!(Kind, Scope, Merge, Visit);

fn slice(items: &[impl fmt::Display]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    format!("&[{}]", items.join(", "))
}

pub(super) fn number(number: i64) -> String {
    match number {
        i64::MIN => "i64::MIN".to_owned(),
        i64::MAX => "i64::MAX".to_owned(),
        _ => number.to_string(),
    }
}

pub(super) fn words(words: &[Bytes]) -> String {
    let words: Vec<String> = words.iter().map(|word| bytes(word)).collect();
    format!("&[{}]", words.join(", "))
}

pub(super) fn entries(entries: &[(Bytes, Bytes)]) -> String {
    let entry = |(key, value): &(Bytes, Bytes)| format!("({}, {})", bytes(key), bytes(value));
    let entries: Vec<String> = entries.iter().map(entry).collect();
    format!("&[{}]", entries.join(", "))
}

pub(super) fn bytes(bytes: Bytes) -> String {
    format!("b\"{}\"", bytes.escape_ascii())
}

pub(super) fn option(value: Option<Bytes>) -> String {
    value.map_or_else(|| "None".to_owned(), |value| format!("Some({})", bytes(value)))
}

pub(super) fn bound(bound: &Bound<Bytes>) -> String {
    match bound {
        Bound::Included(key) => format!("std::ops::Bound::Included({})", bytes(key)),
        Bound::Excluded(key) => format!("std::ops::Bound::Excluded({})", bytes(key)),
        Bound::Unbounded => "std::ops::Bound::Unbounded".to_owned(),
    }
}
