use std::time::Duration;

use serde::Serialize;

/// How much of everything is measured.
#[derive(Clone, Debug, Serialize)]
pub struct Effort {
    /// What it is called.
    pub name: &'static str,
    /// Entries of the maps whose clears are measured.
    pub cost_entries: Vec<u64>,
    /// Rows in the maps that a block clears, all together; there are two maps at least.
    pub cost_rows: u64,
    /// Blocks of each strategy and number of entries.
    pub cost_rounds: usize,
    /// Maps of ten entries that stay while windows come and go.
    pub window_live: u64,
    /// How often the loop's rate is taken, in seconds.
    pub window_slice_s: f64,
    /// How many times that is.
    pub window_slices: usize,
    /// Clears after which a read is measured, ascending.
    pub guard_outstanding: Vec<u64>,
    /// Entries of each of those maps.
    pub guard_entries: u64,
    /// Pairs of a clear and a read at each number of clears.
    pub guard_pairs: u64,
    /// Maps of ten entries that are read after a share of them was cleared.
    pub read_maps: u64,
    /// Blocks of reads of each strategy, state and share.
    pub read_rounds: usize,
    /// Reads of a block.
    pub read_gets: u64,
}

const ENTRIES: [u64; 5] = [1, 10, 100, 1_000, 10_000];
const OUTSTANDING: [u64; 5] = [64, 1_000, 10_000, 50_000, 200_000];

impl Effort {
    /// About a minute, of two engines with four strategies.
    #[must_use]
    pub fn quick() -> Self {
        Self {
            name: "quick",
            cost_entries: ENTRIES.to_vec(),
            cost_rows: 12_000,
            cost_rounds: 3,
            window_live: 2_000,
            window_slice_s: 0.25,
            window_slices: 4,
            guard_outstanding: OUTSTANDING.to_vec(),
            guard_entries: 1,
            guard_pairs: 15,
            read_maps: 2_500,
            read_rounds: 9,
            read_gets: 1_000,
        }
    }

    /// About ten minutes, of two engines with four strategies.
    #[must_use]
    pub fn full() -> Self {
        Self {
            name: "full",
            cost_rows: 100_000,
            cost_rounds: 5,
            window_live: 20_000,
            window_slice_s: 1.0,
            window_slices: 9,
            guard_entries: 10,
            guard_pairs: 25,
            read_maps: 20_000,
            read_rounds: 15,
            read_gets: 4_000,
            ..Self::quick()
        }
    }

    /// Some seconds, in which every line of code runs and no figure means anything.
    #[must_use]
    pub fn tiny() -> Self {
        Self {
            name: "tiny",
            cost_rows: 40,
            cost_rounds: 1,
            window_live: 50,
            window_slice_s: 0.01,
            window_slices: 2,
            guard_outstanding: vec![64, 256],
            guard_pairs: 2,
            read_maps: 200,
            read_rounds: 1,
            read_gets: 50,
            ..Self::quick()
        }
    }

    pub(crate) fn window_slice(&self) -> Duration {
        Duration::from_secs_f64(self.window_slice_s)
    }
}
