use super::{composite_key::StoredKey, rows::Rows};
use crate::{
    Direction, Engine, Error, ErrorKind, KeyRange, Result, StateKey, TableId, prefix_successor,
};

/// So many entries of one map are stepped over one by one before the rest of it is skipped by a new scan,
/// which costs about as much as this many steps.
const STEPS_BEFORE_SKIP: usize = 16;

pub(super) fn keys<K: StateKey, N: StateKey>(
    engine: &impl Engine,
    table: TableId,
    rows: Rows,
    namespace: &N,
) -> Result<Vec<K>> {
    let mut wanted = Vec::new();
    namespace.encode(&mut wanted)?;
    let mut found = Vec::new();
    for_each_map(engine, table, rows, |stored| {
        if stored.namespace == wanted {
            found.push(K::decode(stored.key)?);
        }
        Ok(())
    })?;
    Ok(found)
}

pub(super) fn keys_and_namespaces<K: StateKey, N: StateKey>(
    engine: &impl Engine,
    table: TableId,
    rows: Rows,
) -> Result<Vec<(K, N)>> {
    let mut found = Vec::new();
    for_each_map(engine, table, rows, |stored| {
        found.push((K::decode(stored.key)?, N::decode(stored.namespace)?));
        Ok(())
    })?;
    Ok(found)
}

/// Counts the rows of `table` that have expired.
pub(super) fn expired(engine: &impl Engine, table: TableId, rows: Rows) -> Result<u64> {
    let mut cursor = engine.scan(table, KeyRange::ALL, Direction::Forward)?;
    let mut count = 0;
    while let Some((_, row)) = cursor.next()? {
        count += u64::from(rows.live(row)?.is_none());
    }
    Ok(count)
}

/// Visits each key and namespace once that has anything live in `table`.
fn for_each_map(
    engine: &impl Engine,
    table: TableId,
    rows: Rows,
    mut visit: impl FnMut(&StoredKey<'_>) -> Result<()>,
) -> Result<()> {
    let mut start = Vec::new();
    let mut prefix: Vec<u8> = Vec::new();
    loop {
        let mut cursor = engine.scan(table, KeyRange::new(&start, None), Direction::Forward)?;
        let mut steps = 0;
        loop {
            let Some((key, row)) = cursor.next()? else { return Ok(()) };
            if !prefix.is_empty() && key.starts_with(&prefix) {
                steps += 1;
                if steps == STEPS_BEFORE_SKIP {
                    break;
                }
                continue;
            }
            steps = 0;
            if rows.live(row)?.is_none() {
                continue;
            }
            let stored = StoredKey::parse(key)?;
            visit(&stored)?;
            prefix.clear();
            prefix.extend_from_slice(&key[..stored.map_len]);
        }
        drop(cursor);
        match prefix_successor(&prefix) {
            Some(successor) if successor > start => start = successor,
            Some(_) => {
                // Going on would visit the same rows for ever.
                return Err(Error::new(
                    ErrorKind::Storage,
                    "the engine gave a row from before the start of its scan",
                ));
            }
            None => return Ok(()),
        }
    }
}
