//! Each kind of state: its operations, how they are drawn and printed, what the model expects of them, and how
//! they are done on a backend.

pub(super) mod aggregating;
mod fold;
pub(super) mod list;
pub(super) mod map;
pub(super) mod reducing;
pub(super) mod timers;
pub(super) mod value;

pub use fold::FoldOp;
pub use list::ListOp;
pub use map::MapOp;
pub use timers::TimerOp;
pub use value::ValueOp;
