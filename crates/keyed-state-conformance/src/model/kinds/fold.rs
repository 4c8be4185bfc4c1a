use std::fmt;

use proptest::prelude::*;

use crate::model::{Bytes, code::bytes, generate::word};

/// An operation on a reducing or aggregating state, which folds what is added into one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoldOp {
    /// `add`.
    Add(Bytes),
    /// `get`.
    Get,
    /// `clear`.
    Clear,
}

impl FoldOp {
    pub(in crate::model) fn any() -> impl Strategy<Value = Self> {
        prop_oneof![
            5 => word().prop_map(Self::Add),
            3 => Just(Self::Get),
            1 => Just(Self::Clear),
        ]
    }
}

impl fmt::Display for FoldOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add(value) => write!(f, "FoldOp::Add({})", bytes(value)),
            Self::Get | Self::Clear => write!(f, "FoldOp::{self:?}"),
        }
    }
}
