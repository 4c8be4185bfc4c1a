use std::{
    hint::black_box,
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Parser;
use fastrand::Rng;
use keyed_state::{
    BackendOptions, ClearStrategy, EngineBackend, KeyedStateBackend, KeyedStateBackendExt,
    MapDescriptor, MapId, MapState, Result,
    rocksdb::{RocksConfig, RocksEngine},
};
use keyed_state_benches::{
    median,
    plot::{self, Line},
    table,
};
use tempfile::TempDir;

/// Clear strategies on RocksDB.
#[derive(Parser)]
struct Args {
    /// Entries in all maps together, for the clears of full maps.
    #[arg(long, default_value_t = 1_000_000)]
    entries: u64,
    /// Maps of ten entries, for the reads after clears.
    #[arg(long, default_value_t = 200_000)]
    maps: u64,
    /// Seconds that the window loop runs with each strategy.
    #[arg(long, default_value_t = 8)]
    seconds: u64,
    /// Where to draw the window loop.
    #[arg(long)]
    svg: Option<PathBuf>,
    /// Passed by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A strategy, and how many range deletions a memtable may hold before it is flushed (0: any number).
#[derive(Clone, Copy)]
struct Contender {
    name: &'static str,
    strategy: ClearStrategy,
    cap: u32,
}

const POINT_DELETES: Contender =
    Contender { name: "point deletes", strategy: ClearStrategy::PointDeletes, cap: 0 };
const RANGE_DELETE: Contender =
    Contender { name: "range delete", strategy: ClearStrategy::RangeDelete, cap: 0 };
const CAPPED: Contender =
    Contender { name: "range delete, capped", strategy: ClearStrategy::RangeDelete, cap: 1000 };
const ADAPTIVE: Contender = Contender {
    name: "adaptive",
    strategy: ClearStrategy::Adaptive { threshold: ClearStrategy::DEFAULT_THRESHOLD },
    cap: 1000,
};
const GENERATION: Contender =
    Contender { name: "generation", strategy: ClearStrategy::Generation, cap: 1000 };
const ALL: [Contender; 5] = [POINT_DELETES, RANGE_DELETE, CAPPED, ADAPTIVE, GENERATION];

struct Store {
    backend: EngineBackend<u64, RocksEngine>,
    id: MapId<u64, u64>,
    // Last, so that the engine is gone before its directory.
    _dir: TempDir,
}

impl Store {
    fn open(contender: Contender) -> Result<Self> {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let mut config = RocksConfig::new().memory_budget_bytes(512 << 20);
        config.set("memtable_max_range_deletions", &contender.cap.to_string())?;
        let options = BackendOptions::new().clear_strategy(contender.strategy);
        let mut backend = EngineBackend::open(RocksEngine::open(dir.path(), &config)?, options)?;
        let id = backend.register_map(&MapDescriptor::new("bench"))?;
        Ok(Self { backend, id, _dir: dir })
    }

    fn fill(&mut self, maps: std::ops::Range<u64>, entries: u64) -> Result<()> {
        for key in maps {
            self.backend.set_current_key(&key)?;
            self.backend.map(&self.id)?.put_all((0..entries).map(|entry| (entry, key)))?;
        }
        Ok(())
    }

    fn clear(&mut self, key: u64) -> Result<()> {
        self.backend.set_current_key(&key)?;
        self.backend.map(&self.id)?.clear()
    }

    fn get(&mut self, key: u64, entry: u64) -> Result<Option<u64>> {
        self.backend.set_current_key(&key)?;
        self.backend.map(&self.id)?.get(&entry)
    }

    fn iterate(&mut self, key: u64) -> Result<usize> {
        self.backend.set_current_key(&key)?;
        let mut count = 0;
        for entry in self.backend.map(&self.id)?.iter()? {
            black_box(entry?);
            count += 1;
        }
        Ok(count)
    }
}

pub(super) fn main() {
    let args = Args::parse();
    let outcome = clears(&args)
        .and_then(|()| first_read(&args))
        .and_then(|()| reads(&args))
        .and_then(|()| window_loop(&args));
    if let Err(error) = outcome {
        eprintln!(
            "error: {error}: {:?}",
            std::error::Error::source(&error).map(ToString::to_string)
        );
        std::process::exit(1);
    }
}

fn header(first: &[&'static str]) -> Vec<&'static str> {
    let mut header = first.to_vec();
    header.extend(ALL.map(|contender| contender.name));
    header
}

/// Microseconds a clear of full maps, contenders in turn; three rounds, each on maps of its own.
fn clears(args: &Args) -> Result<()> {
    let mut rows = Vec::new();
    for entries in [1, 10, 100, 1_000, 10_000] {
        let maps = (args.entries / entries).clamp(10, 100_000) / 3;
        let mut stores = ALL.map(Store::open).into_iter().collect::<Result<Vec<_>>>()?;
        let mut micros = vec![Vec::new(); ALL.len()];
        for round in 0..3 {
            let keys = round * maps..(round + 1) * maps;
            for (store, micros) in stores.iter_mut().zip(&mut micros) {
                store.fill(keys.clone(), entries)?;
                let start = Instant::now();
                for key in keys.clone() {
                    store.clear(key)?;
                }
                #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
                micros.push(start.elapsed().as_secs_f64() * 1e6 / maps as f64);
            }
        }
        let medians: Vec<f64> = micros.iter_mut().map(|micros| median(micros)).collect();
        let cells = medians.iter().map(|us| format!("{us:.2} ({:.2} ×)", medians[0] / us));
        rows.push(std::iter::once(entries.to_string()).chain(cells).collect());
    }
    println!("\nclear of full maps: µs a clear (times faster than point deletes)");
    println!("{}", table(&header(&["entries"]), rows));
    Ok(())
}

/// One `get` elsewhere right after so many clears of ten-entry maps: the worst of five, each after one
/// more clear.
fn first_read(args: &Args) -> Result<()> {
    let mut stores = ALL.map(Store::open).into_iter().collect::<Result<Vec<_>>>()?;
    for store in &mut stores {
        store.fill(0..args.maps + 1_000, 10)?;
    }
    let (mut rows, mut cleared) = (Vec::new(), 0);
    for outstanding in [64, 1_000, 10_000, 50_000, args.maps] {
        let mut row = vec![outstanding.to_string()];
        for store in &mut stores {
            for key in cleared..outstanding - 5 {
                store.clear(key)?;
            }
            let mut micros = Vec::new();
            for key in outstanding - 5..outstanding {
                store.clear(key)?;
                let start = Instant::now();
                assert!(black_box(store.get(args.maps + key % 1_000, 3)?).is_some());
                micros.push(start.elapsed().as_secs_f64() * 1e6);
            }
            row.push(format!("{:.1}", median(&mut micros)));
        }
        cleared = outstanding;
        rows.push(row);
    }
    println!(
        "\none get elsewhere right after a clear, that many clears outstanding: median µs of 5"
    );
    println!("{}", table(&header(&["clears"]), rows));
    Ok(())
}

/// Nanoseconds a `get` and an iteration of live maps after a share of the maps was cleared.
fn reads(args: &Args) -> Result<()> {
    for flushed in [false, true] {
        let mut rows = Vec::new();
        let mut none: Vec<(f64, f64)> = Vec::new();
        for percent in [0, 1, 10, 50] {
            let mut row = vec![format!("{percent} %")];
            for (index, contender) in ALL.into_iter().enumerate() {
                let mut store = Store::open(contender)?;
                store.fill(0..args.maps, 10)?;
                store.backend.flush()?;
                // Spread over the key space; the others stay alive.
                let is_cleared = |key: u64| match percent {
                    0 => false,
                    1 => key % 100 == 7,
                    10 => key % 10 == 7,
                    _ => key % 2 == 1,
                };
                for key in (0..args.maps).filter(|key| is_cleared(*key)) {
                    store.clear(key)?;
                }
                if flushed {
                    store.backend.flush()?;
                }
                let mut rng = Rng::with_seed(percent);
                let mut live = || loop {
                    let key = rng.u64(..args.maps);
                    if !is_cleared(key) {
                        break key;
                    }
                };
                let (mut gets, mut iterations) = (Vec::new(), Vec::new());
                for _ in 0..5 {
                    let keys: Vec<u64> = (0..4_000).map(|_| live()).collect();
                    let start = Instant::now();
                    for key in &keys {
                        assert!(black_box(store.get(*key, key % 10)?).is_some());
                    }
                    gets.push(start.elapsed().as_secs_f64() * 1e9 / 4_000.0);
                    let start = Instant::now();
                    for key in &keys[..1_000] {
                        assert_eq!(store.iterate(*key)?, 10);
                    }
                    iterations.push(start.elapsed().as_secs_f64() * 1e9 / 1_000.0);
                }
                let (get, iterate) = (median(&mut gets), median(&mut iterations));
                if percent == 0 {
                    none.push((get, iterate));
                }
                let (get_before, iterate_before) = none[index];
                row.push(format!(
                    "{get:.0} / {iterate:.0} ({:.2} / {:.2} ×)",
                    get_before / get,
                    iterate_before / iterate
                ));
            }
            rows.push(row);
        }
        let state = if flushed { "clears flushed" } else { "clears in the memtable" };
        println!(
            "\nreads of live maps, {state}: ns a get / an iteration of 10 (speed relative to none cleared)"
        );
        println!("{}", table(&header(&["cleared"]), rows));
    }
    Ok(())
}

/// A window operator's life: fill a fresh map, read elsewhere, iterate, clear; loops by the second.
fn window_loop(args: &Args) -> Result<()> {
    const LIVE: u64 = 20_000;
    let mut lines = Vec::new();
    let mut pauses = Vec::new();
    for contender in ALL {
        let mut store = Store::open(contender)?;
        store.fill(0..LIVE, 10)?;
        let (mut rng, mut key) = (Rng::with_seed(1), LIVE);
        let (mut points, mut longest) = (Vec::new(), Duration::ZERO);
        let start = Instant::now();
        for second in 1..=args.seconds {
            let (mut loops, begun) = (0_u32, Instant::now());
            while start.elapsed() < Duration::from_secs(second) {
                let before = Instant::now();
                key += 1;
                store.fill(key..key + 1, 10)?;
                for _ in 0..10 {
                    black_box(store.get(rng.u64(..LIVE), 3)?);
                }
                assert_eq!(store.iterate(key)?, 10);
                store.clear(key)?;
                loops += 1;
                longest = longest.max(before.elapsed());
            }
            #[expect(clippy::cast_precision_loss, reason = "seconds")]
            points.push((second as f64, f64::from(loops) / begun.elapsed().as_secs_f64() / 1e3));
        }
        lines.push(Line { name: contender.name.to_owned(), points });
        pauses.push(longest);
    }
    let mut rows: Vec<Vec<String>> = (0..lines[0].points.len())
        .map(|second| {
            let cells = lines.iter().map(|line| format!("{:.1}", line.points[second].1));
            std::iter::once(format!("second {}", second + 1)).chain(cells).collect()
        })
        .collect();
    let pauses = pauses.iter().map(|pause| format!("{:.1} ms", pause.as_secs_f64() * 1e3));
    rows.push(std::iter::once("longest loop".to_owned()).chain(pauses).collect());
    println!("\nwindow loop (put 10, get 10 elsewhere, iterate, clear): thousand loops a second");
    println!("{}", table(&header(&[""]), rows));
    if let Some(path) = &args.svg {
        let title = "Window loop on RocksDB: put 10, get 10 elsewhere, iterate, clear";
        match plot::lines(path, title, ("seconds", "thousand loops a second"), &lines) {
            Ok(()) => println!("drawn: {}", path.display()),
            Err(error) => eprintln!("error: cannot draw {}: {error}", path.display()),
        }
    }
    Ok(())
}
