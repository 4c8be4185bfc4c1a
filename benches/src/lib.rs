//! The harness of keyed-state's benches: contenders in turn, medians, ratios.
//!
//! Every claim of speed in this project is a ratio measured in one run. [`Duel`] runs two contenders in
//! alternating blocks, so that a machine that slows down or speeds up does so for both, and reports the
//! median of the block-by-block ratios beside the raw figures. (Criterion measures one contender after the
//! other, minutes apart; on shared machines that difference is larger than what is measured here.)

use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};

pub mod keys;
pub mod plot;

/// Two contenders, measured in turn.
#[derive(Clone, Copy, Debug)]
pub struct Duel {
    /// How many blocks each contender runs.
    pub rounds: usize,
    /// How many operations a block has.
    pub operations: usize,
}

/// What a [`Duel`] measured.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Median nanoseconds per operation of the baseline.
    pub baseline_ns: f64,
    /// Median nanoseconds per operation of the contender.
    pub contender_ns: f64,
    /// Median of the ratios contender / baseline, block by block.
    pub ratio: f64,
    /// Smallest and largest of those ratios.
    pub spread: (f64, f64),
}

impl Duel {
    /// Runs `baseline` and `contender` in turn; each gets the number of the round and does
    /// `self.operations` operations.
    ///
    /// Who begins alternates, and the first round is a warm-up that does not count.
    pub fn run(
        &self,
        mut baseline: impl FnMut(usize),
        mut contender: impl FnMut(usize),
    ) -> Outcome {
        let (mut base, mut other) = (Vec::new(), Vec::new());
        for round in 0..=self.rounds {
            let (first, second);
            if round % 2 == 0 {
                first = timed(|| baseline(round));
                second = timed(|| contender(round));
            } else {
                second = timed(|| contender(round));
                first = timed(|| baseline(round));
            }
            if round > 0 {
                base.push(first.as_secs_f64());
                other.push(second.as_secs_f64());
            }
        }
        let mut ratios: Vec<f64> =
            base.iter().zip(&other).map(|(base, other)| other / base).collect();
        let ratio = median(&mut ratios);
        #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
        let per_operation = 1e9 / self.operations as f64;
        Outcome {
            baseline_ns: median(&mut base) * per_operation,
            contender_ns: median(&mut other) * per_operation,
            ratio,
            spread: (ratios[0], ratios[ratios.len() - 1]),
        }
    }
}

/// Times one call.
pub fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Sorts `figures`, which must not be empty, and returns the middle one.
pub fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// A table whose first column is text and whose others are figures.
pub fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN).set_header(header).add_rows(rows);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duel_runs_both_equally_often_and_the_warm_up_does_not_count() {
        let (mut base, mut other) = (Vec::new(), Vec::new());
        let duel = Duel { rounds: 5, operations: 1 };
        let outcome = duel.run(|round| base.push(round), |round| other.push(round));
        assert_eq!((&base, &other), (&vec![0, 1, 2, 3, 4, 5], &vec![0, 1, 2, 3, 4, 5]));
        assert!(outcome.spread.0 <= outcome.ratio && outcome.ratio <= outcome.spread.1);
    }

    #[test]
    fn the_median_is_the_middle_figure() {
        assert!((median(&mut [3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
    }
}
