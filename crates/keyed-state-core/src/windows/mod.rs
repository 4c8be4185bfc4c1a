#![doc = include_str!("windows.md")]

mod merge;
mod session;
mod sliding;
mod span;
mod time_window;
mod tumbling;

pub use merge::{WindowMerge, merge_windows, merged_windows};
pub use session::SessionWindows;
pub use sliding::SlidingWindows;
pub use time_window::TimeWindow;
pub use tumbling::TumblingWindows;
