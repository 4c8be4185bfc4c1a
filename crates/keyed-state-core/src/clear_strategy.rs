use std::{fmt, str::FromStr};

use crate::{Capabilities, Error, ErrorKind};

/// How a map's `clear` removes its entries.
///
/// Every strategy does the same, all or nothing; they differ in what the call costs and what it leaves
/// behind for reads. Backends that hold typed values (memory) need none and ignore it.
///
/// | strategy | cost of the call | cost for later reads | choose it for |
/// | --- | --- | --- | --- |
/// | `Generation` | constant, without a call to the engine; memory for each cleared map | none | nearly everything |
/// | `PointDeletes` | follows the number of entries, memory too | none to speak of | small maps |
/// | `RangeDelete` | constant, where the engine has range deletion | grows with the number of clears | rare clears of large maps |
/// | `Adaptive` | the lower of the two | bounded by the number of large maps | engines without compaction filters |
///
/// Flink deletes point by point; FLINK-28010 proposed one range deletion a clear. Ceph, `CockroachDB` and
/// Oxia settled on a threshold between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClearStrategy {
    /// Raises the map's generation, a number that its rows carry in their keys. What has an earlier number is never
    /// seen again, and compactions drop it.
    ///
    /// Takes 40 to 64 bytes of memory for each cleared map until nothing of the map is left, up to
    /// [`clear_memory_bytes`](crate::BackendOptions::clear_memory_bytes). Engines without
    /// [compaction filters](crate::Capabilities::compaction_filter) are walked through for dead rows, bit by bit, at accesses to the
    /// state.
    Generation,
    /// Walks the map and deletes its entries in one batch.
    PointDeletes,
    /// Deletes the map's key range by one call to [`Engine::delete_range`](crate::Engine::delete_range).
    RangeDelete,
    /// Deletes up to `threshold` entries point by point, and a larger map as a range.
    Adaptive {
        /// The largest number of entries that is deleted point by point.
        threshold: usize,
    },
}

impl ClearStrategy {
    /// The threshold of [`Adaptive`](Self::Adaptive) where none is given.
    pub const DEFAULT_THRESHOLD: usize = 1024;

    /// Returns [`Adaptive`](Self::Adaptive) with the default threshold.
    #[must_use]
    pub const fn adaptive() -> Self {
        Self::Adaptive { threshold: Self::DEFAULT_THRESHOLD }
    }

    /// Returns the strategy that suits an engine: [`Generation`](Self::Generation) where compactions drop what was cleared, else
    /// [`Adaptive`](Self::Adaptive).
    #[must_use]
    pub fn default_for(engine: &Capabilities) -> Self {
        if engine.compaction_filter { Self::Generation } else { Self::adaptive() }
    }
}

impl fmt::Display for ClearStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Generation => f.write_str("generation"),
            Self::PointDeletes => f.write_str("point_deletes"),
            Self::RangeDelete => f.write_str("range_delete"),
            Self::Adaptive { threshold } => write!(f, "adaptive:{threshold}"),
        }
    }
}

/// Reads `generation`, `point_deletes`, `range_delete`, `adaptive` or `adaptive:THRESHOLD`.
impl FromStr for ClearStrategy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text.split_once(':') {
            None if text == "generation" => Ok(Self::Generation),
            None if text == "point_deletes" => Ok(Self::PointDeletes),
            None if text == "range_delete" => Ok(Self::RangeDelete),
            None if text == "adaptive" => Ok(Self::adaptive()),
            Some(("adaptive", threshold)) if threshold.parse::<usize>().is_ok() => {
                Ok(Self::Adaptive { threshold: threshold.parse().expect("it just parsed") })
            }
            _ => Err(Error::new(
                ErrorKind::InvalidArgument,
                format!(
                    "unknown clear strategy {text:?}; expected generation, point_deletes, \
                     range_delete, adaptive or adaptive:THRESHOLD"
                ),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_comes_back() {
        let all = [
            ClearStrategy::Generation,
            ClearStrategy::PointDeletes,
            ClearStrategy::RangeDelete,
            ClearStrategy::Adaptive { threshold: 0 },
            ClearStrategy::adaptive(),
        ];
        for strategy in all {
            assert_eq!(strategy.to_string().parse::<ClearStrategy>().unwrap(), strategy);
        }
        assert_eq!("adaptive".parse::<ClearStrategy>().unwrap(), ClearStrategy::adaptive());
        for bad in ["", "points", "adaptive:", "adaptive:-1", "range_delete:3"] {
            let error = bad.parse::<ClearStrategy>().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{bad}");
        }
    }
}
