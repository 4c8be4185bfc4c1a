use keyed_state_core::{Cursor, Result};

use super::{Fault, keys};

type Row = (Vec<u8>, Vec<u8>);

/// The cursor of a faulty engine.
pub(super) struct FaultyCursor<'a> {
    pub(super) inner: Box<dyn Cursor + Send + 'a>,
    pub(super) fault: Option<Fault>,
    /// Whether the scan has a start.
    pub(super) bounded: bool,
    /// Ranges whose rows are not seen.
    pub(super) hidden: Vec<super::Range>,
    pub(super) count: usize,
    pub(super) first: Option<Row>,
    pub(super) ended: bool,
    pub(super) row: Row,
}

impl FaultyCursor<'_> {
    fn step(&mut self) -> Result<Option<Row>> {
        loop {
            let row = match self.inner.next() {
                Err(_) if self.fault == Some(Fault::ScanErrorEndsScan) => return Ok(None),
                row => row?,
            };
            let Some((key, value)) = row else { return Ok(None) };
            let (key, value) =
                if keys::are_rewritten(self.fault) { keys::unpack(value) } else { (key, value) };
            self.count += 1;
            let skipped = match self.fault {
                Some(Fault::SeekSkipsFirst) => self.bounded && self.count == 1,
                Some(Fault::ScanDrops128th) => self.count == 128,
                _ => self.hidden.iter().any(|range| range.contains(key)),
            };
            if !skipped {
                return Ok(Some((key.to_vec(), value.to_vec())));
            }
        }
    }
}

impl Cursor for FaultyCursor<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        let row = if self.ended && self.fault == Some(Fault::CursorRestarts) {
            self.first.clone()
        } else {
            self.step()?
        };
        let Some(row) = row else {
            self.ended = true;
            return Ok(None);
        };
        self.first.get_or_insert_with(|| row.clone());
        self.row = row;
        Ok(Some((&self.row.0, &self.row.1)))
    }
}
