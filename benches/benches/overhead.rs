//! What a typed view costs beside the same raw calls on the same bytes.
//!
//! `cargo bench -p keyed-state-benches --features rocksdb --bench overhead -- --keys 500000`

use std::{
    collections::{BTreeMap, HashMap},
    hint::black_box,
};

use clap::Parser;
use fastrand::Rng;
use keyed_state::{
    BackendOptions, Engine, EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MapDescriptor,
    MapId, MapState, MaxParallelism, MemoryBackend, prefix_successor,
};
use keyed_state_benches::{
    Duel, Outcome,
    keys::{composite, map_prefix},
    table,
};
use tempfile::tempdir;

const ENTRIES: u64 = 10;
const TABLE: &str = "state.bench";

/// Typed views against raw calls.
#[derive(Parser)]
struct Args {
    /// Number of keys; each has a map of ten entries.
    #[arg(long, default_value_t = 500_000)]
    keys: u64,
    /// Blocks that each contender runs in turn.
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Operations in a block.
    #[arg(long, default_value_t = 20_000)]
    operations: usize,
    /// Only these engines.
    #[arg(long, value_delimiter = ',', default_values = ["memory", "fjall", "rocksdb"])]
    engines: Vec<String>,
    /// Passed by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// The raw calls of an engine, on prepared bytes.
trait Raw {
    fn get(&self, key: &[u8]) -> bool;
    fn contains(&self, key: &[u8]) -> bool;
    fn put(&self, key: &[u8], value: &[u8]);
    fn iterate(&self, start: &[u8], end: &[u8]) -> usize;
}

type Rows = Vec<(String, Outcome)>;

fn main() -> keyed_state::Result<()> {
    let args = Args::parse();
    println!("{} keys, {ENTRIES} entries each; ratio = typed view / raw calls", args.keys);
    for engine in &args.engines {
        let rows = match engine.as_str() {
            "memory" => memory(&args)?,
            "fjall" => fjall_engine::run(&args)?,
            #[cfg(feature = "rocksdb")]
            "rocksdb" => rocksdb_engine::run(&args)?,
            #[cfg(not(feature = "rocksdb"))]
            "rocksdb" => {
                println!("\nrocksdb: skipped, the feature `rocksdb` is off");
                continue;
            }
            other => panic!("unknown engine {other:?}; known are memory, fjall, rocksdb"),
        };
        let rows = rows.into_iter().map(|(name, outcome)| {
            vec![
                name,
                format!("{:.0}", outcome.baseline_ns),
                format!("{:.0}", outcome.contender_ns),
                format!("{:.3}", outcome.ratio),
                format!("{:.2}–{:.2}", outcome.spread.0, outcome.spread.1),
            ]
        });
        println!(
            "\n{engine}\n{}",
            table(&["operation", "raw ns", "typed ns", "ratio", "spread"], rows)
        );
    }
    Ok(())
}

fn duel(args: &Args) -> Duel {
    Duel { rounds: args.rounds, operations: args.operations }
}

/// The operations of one block: the same for both contenders, another sample in each round.
fn sample(args: &Args, round: usize) -> Vec<(u64, u64)> {
    let mut rng = Rng::with_seed(round as u64);
    (0..args.operations).map(|_| (rng.u64(..args.keys), rng.u64(..ENTRIES))).collect()
}

fn load<B: KeyedStateBackend<Key = u64>>(
    backend: &mut B,
    keys: u64,
) -> keyed_state::Result<MapId<u64, u64>> {
    let id = backend.register_map(&MapDescriptor::new("bench"))?;
    for key in 0..keys {
        backend.set_current_key(&key)?;
        backend.map(&id)?.put_all((0..ENTRIES).map(|entry| (entry, key ^ entry)))?;
    }
    Ok(id)
}

/// Runs all operations of an engine; `raw` works on a store of its own with the same content, so that the
/// puts of both change equal trees.
fn engine<E: Engine>(
    args: &Args,
    backend: &mut EngineBackend<u64, E>,
    id: &MapId<u64, u64>,
    raw: &impl Raw,
) -> Rows {
    let groups = MaxParallelism::default();
    let samples: Vec<_> = (0..=args.rounds).map(|round| sample(args, round)).collect();
    let prepared: Vec<Vec<_>> = samples
        .iter()
        .map(|pairs| pairs.iter().map(|(key, entry)| composite(groups, *key, *entry)).collect())
        .collect();
    let prefixes: Vec<Vec<_>> = samples
        .iter()
        .map(|pairs| {
            let prefix = |key| {
                let start = map_prefix(groups, key);
                let end = prefix_successor(&start).expect("it starts with a key group below FF");
                (start, end)
            };
            pairs.iter().take(args.operations / 4).map(|(key, _)| prefix(*key)).collect()
        })
        .collect();
    let mut rows = Rows::new();
    // One backend, lent to each typed block in turn.
    let backend = std::cell::RefCell::new(backend);

    let outcome = duel(args).run(
        |round| prepared[round].iter().for_each(|key| assert!(raw.get(key))),
        |round| {
            let mut backend = backend.borrow_mut();
            for (key, entry) in &samples[round] {
                backend.set_current_key(key).expect("set");
                assert!(
                    black_box(backend.map(id).expect("map").get(entry).expect("get")).is_some()
                );
            }
        },
    );
    rows.push(("get".into(), outcome));

    let outcome = duel(args).run(
        |round| prepared[round].iter().for_each(|key| assert!(raw.contains(key))),
        |round| {
            let mut backend = backend.borrow_mut();
            for (key, entry) in &samples[round] {
                backend.set_current_key(key).expect("set");
                assert!(backend.map(id).expect("map").contains(entry).expect("contains"));
            }
        },
    );
    rows.push(("contains".into(), outcome));

    let iterations = Duel { rounds: args.rounds, operations: args.operations / 4 };
    let outcome = iterations.run(
        |round| {
            let all = prefixes[round].iter().map(|(start, end)| raw.iterate(start, end));
            assert_eq!(all.sum::<usize>(), prefixes[round].len() * 10);
        },
        |round| {
            let mut backend = backend.borrow_mut();
            let mut count = 0;
            for (key, _) in &samples[round][..args.operations / 4] {
                backend.set_current_key(key).expect("set");
                for entry in backend.map(id).expect("map").iter().expect("iter") {
                    black_box(entry.expect("entry"));
                    count += 1;
                }
            }
            assert_eq!(count, prefixes[round].len() * 10);
        },
    );
    rows.push(("iterate 10".into(), outcome));

    // Last, since puts change the shape of the trees.
    let outcome = duel(args).run(
        |round| prepared[round].iter().for_each(|key| raw.put(key, &7_u64.to_be_bytes())),
        |round| {
            let mut backend = backend.borrow_mut();
            for (key, entry) in &samples[round] {
                backend.set_current_key(key).expect("set");
                backend.map(id).expect("map").put(*entry, 7).expect("put");
            }
        },
    );
    rows.push(("put".into(), outcome));
    rows
}

fn memory(args: &Args) -> keyed_state::Result<Rows> {
    let mut backend = MemoryBackend::<u64>::open(BackendOptions::new())?;
    let id = load(&mut backend, args.keys)?;
    let mut bare: HashMap<u64, BTreeMap<u64, u64>> = HashMap::new();
    for key in 0..args.keys {
        bare.entry(key).or_default().extend((0..ENTRIES).map(|entry| (entry, key ^ entry)));
    }
    let samples: Vec<_> = (0..=args.rounds).map(|round| sample(args, round)).collect();
    let mut rows = Rows::new();

    let outcome = duel(args).run(
        |round| {
            for (key, entry) in &samples[round] {
                assert!(black_box(bare.get(key).and_then(|map| map.get(entry)).copied()).is_some());
            }
        },
        |round| {
            for (key, entry) in &samples[round] {
                backend.set_current_key(key).expect("set");
                assert!(
                    black_box(backend.map(&id).expect("map").get(entry).expect("get")).is_some()
                );
            }
        },
    );
    rows.push(("get".into(), outcome));

    let outcome = duel(args).run(
        |round| {
            for (key, entry) in &samples[round] {
                assert!(black_box(bare.get(key).is_some_and(|map| map.contains_key(entry))));
            }
        },
        |round| {
            for (key, entry) in &samples[round] {
                backend.set_current_key(key).expect("set");
                assert!(backend.map(&id).expect("map").contains(entry).expect("contains"));
            }
        },
    );
    rows.push(("contains".into(), outcome));

    let outcome = duel(args).run(
        |round| {
            for (key, _) in &samples[round] {
                for entry in bare.get(key).into_iter().flatten() {
                    black_box((*entry.0, *entry.1));
                }
            }
        },
        |round| {
            for (key, _) in &samples[round] {
                backend.set_current_key(key).expect("set");
                for entry in backend.map(&id).expect("map").iter().expect("iter") {
                    black_box(entry.expect("entry"));
                }
            }
        },
    );
    rows.push(("iterate 10".into(), outcome));

    let outcome = duel(args).run(
        |round| {
            for (key, entry) in &samples[round] {
                bare.entry(*key).or_default().insert(*entry, 7);
            }
        },
        |round| {
            for (key, entry) in &samples[round] {
                backend.set_current_key(key).expect("set");
                backend.map(&id).expect("map").put(*entry, 7).expect("put");
            }
        },
    );
    rows.push(("put".into(), outcome));
    Ok(rows)
}

mod fjall_engine {
    use std::array;

