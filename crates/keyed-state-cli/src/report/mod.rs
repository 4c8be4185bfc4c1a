//! Charts, tables and the page that holds them: one file of HTML without scripts, fonts or anything else from outside.

mod axis;
mod chart;
mod findings;
mod number;
mod page;
mod svg;
mod table;
mod text;

pub use axis::{Axis, Scale};
pub use chart::{Bars, Chart, Lines, Series, Style};
pub use findings::{Better, compare};
pub use number::short;
pub use page::{Block, Page, Section};
pub use table::Table;
pub use text::escape;
