use super::short;

/// How an axis maps values to places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From zero, evenly.
    Linear,
    /// By magnitude; only what is above zero has a place.
    Log,
}

/// An axis: a range that holds all values, and ticks at round numbers.
///
/// ```
/// use keyed_state_cli::report::{Axis, Scale};
///
/// let axis = Axis::new(Scale::Log, [3.0, 0.0, f64::NAN, 700.0]);
/// assert_eq!(axis.ticks(), [1.0, 10.0, 100.0, 1000.0]);
/// assert_eq!(axis.place(1000.0), Some(1.0));
/// assert_eq!(axis.place(0.0), None);
/// ```
#[derive(Clone, Debug)]
pub struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    ticks: Vec<f64>,
}

/// A linear axis has about as many ticks.
const TICKS: f64 = 5.0;

impl Axis {
    /// Makes an axis that holds `values`; those that have no place on it are passed over.
    #[must_use]
    pub fn new(scale: Scale, values: impl IntoIterator<Item = f64>) -> Self {
        let has_place = |value: &f64| {
            value.is_finite() && if scale == Scale::Log { *value > 0.0 } else { *value >= 0.0 }
        };
        let (low, high) = values
            .into_iter()
            .filter(has_place)
            .fold((f64::INFINITY, 0.0), |(low, high), value| (value.min(low), value.max(high)));
        match scale {
            Scale::Linear => Self::linear(high),
            Scale::Log => Self::log(low, high),
        }
    }

    fn linear(high: f64) -> Self {
        let high = if high > 0.0 { high } else { 1.0 };
        let magnitude = 10_f64.powf((high / TICKS).log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * magnitude);
        let step = step.into_iter().find(|step| high / step <= TICKS).unwrap_or(high);
        let count = (high / step - 1e-9).ceil().max(1.0);
        Self {
            scale: Scale::Linear,
            low: 0.0,
            high: count * step,
            ticks: counting(count).map(|n| n * step).collect(),
        }
    }

    fn log(low: f64, high: f64) -> Self {
        let (low, high) = if low <= high { (low, high) } else { (1.0, 10.0) };
        let first = (low.log10() + 1e-9).floor();
        let last = (high.log10() - 1e-9).ceil().max(first + 1.0);
        // Whole decades make most of a chart empty where the values lie close together.
        let decades = counting(last - first).map(|n| 10_f64.powf(first + n));
        let ticks: Vec<f64> = if last - first > 2.0 {
            decades.collect()
        } else {
            decades.flat_map(|decade| [1.0, 2.0, 5.0].map(|part| part * decade)).collect()
        };
        let from = ticks.iter().rposition(|tick| *tick <= low * (1.0 + 1e-9)).unwrap_or(0);
        let from = from.min(ticks.len() - 2);
        let to = ticks.iter().position(|tick| *tick >= high * (1.0 - 1e-9));
        let to = to.unwrap_or(ticks.len() - 1).max(from + 1);
        let ticks = ticks[from..=to].to_vec();
        // No more labels than there is room for.
        let every = ticks.len().div_ceil(7);
        Self {
            scale: Scale::Log,
            low: ticks[0],
            high: ticks[ticks.len() - 1],
            ticks: ticks.into_iter().step_by(every).collect(),
        }
    }

    /// Returns where ticks are, in ascending order.
    #[must_use]
    pub fn ticks(&self) -> &[f64] {
        &self.ticks
    }

    /// Returns the ticks' places and labels.
    pub fn labels(&self) -> impl Iterator<Item = (f64, String)> {
        self.ticks.iter().filter_map(|tick| Some((self.place(*tick)?, short(*tick))))
    }

    /// Returns how far along the axis `value` is, from 0 to 1; `None` if it has no place there.
    #[must_use]
    pub fn place(&self, value: f64) -> Option<f64> {
        let place = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log if value > 0.0 => {
                (value / self.low).log10() / (self.high / self.low).log10()
            }
            Scale::Log => return None,
        };
        (-1e-6..=1.0 + 1e-6).contains(&place).then(|| place.clamp(0.0, 1.0))
    }
}

/// Returns 0, 1, 2, … up to `last`.
fn counting(last: f64) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(0.0), |n| Some(n + 1.0)).take_while(move |n| *n <= last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(scale: Scale, values: &[f64]) -> Vec<String> {
        Axis::new(scale, values.iter().copied()).labels().map(|(_, label)| label).collect()
    }

    #[test]
    fn a_linear_axis_begins_at_zero_and_ends_at_a_round_number() {
        assert_eq!(ticks(Scale::Linear, &[31.0, 42.0]), ["0", "10", "20", "30", "40", "50"]);
        assert_eq!(ticks(Scale::Linear, &[0.9]), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(ticks(Scale::Linear, &[1.0]), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(ticks(Scale::Linear, &[3.0]), ["0", "1", "2", "3"]);
        assert_eq!(ticks(Scale::Linear, &[45_000.0]), ["0", "10k", "20k", "30k", "40k", "50k"]);
    }

    #[test]
    fn a_log_axis_has_decades_or_finer_ticks_where_there_are_few() {
        assert_eq!(ticks(Scale::Log, &[1.0, 10_000.0]), ["1", "10", "100", "1,000", "10k"]);
        assert_eq!(ticks(Scale::Log, &[1.3, 4.0]), ["1", "2", "5"]);
        assert_eq!(
            ticks(Scale::Log, &[64.0, 200_000.0]),
            ["10", "100", "1,000", "10k", "100k", "1M"]
        );
        let wide = ticks(Scale::Log, &[0.01, 1e8]);
        assert!(wide.len() <= 7, "{wide:?}");
    }

    #[test]
    fn all_values_have_a_place_and_the_order_stays() {
        for scale in [Scale::Linear, Scale::Log] {
            for exponent in -6..9 {
                let values = [1.0, 1.1, 2.5, 9.99, 10.0].map(|n| n * 10_f64.powi(exponent));
                for last in 1..=values.len() {
                    let axis = Axis::new(scale, values[..last].iter().copied());
                    let places = values[..last].iter().map(|value| axis.place(*value).unwrap());
                    assert!(places.is_sorted(), "{scale:?} {exponent} {last}");
                    assert!(axis.ticks().len() >= 2, "{scale:?} {exponent} {last}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_number_neither_moves_an_axis_nor_has_a_place() {
        for scale in [Scale::Linear, Scale::Log] {
            let strange = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0];
            for values in [&[][..], &strange, &[0.0]] {
                let axis = Axis::new(scale, values.iter().copied());
                assert!(axis.ticks().iter().all(|tick| tick.is_finite()), "{scale:?} {values:?}");
                assert!(strange.iter().all(|value| axis.place(*value).is_none()), "{scale:?}");
            }
        }
    }
}