    use keyed_state::fjall::{FjallConfig, FjallEngine};

    use super::{
        Args, BackendOptions, EngineBackend, KeyedStateBackend, Raw, Rows, TABLE, black_box,
        decode, engine, load, tempdir,
    };

    struct RawFjall(fjall::Keyspace);

    impl Raw for RawFjall {
        fn get(&self, key: &[u8]) -> bool {
            self.0.get(key).expect("get").map(|value| black_box(decode(&value))).is_some()
        }

        fn contains(&self, key: &[u8]) -> bool {
            self.0.get(key).expect("get").is_some()
        }

        fn put(&self, key: &[u8], value: &[u8]) {
            // As many bytes as the adapter writes: a stamp of one byte comes first.
            let value: [u8; 9] = array::from_fn(|byte| if byte == 0 { 0 } else { value[byte - 1] });
            self.0.insert(key, value).expect("put");
        }

        fn iterate(&self, start: &[u8], end: &[u8]) -> usize {
            self.0
                .range(start..end)
                .map(|entry| {
                    let (key, value) = entry.into_inner().expect("entry");
                    black_box((decode(&key[key.len() - 8..]), decode(&value)));
                })
                .count()
        }
    }

    pub(super) fn run(args: &Args) -> keyed_state::Result<Rows> {
        let open = |dir| FjallEngine::open(dir, &FjallConfig::new().cache_bytes(512 << 20));
        let (typed_dir, raw_dir) = (tempdir().expect("dir"), tempdir().expect("dir"));
        let mut typed = EngineBackend::open(open(typed_dir.path())?, BackendOptions::new())?;
        let id = load(&mut typed, args.keys)?;
        typed.compact()?;
        let mut other = EngineBackend::open(open(raw_dir.path())?, BackendOptions::new())?;
        load(&mut other, args.keys)?;
        other.compact()?;
        let keyspace = other.engine().database().keyspace(TABLE, || unreachable!("it is loaded"));
        Ok(engine(args, &mut typed, &id, &RawFjall(keyspace.expect("open"))))
    }
}

/// Decodes a number that may stand behind what an engine's adapter puts before values.
fn decode(bytes: &[u8]) -> u64 {
    u64::from_be_bytes(*bytes.last_chunk().expect("eight bytes"))
}

#[cfg(feature = "rocksdb")]
mod rocksdb_engine {
    use std::sync::Arc;

