use std::sync::{
    Mutex,
    atomic::{AtomicU32, Ordering},
};

use keyed_state_core::{
    Capabilities, Cursor, Direction, Engine, Error, ErrorKind, KeyRange, Result, TableId,
    WriteBatch, WriteOp, prefix_successor,
};

use super::{Fault, Range, cursor::FaultyCursor, keys};

/// Where a backend keeps what it was opened with; most faults spare it, lest nothing could be opened.
const META_TABLE: &str = "keyed-state";

/// Rows that come out of order can keep a listing of keys at it for ever; no case needs so many scans.
const MOST_SCANS: u32 = 100_000;

type Row = (TableId, Vec<u8>, Vec<u8>);

/// An engine around another that has one fault, or none.
#[derive(Debug)]
pub(crate) struct FaultyEngine<E> {
    inner: E,
    fault: Option<Fault>,
    meta: Option<TableId>,
    shared: Option<TableId>,
    /// Rows that were deleted or replaced, oldest first.
    before: Vec<Row>,
    /// Of those, the ones that a deleted range took.
    in_ranges: Vec<Row>,
    /// Keys put since the last flush.
    unflushed: Vec<(TableId, Vec<u8>)>,
    hidden: Vec<(TableId, Range)>,
    opened: u32,
    last_read: Mutex<Vec<u8>>,
    scans: AtomicU32,
}

impl<E: Engine> FaultyEngine<E> {
    pub(crate) fn new(inner: E, fault: Option<Fault>) -> Self {
        Self {
            inner,
            fault,
            meta: None,
            shared: None,
            before: Vec::new(),
            in_ranges: Vec::new(),
            unflushed: Vec::new(),
            hidden: Vec::new(),
            opened: 0,
            last_read: Mutex::default(),
            scans: AtomicU32::new(0),
        }
    }

    fn has(&self, fault: Fault, table: TableId) -> bool {
        self.fault == Some(fault) && self.meta != Some(table)
    }

    fn rewrites(&self, table: TableId) -> bool {
        keys::are_rewritten(self.fault) && self.meta != Some(table)
    }

    fn value(&self, table: TableId, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let mut value = None;
        self.inner.get(table, key, &mut |bytes| value = Some(bytes.to_vec()))?;
        Ok(value)
    }

    fn keys_in(&self, table: TableId, range: KeyRange<'_>) -> Result<Vec<Vec<u8>>> {
        let mut cursor = self.inner.scan(table, range, Direction::Forward)?;
        let mut found = Vec::new();
        while let Some((key, _)) = cursor.next()? {
            found.push(key.to_vec());
        }
        Ok(found)
    }

    /// Remembers the row of `key`, which is about to go.
    fn remember(&mut self, table: TableId, key: &[u8]) -> Result<()> {
        if self.meta != Some(table)
            && let Some(value) = self.value(table, key)?
        {
            self.before.push((table, key.to_vec(), value));
        }
        Ok(())
    }

    /// Puts back the last deleted row, if it is not there again.
    fn resurrect(&mut self) -> Result<()> {
        if let Some((table, key, value)) = self.before.pop()
            && self.value(table, &key)?.is_none()
        {
            self.inner.put(table, &key, &value)?;
        }
        Ok(())
    }

    fn remembers_deletes(&self) -> bool {
        let resurrecting = [
            Fault::DeleteLostAtFlush,
            Fault::DeleteLostAtReopen,
            Fault::CompactionResurrects,
            Fault::DeletedIsContained,
        ];
        self.fault.is_some_and(|fault| resurrecting.contains(&fault))
    }

    fn scan_range(&self, table: TableId, range: KeyRange<'_>) -> Range {
        let mut range = Range::of(range);
        if self.has(Fault::ScanIncludesEnd, table)
            && let Some(end) = &mut range.end
        {
            end.push(0);
        }
        if self.has(Fault::ScanExcludesStart, table) && !range.start.is_empty() {
            range.start.push(0);
        }
        if self.has(Fault::PrefixEndCarries, table) {
            carry(&mut range);
        }
        if self.rewrites(table) {
            range.start = keys::rewrite(self.fault, &range.start);
            range.end = range.end.map(|end| keys::rewrite(self.fault, &end));
        }
        range
    }

