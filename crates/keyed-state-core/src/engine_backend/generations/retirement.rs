use super::{ClearedTable, FIRST_GENERATION, Index, Name};
use crate::{
    Direction, Engine, KeyRange, Result, TableId, WriteBatch, engine_backend::clear,
    engine_backend::composite_key::StoredKey, prefix_successor, varint,
};

/// A step is taken for so many accesses to the state.
const ACCESSES_A_STEP: u64 = 32;
/// A clear counts as so many accesses.
const ACCESSES_A_CLEAR: u64 = 8;
/// So many rows are walked over in a step.
const ROWS_A_STEP: usize = 64;
/// A step sorts out whole shards of the index until it has met so many maps.
const MAPS_A_STEP: usize = 512;
/// So many maps are looked up in a step.
const LOOKS_A_STEP: usize = 16;
/// Looking a map up costs about as much as walking over so many rows.
const ROWS_A_LOOK: usize = 16;
/// Rows of one map are stepped over up to this many; then the next map is sought.
const STEPS_BEFORE_SKIP: usize = 16;
/// Maps of more rows keep their generation, however scarce memory is.
const MAX_REWRITTEN_ROWS: usize = 64;
/// Fewer cleared maps than this are not worth a pass while there is memory.
const MIN_MAPS: usize = 1024;
/// Fewer clears than this that found no memory are not worth one.
const MIN_REFUSED: usize = 64;

/// Takes maps out of the index of one state that no longer need to be there: nothing of an earlier generation is left of them,
/// and nothing of a later one is stored.
///
/// Both are found out by looking, in passes over the table, in steps of some tens of microseconds taken at accesses to the state. A
/// pass walks over the table and marks the maps that have rows. Of those that it met no row of, those without puts since their clear
/// are forgotten: nobody writes to an earlier generation. Where the walk turns out to be longer
/// than looking at each map, it is broken off, and the maps are looked up one by one.
#[derive(Debug)]
pub(in crate::engine_backend) struct Retirement {
    /// Whether the engine's compactions drop what was cleared. Otherwise the walk deletes it.
    filtered: bool,
    /// What has been earned towards the next step.
    credit: u64,
    /// The latest generation at the last access.
    seen: u64,
    passes: u8,
    /// How many maps the last pass left.
    left: usize,
    /// The latest generation when the last pass began.
    began_at: u64,
    pass: Option<Pass>,
    /// Maps that were forgotten but are stored still. A row too many would hide what is put under the first generation.
    forgotten: Vec<Box<[u8]>>,
}

#[derive(Debug)]
struct Pass {
    mark: u8,
    /// Maps that were cleared later are not looked at.
    up_to: u64,
    /// Whether dead rows are deleted by the walk.
    reclaims: bool,
    /// Whether small maps are moved to the first generation.
    rewrites: bool,
    phase: Phase,
}

#[derive(Debug)]
enum Phase {
    Walk { position: Vec<u8>, rows: usize },
    Take { shard: usize, walked: bool, doubtful: Vec<Box<[u8]>> },
}

/// Where a state is and what is known of its maps.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine_backend) struct Site<'a> {
    pub(in crate::engine_backend) table: TableId,
    pub(in crate::engine_backend) index: &'a Index,
    pub(in crate::engine_backend) stored: ClearedTable,
    pub(in crate::engine_backend) name: &'a Name,
}

impl Retirement {
    pub(in crate::engine_backend) fn new(filtered: bool) -> Self {
        Self {
            filtered,
            credit: 0,
            seen: 0,
            passes: 0,
            left: 0,
            began_at: 0,
            pass: None,
            forgotten: Vec::new(),
        }
    }

    /// Counts an access to the state, and takes a step if it is time for one.
    pub(in crate::engine_backend) fn access(
        &mut self,
        engine: &mut impl Engine,
        site: Site<'_>,
        batch: &mut WriteBatch,
    ) -> Result<()> {
        if site.index.len() == 0 && self.pass.is_none() {
            return Ok(());
        }
        let last = site.index.generations().last();
        self.credit += 1 + (last - self.seen) * ACCESSES_A_CLEAR;
        self.seen = last;
        if self.credit < ACCESSES_A_STEP {
            return Ok(());
        }
        self.credit = 0;
        if self.pass.is_none() && self.is_due(site.index) {
            self.begin(site.index);
        }
        self.step(engine, site, batch)
    }

