use crate::{ClearStrategy, Direction, Engine, KeyRange, Result, TableId, WriteBatch};

/// Removes every entry in `range`, wholly or not at all.
pub(super) fn clear(
    engine: &mut impl Engine,
    table: TableId,
    range: KeyRange<'_>,
    strategy: ClearStrategy,
    batch: &mut WriteBatch,
) -> Result<()> {
    batch.clear();
    if collect(engine, table, range, strategy.point_deletes(), batch)? {
        write(engine, batch)
    } else {
        batch.clear();
        engine.delete_range(table, range)
    }
}

/// Collects deletes of what is in `range`; returns false as soon as there are more than `at_most`.
fn collect(
    engine: &impl Engine,
    table: TableId,
    range: KeyRange<'_>,
    at_most: Option<usize>,
    batch: &mut WriteBatch,
) -> Result<bool> {
    if at_most == Some(0) {
        return Ok(false);
    }
    let mut cursor = engine.scan(table, range, Direction::Forward)?;
    while let Some((key, _)) = cursor.next()? {
        if at_most == Some(batch.len()) {
            return Ok(false);
        }
        batch.delete(table, key);
    }
    Ok(true)
}

/// Writes a batch, if there is anything in it, and empties it.
pub(super) fn write(engine: &mut impl Engine, batch: &mut WriteBatch) -> Result<()> {
    let outcome = if batch.is_empty() { Ok(()) } else { engine.write(batch) };
    batch.clear();
    outcome
}

impl ClearStrategy {
    /// Returns how many entries may be deleted one by one before the range is deleted instead.
    fn point_deletes(self) -> Option<usize> {
        match self {
            Self::PointDeletes => None,
            Self::RangeDelete | Self::Generation => Some(0),
            Self::Adaptive { threshold } => Some(threshold),
        }
    }
}