    fn delete_by_key(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()> {
        let mut found = self.keys_in(table, range)?;
        match self.fault {
            Some(Fault::DeleteRangeSparesLast) => {
                found.pop();
            }
            Some(Fault::DeleteRangeTakesNeighbour) => {
                if let Some(end) = range.end.filter(|_| !range.is_empty()) {
                    let beyond = self.keys_in(table, KeyRange::new(end, None))?;
                    found.extend(beyond.into_iter().take(1));
                }
            }
            Some(Fault::DeleteRangeSparesFlushed) => {
                found.retain(|key| self.unflushed.contains(&(table, key.clone())));
            }
            Some(Fault::DeleteRangeLostAtReopen) => {
                for key in &found {
                    if let Some(value) = self.value(table, key)? {
                        self.in_ranges.push((table, key.clone(), value));
                    }
                }
            }
            _ => {}
        }
        for key in found {
            if self.remembers_deletes() {
                self.remember(table, &key)?;
            }
            self.inner.delete(table, &key)?;
        }
        Ok(())
    }
}

/// Replaces the end of a prefix's range by what adding one to its last byte with a carry gives.
fn carry(range: &mut Range) {
    if range.start.last() != Some(&0xFF) || range.end != prefix_successor(&range.start) {
        return;
    }
    let mut end = range.start.clone();
    for byte in end.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            range.end = Some(end);
            return;
        }
    }
}

impl<E: Engine> Engine for FaultyEngine<E> {
    fn capabilities(&self) -> Capabilities {
        let compact = self.fault != Some(Fault::CompactionUndeclared);
        let inner = self.inner.capabilities();
        Capabilities { compact: compact && inner.compact, ..inner }
    }

    fn open_table(&mut self, name: &str) -> Result<TableId> {
        if name == META_TABLE {
            let table = self.inner.open_table(name)?;
            self.meta = Some(table);
            return Ok(table);
        }
        if self.fault == Some(Fault::TableOpenedAnew) {
            self.opened += 1;
            return self.inner.open_table(&format!("{name}.{}", self.opened));
        }
        let table = self.inner.open_table(name)?;
        if self.fault == Some(Fault::TablesShared) {
            return Ok(*self.shared.get_or_insert(table));
        }
        Ok(table)
    }

    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool> {
        if self.rewrites(table) {
            let stored = keys::rewrite(self.fault, key);
            return self.inner.get(table, &stored, &mut |packed| visit(keys::unpack(packed).1));
        }
        let hidden = |(hidden, range): &(TableId, Range)| *hidden == table && range.contains(key);
        if self.hidden.iter().any(hidden) {
            return Ok(false);
        }
        let value = match self.value(table, key) {
            Err(_) if self.has(Fault::ReadErrorIsAbsent, table) => None,
            value => value?,
        };
        let Some(value) = value else {
            let last = self.last_read.lock().expect("no holder panics");
            if self.has(Fault::AbsentReadsLast, table) && !last.is_empty() {
                visit(&last);
                return Ok(true);
            }
            let was_there = self.before.iter().any(|(t, k, _)| (*t, k.as_slice()) == (table, key));
            return Ok(self.has(Fault::DeletedIsContained, table) && was_there);
        };
        if value.is_empty() && self.has(Fault::EmptyValueIsAbsent, table) {
            return Ok(false);
        }
        visit(&value);
        if self.meta != Some(table) {
            *self.last_read.lock().expect("no holder panics") = value;
        }
        Ok(true)
    }

    fn put(&mut self, table: TableId, key: &[u8], value: &[u8]) -> Result<()> {
        if self.rewrites(table) {
            let stored = keys::rewrite(self.fault, key);
            return self.inner.put(table, &stored, &keys::pack(key, value));
        }
        if self.has(Fault::OverwriteIgnored, table) && self.value(table, key)?.is_some() {
            return Ok(());
        }
        if self.has(Fault::StaleAfterReopen, table) {
            self.remember(table, key)?;
        }
        if self.has(Fault::DeleteRangeSparesFlushed, table) {
            self.unflushed.push((table, key.to_vec()));
        }
        let outcome = self.inner.put(table, key, value);
        if self.has(Fault::WriteErrorSwallowed, table) { Ok(()) } else { outcome }
    }

    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<()> {
        if self.rewrites(table) {
            return self.inner.delete(table, &keys::rewrite(self.fault, key));
        }
        if self.remembers_deletes() {
            self.remember(table, key)?;
        }
        if self.has(Fault::DeleteTakesLongerKeys, table) {
            let end = prefix_successor(key);
            return self.inner.delete_range(table, KeyRange::new(key, end.as_deref()));
        }
        let outcome = self.inner.delete(table, key);
        if self.has(Fault::WriteErrorSwallowed, table) { Ok(()) } else { outcome }
    }

