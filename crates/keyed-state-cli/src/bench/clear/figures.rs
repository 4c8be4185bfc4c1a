use keyed_state::ClearedMaps;
use serde::Serialize;

use super::Effort;
use crate::bench::Machine;

/// Everything that a run measured; these fields are the JSON object.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Figures {
    /// The command line.
    pub command: String,
    /// What the run took, in seconds.
    pub seconds: f64,
    /// How much was measured.
    pub effort: Effort,
    /// The strategies, in the order given.
    pub strategies: Vec<String>,
    /// What it was measured on.
    pub machine: Machine,
    /// The figures of each engine.
    pub engines: Vec<EngineFigures>,
}

/// What was measured on one engine.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct EngineFigures {
    /// The engine.
    pub engine: String,
    /// What a clear costs.
    pub cost: Vec<Cost>,
    /// A window operator's life.
    pub window: Vec<Window>,
    /// A read right after a clear, with ever more clears outstanding.
    pub guard: Vec<Guard>,
    /// Reads after a share of the maps was cleared.
    pub reads: Vec<Reads>,
}

/// The name under which [`Cost`] has the same work without a single clear.
pub const NO_CLEAR: &str = "no clear";

/// What clearing a map costs: medians over blocks, for each cleared map.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Cost {
    /// The strategy, or [`NO_CLEAR`].
    pub strategy: String,
    /// Entries of each map.
    pub entries: u64,
    /// Maps that a block clears; as many stay.
    pub maps: u64,
    /// The call alone, with setting the key, in microseconds.
    pub call_us: Option<f64>,
    /// Calls, compaction and close, in microseconds.
    pub wall_us: f64,
    /// Processor time of the same, in microseconds; absent where the system does not tell.
    pub cpu_us: Option<f64>,
    /// What was remembered of the clears before compaction.
    pub index: IndexSize,
    /// What was remembered of them after it.
    pub index_compacted: IndexSize,
}

/// What a backend remembers of clears.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct IndexSize {
    /// Maps.
    pub maps: usize,
    /// Bytes of memory.
    pub bytes: usize,
}

impl From<ClearedMaps> for IndexSize {
    fn from(cleared: ClearedMaps) -> Self {
        Self { maps: cleared.maps, bytes: cleared.bytes }
    }
}

/// Which keys a window loop uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowKeys {
    /// Each loop has a key that was never there.
    Fresh,
    /// The same thousand keys come again and again.
    Reused,
}

impl WindowKeys {
    /// Returns the word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Reused => "reused",
        }
    }
}

/// A window operator's life: put, get elsewhere, iterate, clear, and again.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Window {
    /// The strategy.
    pub strategy: String,
    /// Which keys it uses.
    pub keys: WindowKeys,
    /// Entries of each window.
    pub entries: u64,
    /// Seconds between the rates.
    pub slice_s: f64,
    /// Loops a second, slice by slice.
    pub loops_per_s: Vec<f64>,
    /// The median of them.
    pub median_loops_per_s: f64,
    /// The longest loop, in milliseconds.
    pub max_pause_ms: f64,
    /// The most memory that remembering clears took while it ran, in bytes.
    pub index_peak_bytes: usize,
    /// What was remembered at the end.
    pub index: IndexSize,
    /// What was remembered after a compaction.
    pub index_compacted: IndexSize,
}

/// One `get` elsewhere right after a clear, with so many clears outstanding.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Guard {
    /// The strategy.
    pub strategy: String,
    /// Clears so far, with nothing flushed or compacted on purpose.
    pub outstanding: u64,
    /// Entries of each cleared map.
    pub entries: u64,
    /// The median of a clear, in microseconds.
    pub clear_us: f64,
    /// The median of a `get` right after it, in microseconds.
    pub get_us: f64,
    /// What is remembered of the clears.
    pub index: IndexSize,
}

/// Where what was cleared is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadState {
    /// The clears are in the memtable, over flushed entries.
    Memtable,
    /// The clears are flushed too.
    Flushed,
    /// Everything is compacted.
    Compacted,
}

impl ReadState {
    /// In the order in which a database passes through them.
    pub const ALL: [Self; 3] = [Self::Memtable, Self::Flushed, Self::Compacted];
}

/// Reads of maps that live, after others were cleared.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Reads {
    /// The strategy.
    pub strategy: String,
    /// Where what was cleared is.
    pub state: ReadState,
    /// The share of maps that was cleared, spread over the key space.
    pub cleared_percent: u64,
    /// The median of a `get`, in nanoseconds.
    pub get_ns: f64,
    /// The median of an iteration over ten entries, in nanoseconds.
    pub iterate_ns: f64,
}
