use std::{fmt, ops::Range};

use crate::TableId;

/// One large batch must not hold its memory for ever.
const KEPT_BYTES: usize = 1 << 20;

/// Operations that an engine applies together.
///
/// Plain data in two flat vectors: filling a batch that was [cleared](Self::clear) allocates nothing.
///
/// ```
/// use keyed_state_core::{TableId, WriteBatch, WriteOp};
///
/// let mut batch = WriteBatch::new();
/// batch.put(TableId(0), b"key", b"value");
/// batch.delete(TableId(0), b"other");
/// let keys: Vec<_> = batch.iter().map(|op| op.key()).collect();
/// assert_eq!(keys, [b"key".as_slice(), b"other"]);
/// ```
#[derive(Clone, Default)]
pub struct WriteBatch {
    bytes: Vec<u8>,
    ops: Vec<Op>,
}

#[derive(Clone)]
struct Op {
    table: TableId,
    start: usize,
    key_end: usize,
    /// `None` deletes.
    value_end: Option<usize>,
}

/// One operation of a [`WriteBatch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteOp<'a> {
    /// Sets `key` to `value`.
    Put {
        /// Where.
        table: TableId,
        /// The key.
        key: &'a [u8],
        /// Its new value.
        value: &'a [u8],
    },
    /// Removes `key`.
    Delete {
        /// Where.
        table: TableId,
        /// The key.
        key: &'a [u8],
    },
}

impl<'a> WriteOp<'a> {
    /// Returns the table that the operation writes to.
    #[must_use]
    pub fn table(&self) -> TableId {
        match self {
            Self::Put { table, .. } | Self::Delete { table, .. } => *table,
        }
    }

    /// Returns the key that the operation writes.
    #[must_use]
    pub fn key(&self) -> &'a [u8] {
        match self {
            Self::Put { key, .. } | Self::Delete { key, .. } => key,
        }
    }
}

impl WriteBatch {
    /// Creates an empty batch.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends "set `key` to `value`".
    pub fn put(&mut self, table: TableId, key: &[u8], value: &[u8]) {
        let Range { start, end: key_end } = self.append(key);
        let value_end = Some(self.append(value).end);
        self.ops.push(Op { table, start, key_end, value_end });
    }

    /// Appends "remove `key`".
    pub fn delete(&mut self, table: TableId, key: &[u8]) {
        let Range { start, end: key_end } = self.append(key);
        self.ops.push(Op { table, start, key_end, value_end: None });
    }

    /// Iterates over the operations in their order.
    #[must_use = "an iterator does nothing until it is consumed"]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = WriteOp<'_>> {
        self.ops.iter().map(|op| {
            let key = &self.bytes[op.start..op.key_end];
            match op.value_end {
                Some(end) => {
                    WriteOp::Put { table: op.table, key, value: &self.bytes[op.key_end..end] }
                }
                None => WriteOp::Delete { table: op.table, key },
            }
        })
    }

    /// Returns the number of operations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Returns whether there is no operation.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// Removes all operations and keeps the memory for the next ones, up to about a mebibyte.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(KEPT_BYTES);
        self.ops.clear();
        self.ops.shrink_to(KEPT_BYTES / size_of::<Op>());
    }

    fn append(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }
}

impl fmt::Debug for WriteBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_was_appended() {
        let mut batch = WriteBatch::new();
        batch.put(TableId(1), b"", b"");
        batch.delete(TableId(2), b"k");
        batch.put(TableId(1), b"k", b"v");
        let ops: Vec<_> = batch.iter().collect();
        let expected = [
            WriteOp::Put { table: TableId(1), key: b"", value: b"" },
            WriteOp::Delete { table: TableId(2), key: b"k" },
            WriteOp::Put { table: TableId(1), key: b"k", value: b"v" },
        ];
        assert_eq!(ops, expected);
        batch.clear();
        assert!(batch.is_empty());
        assert_eq!(batch.iter().len(), 0);
    }
}