    use keyed_state::rocksdb::{RocksConfig, RocksEngine};
    use rocksdb::{BoundColumnFamily, DBWithThreadMode, MultiThreaded, ReadOptions, WriteOptions};

    use super::{
        Args, BackendOptions, EngineBackend, KeyedStateBackend, Raw, Rows, TABLE, black_box,
        decode, engine, load, tempdir,
    };

    type DB = DBWithThreadMode<MultiThreaded>;

    struct RawRocks<'a> {
        db: &'a DB,
        family: Arc<BoundColumnFamily<'a>>,
        write: WriteOptions,
    }

    impl<'a> RawRocks<'a> {
        fn new(db: &'a DB) -> Self {
            let mut write = WriteOptions::default();
            write.disable_wal(true);
            let family = db.cf_handle(TABLE).expect("the backend made it");
            Self { db, family, write }
        }
    }

    impl Raw for RawRocks<'_> {
        fn get(&self, key: &[u8]) -> bool {
            let value = self.db.get_pinned_cf(&self.family, key).expect("get");
            value.map(|value| black_box(decode(&value))).is_some()
        }

        fn contains(&self, key: &[u8]) -> bool {
            self.db.get_pinned_cf(&self.family, key).expect("get").is_some()
        }

        fn put(&self, key: &[u8], value: &[u8]) {
            self.db.put_cf_opt(&self.family, key, value, &self.write).expect("put");
        }

        fn iterate(&self, start: &[u8], end: &[u8]) -> usize {
            let mut options = ReadOptions::default();
            options.set_iterate_lower_bound(start);
            options.set_iterate_upper_bound(end);
            let mut cursor = self.db.raw_iterator_cf_opt(&self.family, options);
            cursor.seek(start);
            let mut count = 0;
            while let Some((key, value)) = cursor.item() {
                black_box((decode(&key[key.len() - 8..]), decode(value)));
                count += 1;
                cursor.next();
            }
            cursor.status().expect("status");
            count
        }
    }

    pub(super) fn run(args: &Args) -> keyed_state::Result<Rows> {
        let open = |dir| RocksEngine::open(dir, &RocksConfig::new().memory_budget_bytes(512 << 20));
        let (typed_dir, raw_dir) = (tempdir().expect("dir"), tempdir().expect("dir"));
        let mut typed = EngineBackend::open(open(typed_dir.path())?, BackendOptions::new())?;
        let id = load(&mut typed, args.keys)?;
        typed.compact()?;
        let mut other = EngineBackend::open(open(raw_dir.path())?, BackendOptions::new())?;
        load(&mut other, args.keys)?;
        other.compact()?;
        Ok(engine(args, &mut typed, &id, &RawRocks::new(other.engine().database())))
    }
}
