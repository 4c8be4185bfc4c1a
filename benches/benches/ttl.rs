//! What time to live costs beside the same operation on a state without it.
//!
//! `cargo bench -p keyed-state-benches --features rocksdb --bench ttl`

use std::{cell::RefCell, hint::black_box, path::Path, time::Duration};

use clap::Parser;
use fastrand::Rng;
use keyed_state::{
    AnyBackend, BackendOptions, KeyedStateBackend, KeyedStateBackendExt, ListDescriptor,
    MapDescriptor, MapId, MapState, Result, Ttl, ValueDescriptor, ValueState,
};
use keyed_state_benches::{Duel, Outcome, table};
use tempfile::tempdir;

const ENTRIES: u64 = 10;

/// A state with TTL against one without.
#[derive(Parser)]
struct Args {
    /// Number of keys; each has a map of ten entries.
    #[arg(long, default_value_t = 200_000)]
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

type Rows = Vec<(&'static str, Outcome)>;

fn main() -> Result<()> {
    let args = Args::parse();
    println!("{} keys, {ENTRIES} entries each; ratio = with TTL / without", args.keys);
    for engine in &args.engines {
        let known = keyed_state::schemes().iter().find(|(scheme, _)| scheme == engine);
        match known {
            Some((_, true)) => {}
            Some((_, false)) => {
                println!("\n{engine}: skipped, its feature is off");
                continue;
            }
            None => panic!("unknown engine {engine:?}; known are {:?}", keyed_state::schemes()),
        }
        let rows = run(&args, engine)?.into_iter().map(|(name, outcome)| {
            vec![
                name.to_owned(),
                format!("{:.0}", outcome.baseline_ns),
                format!("{:.0}", outcome.contender_ns),
                format!("{:.3}", outcome.ratio),
                format!("{:.2}–{:.2}", outcome.spread.0, outcome.spread.1),
            ]
        });
        println!(
            "\n{engine}\n{}",
            table(&["operation", "without ns", "with ns", "ratio", "spread"], rows)
        );
    }
    Ok(())
}

fn open(engine: &str, dir: &Path) -> Result<AnyBackend<u64>> {
    // Memory that all of it fits into: what is measured is not the disk.
    let url = match engine {
        "fjall" => format!("fjall:{}?cache_bytes=512MiB", dir.display()),
        "rocksdb" => format!("rocksdb:{}?memory_budget_bytes=512MiB", dir.display()),
        other => format!("{other}:"),
    };
    keyed_state::open(&url, BackendOptions::new())
}

/// One contender: a backend with a map state, a value state and a list state.
struct Contender {
    backend: AnyBackend<u64>,
    map: MapId<u64, u64>,
    value: keyed_state::ValueId<u64>,
    list: keyed_state::ListId<u64>,
}

impl Contender {
    fn load(mut backend: AnyBackend<u64>, keys: u64, ttl: Option<Ttl>) -> Result<Self> {
        let (mut map, mut value, mut list) =
            (MapDescriptor::new("map"), ValueDescriptor::new("value"), ListDescriptor::new("list"));
        if let Some(ttl) = ttl {
            (map, value, list) = (map.ttl(ttl), value.ttl(ttl), list.ttl(ttl));
        }
        let map = backend.register_map(&map)?;
        let value = backend.register_value(&value)?;
        let list = backend.register_list(&list)?;
        for key in 0..keys {
            backend.set_current_key(&key)?;
            backend.map(&map)?.put_all((0..ENTRIES).map(|entry| (entry, key ^ entry)))?;
            backend.value(&value)?.set(key)?;
        }
        if backend.capabilities().compact {
            backend.compact()?;
        }
        Ok(Self { backend, map, value, list })
    }

    fn get(&mut self, key: u64, entry: u64) -> Result<()> {
        self.backend.set_current_key(&key)?;
        assert!(black_box(self.backend.map(&self.map)?.get(&entry)?).is_some());
        Ok(())
    }

    fn contains(&mut self, key: u64, entry: u64) -> Result<()> {
        self.backend.set_current_key(&key)?;
        assert!(self.backend.map(&self.map)?.contains(&entry)?);
        Ok(())
    }

    fn is_empty(&mut self, key: u64, _: u64) -> Result<()> {
        self.backend.set_current_key(&key)?;
        assert!(!self.backend.map(&self.map)?.is_empty()?);
        Ok(())
    }

    fn iterate(&mut self, key: u64, _: u64) -> Result<()> {
        self.backend.set_current_key(&key)?;
        for entry in self.backend.map(&self.map)?.iter()? {
            black_box(entry?);
        }
        Ok(())
    }

    fn put(&mut self, key: u64, entry: u64) -> Result<()> {
        self.backend.set_current_key(&key)?;
        self.backend.map(&self.map)?.put(entry, 7)
    }

    fn value(&mut self, key: u64, _: u64) -> Result<()> {
        self.backend.set_current_key(&key)?;
        assert!(black_box(self.backend.value(&self.value)?.get()?).is_some());
        Ok(())
    }

    fn set(&mut self, key: u64, _: u64) -> Result<()> {
        self.backend.set_current_key(&key)?;
        self.backend.value(&self.value)?.set(7)
    }

    fn add(&mut self, key: u64, entry: u64) -> Result<()> {
        self.backend.set_current_key(&key)?;
        self.backend.list(&self.list)?.add(entry)
    }
}

type Operation = fn(&mut Contender, u64, u64) -> Result<()>;

const OPERATIONS: [(&str, Operation); 8] = [
    ("map get", Contender::get),
    ("map contains", Contender::contains),
    ("map is_empty", Contender::is_empty),
    ("map iterate 10", Contender::iterate),
    ("value get", Contender::value),
    ("map put", Contender::put),
    ("value set", Contender::set),
    ("list add", Contender::add),
];

fn run(args: &Args, engine: &str) -> Result<Rows> {
    let dirs = (tempdir(), tempdir());
    let (without, with) = (dirs.0.expect("a directory"), dirs.1.expect("a directory"));
    let ttl = Ttl::new(Duration::from_hours(24));
    let without = RefCell::new(Contender::load(open(engine, without.path())?, args.keys, None)?);
    let with = RefCell::new(Contender::load(open(engine, with.path())?, args.keys, Some(ttl))?);
    let mut rows = Rows::new();
    for (name, operation) in OPERATIONS {
        let block = |contender: &RefCell<Contender>, round: usize| {
            let mut contender = contender.borrow_mut();
            let mut rng = Rng::with_seed(round as u64);
            for _ in 0..args.operations {
                let (key, entry) = (rng.u64(..args.keys), rng.u64(..ENTRIES));
                operation(&mut contender, key, entry).expect(name);
            }
        };
        let duel = Duel { rounds: args.rounds, operations: args.operations };
        let outcome = duel.run(|round| block(&without, round), |round| block(&with, round));
        rows.push((name, outcome));
    }
    Ok(rows)
}
