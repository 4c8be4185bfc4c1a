use std::path::Path;

use fjall::{Database, Keyspace, OwnedWriteBatch};
use keyed_state_core::{Error, ErrorKind, Result};

use crate::{
    FjallConfig,
    error::{damaged, engine_error},
    keys::ANCHOR,
    stamp,
};

/// The keyspace of the deleted ranges. Names of core's tables have no such letter.
pub(crate) const LOG_KEYSPACE: &str = "~ranges";

/// The latest epoch.
const EPOCH_ROW: [u8; 1] = [0];
/// What precedes an epoch, eight bytes big endian, in the keys of its row.
const RANGE_ROW: u8 = 1;

/// The keyspace that keeps the deletions of ranges.
///
/// | row | value |
/// | --- | --- |
/// | `00` | the latest epoch, as a stamp |
/// | `01` ‖ epoch, `u64` big endian | length of the table's name as a stamp ‖ name ‖ length of the start ‖ start ‖ `00`, or `01` ‖ end |
#[derive(Clone)]
pub(crate) struct RangeLog {
    keyspace: Keyspace,
}

/// A deletion of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) epoch: u64,
    pub(crate) table: String,
    pub(crate) start: Vec<u8>,
    pub(crate) end: Option<Vec<u8>>,
}

impl RangeLog {
    /// Opens the keyspace, and returns the latest epoch and the deletions in their order.
    pub(crate) fn open(
        database: &Database,
        config: &FjallConfig,
        path: &Path,
    ) -> Result<(Self, u64, Vec<Record>)> {
        let failed = |error| engine_error(error, "read the deleted ranges", path);
        let is_new = !database.keyspace_exists(LOG_KEYSPACE);
        if is_new && !database.list_keyspace_names().is_empty() {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "the fjall database {} has no keyspace {LOG_KEYSPACE:?}; expected one that keyed-state wrote",
                    path.display()
                ),
            ));
        }
        let keyspace = database.keyspace(LOG_KEYSPACE, || config.keyspace()).map_err(failed)?;
        let malformed = || damaged(path, "a row of its deleted ranges is malformed");
        let (mut epoch, mut records) = (0, Vec::new());
        for row in keyspace.iter() {
            let (key, value) = row.into_inner().map_err(failed)?;
            if *key == ANCHOR {
                continue;
            }
            if *key == EPOCH_ROW {
                epoch = stamp::split(&value)
                    .filter(|(_, rest)| rest.is_empty())
                    .ok_or_else(malformed)?
                    .0;
            } else {
                records.push(Record::decode(&key, &value).ok_or_else(malformed)?);
            }
        }
        if records.iter().any(|record| record.epoch > epoch) {
            return Err(malformed());
        }
        Ok((Self { keyspace }, epoch, records))
    }

    /// Adds a deletion to the batch, the latest one; returns how many bytes that is.
    pub(crate) fn append(&self, record: &Record, batch: &mut OwnedWriteBatch) -> usize {
        let mut epoch = Vec::new();
        stamp::append(record.epoch, &mut epoch);
        let value = record.encode();
        let bytes = value.len() + epoch.len();
        batch.insert(&self.keyspace, EPOCH_ROW, epoch);
        batch.insert(&self.keyspace, row(record.epoch), value);
        bytes
    }

    /// Removes a deletion that has nothing left.
    pub(crate) fn remove(&self, epoch: u64, batch: &mut OwnedWriteBatch) {
        batch.remove(&self.keyspace, row(epoch));
    }
}

fn row(epoch: u64) -> Vec<u8> {
    [[RANGE_ROW].as_slice(), &epoch.to_be_bytes()].concat()
}

impl Record {
    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for part in [self.table.as_bytes(), &self.start] {
            stamp::append(part.len() as u64, &mut out);
            out.extend_from_slice(part);
        }
        out.push(u8::from(self.end.is_some()));
        out.extend_from_slice(self.end.as_deref().unwrap_or_default());
        out
    }

    fn decode(key: &[u8], value: &[u8]) -> Option<Self> {
        let (&kind, epoch) = key.split_first()?;
        let epoch = u64::from_be_bytes(epoch.try_into().ok()?);
        let (table, rest) = part(value)?;
        let (start, rest) = part(rest)?;
        let end = match rest.split_first()? {
            (0, []) => None,
            (1, end) => Some(end.to_vec()),
            _ => return None,
        };
        let table = String::from_utf8(table.to_vec()).ok()?;
        (kind == RANGE_ROW).then(|| Self { epoch, table, start: start.to_vec(), end })
    }
}

fn part(input: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = stamp::split(input)?;
    rest.split_at_checked(usize::try_from(length).ok()?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn records_come_back(
            epoch: u64, table in "[a-z]{0,300}", start: Vec<u8>, end: Option<Vec<u8>>,
        ) {
            let record = Record { epoch, table, start, end };
            prop_assert_eq!(Record::decode(&row(epoch), &record.encode()), Some(record));
        }

        #[test]
        fn f2_any_bytes_are_decoded_or_refused(key: Vec<u8>, value: Vec<u8>) {
            if let Some(record) = Record::decode(&key, &value) {
                prop_assert_eq!(row(record.epoch), key);
            }
        }
    }
}