    fn scan(
        &self,
        table: TableId,
        range: KeyRange<'_>,
        direction: Direction,
    ) -> Result<Box<dyn Cursor + Send + '_>> {
        let scans = self.scans.fetch_add(1, Ordering::Relaxed);
        assert!(scans < MOST_SCANS, "scanned for ever");
        let direction = match direction {
            _ if self.has(Fault::ReverseGoesForward, table) => Direction::Forward,
            direction => direction,
        };
        let inner = self.inner.scan(table, self.scan_range(table, range).borrow(), direction)?;
        let hidden = self.hidden.iter().filter(|(hidden, _)| *hidden == table);
        Ok(Box::new(FaultyCursor {
            inner,
            fault: self.fault.filter(|_| self.meta != Some(table)),
            bounded: !range.start.is_empty(),
            hidden: hidden.map(|(_, range)| range.clone()).collect(),
            count: 0,
            first: None,
            ended: false,
            row: Default::default(),
        }))
    }

    fn delete_range(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()> {
        let mut range = Range::of(range);
        match self.fault {
            Some(Fault::UnboundedDeleteRangeIgnored) if range.end.is_none() => return Ok(()),
            Some(Fault::DeleteRangeIncludesEnd) if !range.borrow().is_empty() => {
                if let Some(end) = &mut range.end {
                    end.push(0);
                }
            }
            Some(Fault::DeleteRangeExcludesStart) => range.start.push(0),
            Some(Fault::PrefixEndCarries) => carry(&mut range),
            Some(Fault::DeleteRangeHidesLaterPuts) => self.hidden.push((table, range.clone())),
            _ => {}
        }
        if self.rewrites(table) {
            range = self.scan_range(table, range.borrow());
        }
        // An engine's error must not meet this one halfway.
        if self.fault.is_none_or(Fault::needs_failures) {
            let outcome = self.inner.delete_range(table, range.borrow());
            return if self.has(Fault::WriteErrorSwallowed, table) { Ok(()) } else { outcome };
        }
        self.delete_by_key(table, range.borrow())
    }

    fn write(&mut self, batch: &WriteBatch) -> Result<()> {
        let mut ops: Vec<WriteOp<'_>> = batch.iter().collect();
        match self.fault {
            // All or nothing comes from below.
            None
            | Some(
                Fault::ScanErrorEndsScan | Fault::ReadErrorIsAbsent | Fault::FlushErrorSwallowed,
            ) => return self.inner.write(batch),
            Some(Fault::WriteErrorSwallowed) => {
                let _ = self.inner.write(batch);
                return Ok(());
            }
            Some(Fault::BatchHalfApplied) => {
                let outcome = self.inner.write(batch);
                if outcome.is_ok() {
                    return outcome;
                }
                ops.truncate(ops.len() / 2);
                for op in ops {
                    match op {
                        WriteOp::Put { table, key, value } => self.inner.put(table, key, value)?,
                        WriteOp::Delete { table, key } => self.inner.delete(table, key)?,
                    }
                }
                return outcome;
            }
            Some(Fault::BatchReversed) => ops.reverse(),
            Some(_) => {}
        }
        for op in ops {
            match op {
                WriteOp::Put { table, key, value } => self.put(table, key, value)?,
                WriteOp::Delete { table, key } => self.delete(table, key)?,
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.hidden.clear();
        self.unflushed.clear();
        if self.fault == Some(Fault::DeleteLostAtFlush) {
            self.resurrect()?;
        }
        let outcome = self.inner.flush();
        if self.fault == Some(Fault::FlushErrorSwallowed) { Ok(()) } else { outcome }
    }

    fn compact(&mut self) -> Result<()> {
        if self.fault == Some(Fault::CompactionUnsupported) {
            return Err(Error::new(ErrorKind::Unsupported, "compaction is declared only"));
        }
        if self.fault == Some(Fault::CompactionResurrects) {
            self.resurrect()?;
        }
        self.inner.compact()
    }

    fn close(mut self: Box<Self>) -> Result<()> {
        match self.fault {
            Some(Fault::DeleteLostAtReopen) => self.resurrect()?,
            Some(Fault::DeleteRangeLostAtReopen) => {
                for (table, key, value) in std::mem::take(&mut self.in_ranges) {
                    if self.value(table, &key)?.is_none() {
                        self.inner.put(table, &key, &value)?;
                    }
                }
            }
            Some(Fault::StaleAfterReopen) => {
                for (table, key, value) in std::mem::take(&mut self.before).into_iter().rev() {
                    self.inner.put(table, &key, &value)?;
                }
            }
            Some(Fault::OptionsForgotten) => {
                if let Some(meta) = self.meta {
                    self.inner.delete_range(meta, KeyRange::ALL)?;
                }
            }
            _ => {}
        }
        Box::new(self.inner).close()
    }
}
