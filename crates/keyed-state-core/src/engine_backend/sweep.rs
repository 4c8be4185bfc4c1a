use super::{clear, rows::Rows};
use crate::{Direction, Engine, KeyRange, Result, TableId, WriteBatch};

/// A step is taken at every so manieth access to the state.
const ACCESSES_A_STEP: u32 = 32;
/// So many rows are looked at in a step: twice as many as are written between two steps.
const ROWS_A_STEP: usize = 64;

/// Removes a state's expired rows bit by bit, on engines whose compactions cannot.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    /// Where the next step begins.
    position: Vec<u8>,
    accesses: u32,
}

impl Sweep {
    /// Counts an access to the state, and takes a step if it is time for one.
    pub(super) fn access(
        &mut self,
        engine: &mut impl Engine,
        table: TableId,
        rows: Rows,
        batch: &mut WriteBatch,
    ) -> Result<()> {
        self.accesses += 1;
        if self.accesses < ACCESSES_A_STEP {
            return Ok(());
        }
        self.accesses = 0;
        batch.clear();
        let range = KeyRange::new(&self.position, None);
        let mut cursor = engine.scan(table, range, Direction::Forward)?;
        let mut next = Vec::new();
        for row in 0..=ROWS_A_STEP {
            let Some((key, value)) = cursor.next()? else { break };
            if row == ROWS_A_STEP {
                next.extend_from_slice(key);
            } else if rows.live(value)?.is_none() {
                batch.delete(table, key);
            }
        }
        drop(cursor);
        // Empty at the table's end: the next step begins anew.
        self.position = next;
        clear::write(engine, batch)
    }
}
