use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use crate::{Engine, Error, ErrorKind, ExpiryNow, Result, TableId, WriteBatch};

const STAMP_BYTES: usize = 8;
const SIGN: u64 = 1 << 63;

/// How the rows of a state are read and written, as of one moment.
///
/// A state with TTL stores the last touch before the value, eight bytes, big endian, the sign flipped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows(pub(super) Option<ExpiryNow>);

/// A row that has not expired.
#[derive(Clone, Copy, Debug)]
pub(super) struct Live<'a> {
    pub(super) value: &'a [u8],
    pub(super) touched_ms: Option<i64>,
}

impl Rows {
    /// Takes a row apart; `None` if it has expired.
    pub(super) fn live<'a>(&self, row: &'a [u8]) -> Result<Option<Live<'a>>> {
        let Some(expiry) = &self.0 else {
            return Ok(Some(Live { value: row, touched_ms: None }));
        };
        let (touched_ms, value) = split(row)?;
        let live = Live { value, touched_ms: Some(touched_ms) };
        Ok((!expiry.is_expired(touched_ms)).then_some(live))
    }

    /// Appends what comes before a value that was touched at `touched_ms`, or now.
    pub(super) fn begin(&self, touched_ms: Option<i64>, out: &mut Vec<u8>) {
        if let Some(expiry) = &self.0 {
            let touched_ms = touched_ms.unwrap_or(expiry.now_ms());
            out.extend_from_slice(&(touched_ms.cast_unsigned() ^ SIGN).to_be_bytes());
        }
    }

    /// Returns whether reads touch.
    pub(super) fn reads_touch(&self) -> bool {
        self.0.is_some_and(|expiry| expiry.read_touches(i64::MIN))
    }

    /// Notes that `live` was read under `key`, if that touches it.
    pub(super) fn touch(
        &self,
        touches: &Mutex<Touches>,
        table: TableId,
        key: &[u8],
        live: &Live<'_>,
    ) {
        if let (Some(expiry), Some(touched_ms)) = (&self.0, live.touched_ms)
            && expiry.read_touches(touched_ms)
        {
            let mut row = Vec::with_capacity(STAMP_BYTES + live.value.len());
            self.begin(None, &mut row);
            row.extend_from_slice(live.value);
            let mut touches = touches.lock().unwrap_or_else(PoisonError::into_inner);
            touches.0.insert((table, key.into()), row.into());
        }
    }
}

/// Takes the last touch from the front of a row with TTL.
pub(super) fn split(row: &[u8]) -> Result<(i64, &[u8])> {
    let (stamp, value) = row.split_first_chunk::<STAMP_BYTES>().ok_or_else(|| {
        Error::new(
            ErrorKind::Codec,
            format!(
                "a stored row with TTL must begin with {STAMP_BYTES} bytes of time: {row:02x?}"
            ),
        )
    })?;
    Ok(((u64::from_be_bytes(*stamp) ^ SIGN).cast_signed(), value))
}

/// Rows that reads have touched and that are yet to be written with their new time.
///
/// A read has no `&mut` and so cannot write. Touches are written before anything else that writes, and before the next view
/// is made. Until then nobody can tell: a view reads as of one moment.
#[derive(Debug, Default)]
pub(super) struct Touches(BTreeMap<(TableId, Bytes), Bytes>);

type Bytes = Box<[u8]>;

impl Touches {
    /// Writes the touches, if there are any. If that fails, they stay.
    pub(super) fn settle(
        touches: &mut Mutex<Self>,
        engine: &mut impl Engine,
        batch: &mut WriteBatch,
    ) -> Result<()> {
        let touches = &mut touches.get_mut().unwrap_or_else(PoisonError::into_inner).0;
        if touches.is_empty() {
            return Ok(());
        }
        batch.clear();
        for ((table, key), row) in &*touches {
            batch.put(*table, key, row);
        }
        super::clear::write(engine, batch)?;
        touches.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn stamps_come_back(touched_ms: i64, value in prop::collection::vec(any::<u8>(), 0..20)) {
            let expiry = crate::Ttl::new(std::time::Duration::MAX).checked().unwrap();
            let clock = crate::clock::SharedClock::default();
            let rows = Rows(Some(expiry.now(&crate::Times::new(clock))));
            let mut row = Vec::new();
            rows.begin(Some(touched_ms), &mut row);
            row.extend_from_slice(&value);
            prop_assert_eq!(split(&row).unwrap(), (touched_ms, value.as_slice()));
        }

        #[test]
        fn f2_any_bytes_are_split_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            prop_assert_eq!(split(&bytes).is_ok(), bytes.len() >= STAMP_BYTES);
        }
    }
}
