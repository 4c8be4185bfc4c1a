//! Random testing against a reference model.
//!
//! [`check`] runs random [`Op`]s on a backend over every kind of state, TTL and timers on a backend and on a model of `BTreeMap`s, and compares every answer;
//! after each flush, compaction and reopening, and at the end, all that is stored is compared too. A
//! difference is shrunk to the shortest operations that show it, and printed as a test to paste, which calls
//! [`replay`].
//!
//! # Environment
//!
//! | variable | meaning | default |
//! | --- | --- | --- |
//! | `KEYED_STATE_CASES` | random sequences, for each number of key groups and each clear strategy | 16 |
//! | `KEYED_STATE_STEPS` | operations in the longest sequence | 150 |
//! | `KEYED_STATE_SECONDS` | go on for so long instead, for each number of key groups | |
//! | `KEYED_STATE_SEED` | a number, or `random` | 0 |
//!
//! The seed is fixed by default, so that the same code always gets the same verdict; a failure names the
//! seed that it was found with. Look for rare faults with `KEYED_STATE_SEED=random KEYED_STATE_CASES=1000`.

mod answer;
mod code;
mod effort;
mod expected;
mod generate;
mod kinds;
mod op;
mod replay;
mod state;
mod subject;
mod walk;

pub use code::test_code;
pub(crate) use effort::Effort;
pub use kinds::{FoldOp, ListOp, MapOp, TimerOp, ValueOp};
pub use op::{Bytes, Merge, Op, Visit};
pub(crate) use replay::check_with;
pub use replay::{check, replay};
pub use state::{Kind, Scope};