    /// Makes a whole pass at once.
    pub(in crate::engine_backend) fn run(
        &mut self,
        engine: &mut impl Engine,
        site: Site<'_>,
        batch: &mut WriteBatch,
    ) -> Result<()> {
        if site.index.len() == 0 {
            return Ok(());
        }
        self.begin(site.index);
        while self.pass.is_some() {
            self.step(engine, site, batch)?;
        }
        Ok(())
    }

    /// Returns whether a pass would find enough to be worth it.
    fn is_due(&self, index: &Index) -> bool {
        let maps = index.len();
        let (dropped, refused) = index.events(false);
        if !self.filtered {
            // Nobody else reclaims. Nothing is left to do if nothing was cleared since the last pass.
            return maps > 0 && index.generations().last() > self.began_at;
        }
        let grown = maps > self.left + self.left / 4;
        (maps >= MIN_MAPS && dropped >= maps / 2)
            || (index.generations().above(5) && grown)
            || refused > (maps / 4).max(MIN_REFUSED)
    }

    fn begin(&mut self, index: &Index) {
        index.events(true);
        self.passes = self.passes.checked_add(1).unwrap_or(1);
        self.began_at = index.generations().last();
        self.pass = Some(Pass {
            mark: self.passes,
            up_to: self.began_at,
            reclaims: !self.filtered || index.generations().above(7),
            rewrites: index.generations().above(5),
            phase: Phase::Walk { position: Vec::new(), rows: 0 },
        });
    }

    fn step(
        &mut self,
        engine: &mut impl Engine,
        site: Site<'_>,
        batch: &mut WriteBatch,
    ) -> Result<()> {
        let Self { pass: Some(pass), forgotten, .. } = self else { return Ok(()) };
        match &mut pass.phase {
            Phase::Walk { position, rows } => {
                batch.clear();
                let mut walk = Walk { mark: pass.mark, reclaims: pass.reclaims, small: None };
                let next = walk.step(engine, site, position, batch)?;
                *rows += ROWS_A_STEP;
                clear::write(engine, batch)?;
                if let Some(map) = walk.small.filter(|_| pass.rewrites) {
                    rewrite(engine, site, &map, batch, forgotten)?;
                }
                let longer = !pass.reclaims && *rows > ROWS_A_LOOK * site.index.len() + ROWS_A_STEP;
                match next {
                    Some(next) if !longer => *position = next,
                    next => {
                        let walked = next.is_none();
                        pass.phase = Phase::Take { shard: 0, walked, doubtful: Vec::new() };
                    }
                }
            }
            Phase::Take { shard, walked, doubtful } => {
                if !doubtful.is_empty() {
                    for _ in 0..LOOKS_A_STEP {
                        let Some(map) = doubtful.pop() else { break };
                        let small =
                            look(engine, site, &map, (pass.up_to, pass.rewrites), forgotten)?;
                        if small {
                            rewrite(engine, site, &map, batch, forgotten)?;
                            break;
                        }
                    }
                } else if *shard < Index::shards() {
                    let which = (pass.mark, pass.up_to, *walked);
                    let mut gone = |map: &[u8]| forgotten.push(map.into());
                    let mut maps = 0;
                    while maps < MAPS_A_STEP && *shard < Index::shards() {
                        maps += site.index.sort_out(*shard, which, &mut gone, doubtful);
                        *shard += 1;
                    }
                    // Taken from the end, in the order of the keys.
                    doubtful.sort_unstable_by(|a, b| b.cmp(a));
                } else {
                    self.left = site.index.len();
                    self.pass = None;
                }
            }
        }
        self.settle(engine, site, batch)
    }

    /// Deletes what is stored of forgotten maps. If that fails, it is done at the next step, or when the index is saved.
    pub(in crate::engine_backend) fn settle(
        &mut self,
        engine: &mut impl Engine,
        site: Site<'_>,
        batch: &mut WriteBatch,
    ) -> Result<()> {
        batch.clear();
        for map in &self.forgotten {
            site.stored.forget(site.name, map, batch);
        }
        clear::write(engine, batch)?;
        self.forgotten.clear();
        Ok(())
    }
}

