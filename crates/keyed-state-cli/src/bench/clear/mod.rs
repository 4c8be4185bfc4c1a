//! What `clear` costs, and what it does to later reads: the question that FLINK-28010 left open.

mod args;
mod contender;
mod cost;
mod effort;
mod engine;
mod figures;
mod guard;
mod page;
mod reads;
mod run;
mod store;
mod window;
mod workload;

pub use args::ClearArgs;
pub use contender::Contender;
pub use effort::Effort;
pub use engine::EngineKind;
pub use figures::{
    Cost, EngineFigures, Figures, Guard, IndexSize, NO_CLEAR, ReadState, Reads, Window, WindowKeys,
};
pub use page::page;
pub use run::run;

use engine::OpenEngine;
use store::{Store, new_dir};
use workload::Workload;
