use super::TimeWindow;

/// Windows that became one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowMerge {
    /// The window that covers all of them: the namespace to merge into, and the one whose timer counts.
    pub result: TimeWindow,
    /// The others, each once and in order: the namespaces to merge from, and whose timers to remove.
    ///
    /// Never holds `result`: what is under that namespace stays there.
    pub absorbed: Vec<TimeWindow>,
}

/// Says what becomes of the `open` windows of a key when an event brings a `new` one.
///
/// Windows that overlap become one; those that only touch do not (see [`SessionWindows`](super::SessionWindows)). `open` may
/// come in any order, and hold windows that overlap or `new` itself.
///
/// Cost: time and memory for each open window. Only those that overlap matter, so a key with very many needs to
/// give no more than those.
///
/// # A session operator
///
/// It keeps the open windows of each key, which are few, as a `Vec<TimeWindow>` in a value state, and what it accumulates under the
/// window as namespace. For each event:
///
/// 1. merge the window of the event with the open ones;
/// 2. if `result` is complete already (its [`max_timestamp_ms`](TimeWindow::max_timestamp_ms) is at or below the watermark),
///    the event is late: leave it out, nothing has changed yet;
/// 3. merge the state of the `absorbed` windows into that of `result`
///    ([`merge_reducing`](crate::KeyedStateBackendExt::merge_reducing) and its siblings), and add the event there;
/// 4. take the `absorbed` windows out of the open ones and remove their timers; put `result` in and register one for it. Both may
///    be there already, and registering a timer twice does no harm.
///
/// When a timer fires, it emits what the window has, clears it, and takes the window out of the open ones.
///
/// An event that prolongs a session moves its state to another namespace. That is one write for a reduced value or an accumulator, but
/// one for every element of a list: for long sessions choose reducing or aggregating state. (Flink leaves the state where it was
/// and keeps a table of where that is.)
///
/// ```
/// use keyed_state_core::windows::{TimeWindow, WindowMerge, merge_windows};
///
/// let open = [TimeWindow::new(0, 10)?, TimeWindow::new(20, 30)?, TimeWindow::new(50, 60)?];
/// let merge = merge_windows(open, TimeWindow::new(5, 25)?);
/// assert_eq!(merge.result, TimeWindow::new(0, 30)?);
/// assert_eq!(merge.absorbed, open[..2]);
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
#[must_use]
pub fn merge_windows(open: impl IntoIterator<Item = TimeWindow>, new: TimeWindow) -> WindowMerge {
    let mut merge = WindowMerge { result: new, absorbed: Vec::new() };
    // Groups do not overlap, so what `new` joins reaches no further group.
    for group in overlapping(open).filter(|group| group.result.intersects(new)) {
        merge.result = merge.result.cover(group.result);
        merge.absorbed.extend(group.absorbed);
    }
    merge.without_result()
}

/// Merges whatever overlaps among `windows`, and returns what came of it, in order.
///
/// For operators that keep each event under a window of its own and merge as late as when a timer fires, as Apache Beam's runners
/// may. A window that overlaps no other comes back alone, with nothing absorbed.
///
/// Cost: time to sort the windows, and memory for each.
#[must_use]
pub fn merged_windows(windows: impl IntoIterator<Item = TimeWindow>) -> Vec<WindowMerge> {
    overlapping(windows).map(WindowMerge::without_result).collect()
}

/// Returns each group of windows that are linked by overlaps: `result` covers it, `absorbed` is all of it.
fn overlapping(windows: impl IntoIterator<Item = TimeWindow>) -> impl Iterator<Item = WindowMerge> {
    let mut windows: Vec<TimeWindow> = windows.into_iter().collect();
    windows.sort_unstable();
    windows.dedup();
    let mut windows = windows.into_iter().peekable();
    std::iter::from_fn(move || {
        let first = windows.next()?;
        let mut group = WindowMerge { result: first, absorbed: vec![first] };
        // By their starts, so that the first one that does not overlap ends the group.
        while let Some(next) = windows.next_if(|next| next.intersects(group.result)) {
            group.result = group.result.cover(next);
            group.absorbed.push(next);
        }
        Some(group)
    })
}

impl WindowMerge {
    fn without_result(mut self) -> Self {
        self.absorbed.retain(|window| *window != self.result);
        self
    }
}