struct Walk {
    mark: u8,
    reclaims: bool,
    /// A map without dead rows and with few live ones, under a later generation than the first.
    small: Option<Vec<u8>>,
}

impl Walk {
    /// Looks at the rows from `position` on; returns where to go on, if there are more.
    fn step(
        &mut self,
        engine: &impl Engine,
        site: Site<'_>,
        position: &[u8],
        batch: &mut WriteBatch,
    ) -> Result<Option<Vec<u8>>> {
        let mut cursor =
            engine.scan(site.table, KeyRange::new(position, None), Direction::Forward)?;
        let mut map: Vec<u8> = Vec::new();
        let mut generation = None;
        let mut has_dead = false;
        let mut steps = 0;
        for row in 0..=ROWS_A_STEP {
            let Some((key, _)) = cursor.next()? else { return Ok(None) };
            if row == ROWS_A_STEP {
                return Ok(Some(key.to_vec()));
            }
            let stored = StoredKey::parse(key)?;
            let same = !map.is_empty() && map == key[..stored.map_len];
            if !same {
                map.clear();
                map.extend_from_slice(&key[..stored.map_len]);
                generation = site.index.get(&map).map(|cleared| cleared.generation);
                has_dead = false;
                steps = 0;
            }
            let dead = generation.is_some_and(|generation| stored.generation < generation);
            if dead && self.reclaims {
                batch.delete(site.table, key);
                continue;
            }
            if steps == 0 && generation.is_some() {
                site.index.mark(&map, self.mark);
            }
            has_dead |= dead;
            if generation.is_some() && !has_dead && !self.reclaims {
                self.small.get_or_insert_with(|| map.clone());
            }
            steps += 1;
            if steps == STEPS_BEFORE_SKIP {
                // What is dead of this map is left to compactions, so its other rows tell nothing new.
                return Ok(prefix_successor(&map));
            }
        }
        Ok(None)
    }
}

/// Looks whether `map` has rows, and forgets it if it has none. Returns whether it has live rows alone.
fn look(
    engine: &mut impl Engine,
    site: Site<'_>,
    map: &[u8],
    (up_to, rewrites): (u64, bool),
    forgotten: &mut Vec<Box<[u8]>>,
) -> Result<bool> {
    // It may have been cleared since it was listed.
    let Some(known) = site.index.get(map).filter(|known| known.generation <= up_to) else {
        return Ok(false);
    };
    let end = prefix_successor(map);
    let range = KeyRange::new(map, end.as_deref());
    let mut cursor = engine.scan(site.table, range, Direction::Forward)?;
    if let Some((key, _)) = cursor.next()? {
        return Ok(rewrites && StoredKey::parse(key)?.generation == known.generation);
    }
    drop(cursor);
    if let Some((_, true)) = site.index.remove(map) {
        forgotten.push(map.into());
    }
    Ok(false)
}

/// Moves the rows of `map`, if they are few and all of its present generation, to the first generation, and forgets it.
fn rewrite(
    engine: &mut impl Engine,
    site: Site<'_>,
    map: &[u8],
    batch: &mut WriteBatch,
    forgotten: &mut Vec<Box<[u8]>>,
) -> Result<()> {
    let Some(known) = site.index.get(map) else { return Ok(()) };
    batch.clear();
    let end = prefix_successor(map);
    let range = KeyRange::new(map, end.as_deref());
    let mut cursor = engine.scan(site.table, range, Direction::Forward)?;
    let mut rows = 0;
    let mut moved = map.to_vec();
    varint::encode(FIRST_GENERATION, &mut moved);
    let prefix_len = moved.len();
    while let Some((key, row)) = cursor.next()? {
        let stored = StoredKey::parse(key)?;
        rows += 1;
        if stored.generation != known.generation || rows > MAX_REWRITTEN_ROWS {
            batch.clear();
            return Ok(());
        }
        moved.truncate(prefix_len);
        moved.extend_from_slice(stored.user_key);
        batch.put(site.table, &moved, row);
        batch.delete(site.table, key);
    }
    drop(cursor);
    // Before the rows are moved: a compaction that met them first would take them for dead.
    let Some(removed) = site.index.remove(map) else { return Ok(()) };
    clear::write(engine, batch).inspect_err(|_| site.index.put_back(map, removed))?;
    if removed.1 {
        forgotten.push(map.into());
    }
    Ok(())
}
