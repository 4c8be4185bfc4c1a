use super::{
    composite_key::StoredKey,
    generations::{ClearedRows, Index},
    rows::Rows,
};
use crate::{
    Direction, Engine, Error, ErrorKind, KeyRange, Result, StateKey, TableId, prefix_successor,
    varint,
};

/// So many entries of one map, or of its past, are stepped over one by one before the rest of it is skipped by a new scan,
/// which costs about as much as this many steps.
const STEPS_BEFORE_SKIP: usize = 16;

pub(super) fn keys<K: StateKey, N: StateKey>(
    engine: &impl Engine,
    table: TableId,
    rows: Rows,
    index: Option<&Index>,
    namespace: &N,
) -> Result<Vec<K>> {
    let mut wanted = Vec::new();
    namespace.encode(&mut wanted)?;
    let mut found = Vec::new();
    for_each_map(engine, table, rows, index, |stored| {
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
    index: Option<&Index>,
) -> Result<Vec<(K, N)>> {
    let mut found = Vec::new();
    for_each_map(engine, table, rows, index, |stored| {
        found.push((K::decode(stored.key)?, N::decode(stored.namespace)?));
        Ok(())
    })?;
    Ok(found)
}

/// Counts the rows of `table` that have expired and were not cleared.
pub(super) fn expired(
    engine: &impl Engine,
    table: TableId,
    rows: Rows,
    mut cleared: Option<ClearedRows>,
) -> Result<u64> {
    let mut cursor = engine.scan(table, KeyRange::ALL, Direction::Forward)?;
    let mut count = 0;
    while let Some((key, row)) = cursor.next()? {
        let dead = match &mut cleared {
            Some(cleared) => cleared.contains(key)?,
            None => false,
        };
        count += u64::from(!dead && rows.live(row)?.is_none());
    }
    Ok(count)
}

/// Visits each key and namespace once that has anything live in `table`.
fn for_each_map(
    engine: &impl Engine,
    table: TableId,
    rows: Rows,
    index: Option<&Index>,
    mut visit: impl FnMut(&StoredKey<'_>) -> Result<()>,
) -> Result<()> {
    let mut start: Vec<u8> = Vec::new();
    let mut map: Vec<u8> = Vec::new();
    // Rows before this key tell nothing new.
    let mut next: Vec<u8> = Vec::new();
    loop {
        let mut cursor = engine.scan(table, KeyRange::new(&start, None), Direction::Forward)?;
        let mut steps = 0;
        while steps < STEPS_BEFORE_SKIP {
            let Some((key, row)) = cursor.next()? else { return Ok(()) };
            if key < &*start {
                // Going on would visit the same rows for ever.
                return Err(Error::new(
                    ErrorKind::Storage,
                    "the engine gave a row from before the start of its scan",
                ));
            }
            if key < &*next {
                steps += 1;
                continue;
            }
            steps = 0;
            let stored = StoredKey::parse(key)?;
            if map != key[..stored.map_len] {
                map.clear();
                map.extend_from_slice(&key[..stored.map_len]);
                if let Some(known) = index.and_then(|index| index.get(&map)) {
                    next.clone_from(&map);
                    varint::encode(known.generation, &mut next);
                    if key < &*next {
                        continue;
                    }
                }
            }
            if rows.live(row)?.is_none() {
                continue;
            }
            visit(&stored)?;
            match prefix_successor(&map) {
                Some(successor) => next = successor,
                None => return Ok(()),
            }
        }
        start.clone_from(&next);
    }
}
