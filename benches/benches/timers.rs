//! What registering and firing timers costs beside a bare `BTreeSet` that does the same.
//!
//! `cargo bench -p keyed-state-benches --features rocksdb --bench timers -- --timers 10000000`

use std::{collections::BTreeSet, hint::black_box, time::Duration};

use clap::{Parser, ValueEnum};
use fastrand::Rng;
use keyed_state::{
    BackendOptions, EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MemoryBackend,
    fjall::{FjallConfig, FjallEngine},
};
use keyed_state_benches::{median, table, timed};
use tempfile::tempdir;

/// Steps in which the time advances while timers fire.
const STEPS: i64 = 1000;

/// Timers against a bare set.
#[derive(Parser)]
struct Args {
    /// Number of timers.
    #[arg(long, default_value_t = 1_000_000)]
    timers: usize,
    /// Number of keys that they belong to.
    #[arg(long, default_value_t = 100_000)]
    keys: u64,
    /// In which order of their times they are registered.
    #[arg(long, value_enum, default_value_t = Order::Random)]
    order: Order,
    /// How often all are registered and fired; figures are medians.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Memory budgets in MiB.
    #[arg(long, value_delimiter = ',', default_values_t = [8, 4096])]
    budgets: Vec<usize>,
    /// Only these engines.
    #[arg(long, value_delimiter = ',', default_values = ["memory", "fjall", "rocksdb"])]
    engines: Vec<String>,
    /// Passed by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    /// Any.
    Random,
    /// Ascending but for the last hundredth of the whole span, as with windows that end soon.
    Ascending,
}

/// Time, key, namespace.
type Row = (i64, u64, u64);

#[derive(Clone, Copy)]
struct Run {
    register: Duration,
    fire: Duration,
    /// What the timers took in memory when all were registered, as they account it.
    memory_bytes: usize,
}

fn main() -> keyed_state::Result<()> {
    let args = Args::parse();
    let rows = sample(&args);
    let mut contenders = vec![("BTreeSet".to_owned(), None, Vec::new())];
    for engine in &args.engines {
        if engine == "rocksdb" && !cfg!(feature = "rocksdb") {
            println!("rocksdb: skipped, the feature `rocksdb` is off");
            continue;
        }
        let budgets = if engine == "memory" { &args.budgets[..1] } else { &args.budgets };
        for budget in budgets {
            let name = match engine.as_str() {
                "memory" => engine.clone(),
                _ => format!("{engine}, {budget} MiB"),
            };
            contenders.push((name, Some((engine.as_str(), *budget)), Vec::new()));
        }
    }
    for _ in 0..args.rounds {
        for (_, contender, runs) in &mut contenders {
            runs.push(match contender {
                None => bare(&rows),
                Some((engine, budget)) => run_engine(engine, *budget, &rows)?,
            });
        }
    }
    print(&args, &contenders);
    Ok(())
}

fn sample(args: &Args) -> Vec<Row> {
    let mut rng = Rng::with_seed(7);
    let span = i64::try_from(args.timers).expect("fits") * 10;
    let mut row = |index: usize| {
        let time = match args.order {
            Order::Random => rng.i64(..span),
            Order::Ascending => i64::try_from(index).expect("fits") * 10 + rng.i64(..span / 100),
        };
        (time, rng.u64(..args.keys), rng.u64(..16))
    };
    (0..args.timers).map(&mut row).collect()
}

fn steps(rows: &[Row]) -> impl Iterator<Item = i64> {
    let last = rows.iter().map(|row| row.0).max().unwrap_or_default();
    (1..=STEPS).map(move |step| last / STEPS * step + last % STEPS)
}

fn bare(rows: &[Row]) -> Run {
    let mut set = BTreeSet::new();
    let register = timed(|| set.extend(rows.iter().copied()));
    let fire = timed(|| {
        for now in steps(rows) {
            while set.first().is_some_and(|row| row.0 <= now) {
                black_box(set.pop_first());
            }
        }
    });
    assert!(set.is_empty());
    Run { register, fire, memory_bytes: 0 }
}

fn run_engine(engine: &str, budget_mib: usize, rows: &[Row]) -> keyed_state::Result<Run> {
    let options = BackendOptions::new().timer_memory_bytes(budget_mib << 20);
    let dir = tempdir().expect("dir");
    match engine {
        "memory" => run(MemoryBackend::open(options)?, rows),
        "fjall" => {
            let engine = FjallEngine::open(dir.path(), &FjallConfig::new())?;
            run(EngineBackend::open(engine, options)?, rows)
        }
        #[cfg(feature = "rocksdb")]
        "rocksdb" => {
            use keyed_state::rocksdb::{RocksConfig, RocksEngine};
            let engine = RocksEngine::open(dir.path(), &RocksConfig::new())?;
            run(EngineBackend::open(engine, options)?, rows)
        }
        other => panic!("unknown engine {other:?}; known are memory, fjall, rocksdb"),
    }
}

fn run<B: KeyedStateBackend<Key = u64>>(mut backend: B, rows: &[Row]) -> keyed_state::Result<Run> {
    let expected = rows.iter().collect::<BTreeSet<_>>().len();
    let register = timed(|| {
        for (time, key, namespace) in rows {
            backend.set_current_key(key).expect("set");
            backend.timers("t").expect("open").register(*time, namespace).expect("register");
        }
    });
    let memory_bytes = backend.context().timers().memory_bytes();
    let mut fired = 0;
    let fire = timed(|| {
        for now in steps(rows) {
            backend.timers::<u64>("t").expect("open").advance_to(now).expect("advance");
            while let Some(timer) =
                backend.timers::<u64>("t").expect("open").pop_due().expect("pop")
            {
                black_box(timer);
                fired += 1;
            }
        }
    });
    assert_eq!(fired, expected, "every timer fires once");
    backend.close()?;
    Ok(Run { register, fire, memory_bytes })
}

/// A name, an engine and its budget unless it is the bare set, and what was measured.
type Contender<'a> = (String, Option<(&'a str, usize)>, Vec<Run>);

fn print(args: &Args, contenders: &[Contender<'_>]) {
    let of = |runs: &[Run], part: fn(&Run) -> Duration| {
        median(&mut runs.iter().map(|run| part(run).as_secs_f64()).collect::<Vec<_>>())
    };
    let total: fn(&Run) -> Duration = |run| run.register + run.fire;
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    let timers = args.timers as f64;
    let base = of(&contenders[0].2, total);
    let rows = contenders.iter().map(|(name, _, runs)| {
        let rate = |part| format!("{:.0}", timers / of(runs, part) / 1000.0);
        vec![
            name.clone(),
            rate(|run| run.register),
            rate(|run| run.fire),
            rate(total),
            format!("{:.2}", of(runs, total) / base),
            format!("{}", runs[0].memory_bytes >> 10),
        ]
    });
    println!("{} timers of {} keys; ratio = time / time of the BTreeSet", args.timers, args.keys);
    let header = ["contender", "register/ms", "fire/ms", "both/ms", "ratio", "memory KiB"];
    println!("{}", table(&header, rows));
}
