//! A process that is killed while it clears and compacts: what it leaves is refused, or is what was closed last. Nothing that was
//! cleared comes back.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::{
    collections::BTreeMap,
    env,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Command, Stdio},
};

use fastrand::Rng;
use keyed_state_conformance::EngineFixture;
use keyed_state_core::{
    BackendOptions, Engine, EngineBackend, ErrorKind, KeyedStateBackend, KeyedStateBackendExt,
    MapDescriptor, MapId, MapState, Result,
};
use tempfile::tempdir;

const DIR: &str = "KEYED_STATE_CRASH_DIR";
const ENGINE: &str = "KEYED_STATE_CRASH_ENGINE";
const SEED: &str = "KEYED_STATE_CRASH_SEED";

const KEYS: u64 = 30;
const SESSIONS: u64 = 6;
const STEPS_A_SESSION: usize = 120;

/// What each key's map holds.
type Model = BTreeMap<u64, BTreeMap<u64, u64>>;

enum Step {
    Put { key: u64, first: u64, entries: u64, value: u64 },
    Clear { key: u64 },
    Flush,
    Compact,
}

/// The steps of one session, the same whenever it is asked for.
fn steps(seed: u64, session: u64) -> Vec<Step> {
    let mut rng = Rng::with_seed(seed << 8 | session);
    let step = |_| {
        let key = rng.u64(..KEYS);
        match rng.u32(..40) {
            0 => Step::Compact,
            1..=2 => Step::Flush,
            3..=18 => Step::Clear { key },
            _ => {
                Step::Put { key, first: rng.u64(..8), entries: rng.u64(1..30), value: rng.u64(..) }
            }
        }
    };
    (0..STEPS_A_SESSION).map(step).collect()
}

/// What is left after so many whole sessions.
fn model(seed: u64, sessions: u64) -> Model {
    let mut model = Model::new();
    for step in (0..sessions).flat_map(|session| steps(seed, session)) {
        match step {
            Step::Put { key, first, entries, value } => {
                let map = model.entry(key).or_default();
                map.extend((first..first + entries).map(|entry| (entry, value)));
            }
            Step::Clear { key } => drop(model.remove(&key)),
            Step::Flush | Step::Compact => {}
        }
    }
    model
}

type Opened<E> = (EngineBackend<u64, E>, MapId<u64, u64>);

fn open<F: EngineFixture>(fixture: &F, dir: &Path) -> Result<Opened<F::Engine>> {
    let mut backend = EngineBackend::open(fixture.open(dir)?, BackendOptions::new())?;
    let id = backend.register_map(&MapDescriptor::new("map"))?;
    Ok((backend, id))
}

fn say(what: &str) {
    let mut out = std::io::stdout();
    writeln!(out, "{what}").unwrap();
    out.flush().unwrap();
}

/// Opens, works and closes, again and again, and tells how far it is.
fn work<F: EngineFixture>(fixture: &F, dir: &Path, seed: u64) {
    for session in 0..SESSIONS {
        let (mut backend, id) = open(fixture, dir).unwrap();
        say("step");
        for (number, step) in steps(seed, session).into_iter().enumerate() {
            match step {
                Step::Put { key, first, entries, value } => {
                    backend.set_current_key(&key).unwrap();
                    let new = (first..first + entries).map(|entry| (entry, value));
                    backend.map(&id).unwrap().put_all(new).unwrap();
                }
                Step::Clear { key } => {
                    backend.set_current_key(&key).unwrap();
                    backend.map(&id).unwrap().clear().unwrap();
                }
                Step::Flush => backend.flush().unwrap(),
                Step::Compact => backend.compact().unwrap(),
            }
            if number % 4 == 0 {
                say("step");
            }
        }
        backend.close().unwrap();
        say("closed");
        // Until the parent has made up its mind.
        std::io::stdin().read_line(&mut String::new()).unwrap();
    }
}

/// The process that is killed. Does nothing in a run of the tests.
#[test]
fn child() {
    let Ok(dir) = env::var(DIR) else { return };
    let seed = env::var(SEED).unwrap().parse().unwrap();
    match env::var(ENGINE).unwrap().as_str() {
        "fjall" => work(&keyed_state_tests::Fjall, dir.as_ref(), seed),
        #[cfg(feature = "rocksdb")]
        "rocksdb" => work(&keyed_state_tests::Rocks, dir.as_ref(), seed),
        other => panic!("unknown engine {other}"),
    }
}

/// Starts the child and kills it after `lines` of its lines, or at the end of a session if it was to be then. Returns how many sessions
/// it closed.
fn kill_after(engine: &str, dir: &Path, seed: u64, mut lines: u32, between: bool) -> u64 {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture", "--test-threads=1"])
        .env(DIR, dir)
        .env(ENGINE, engine)
        .env(SEED, seed.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut go = child.stdin.take().unwrap();
    let mut closed = 0;
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in said.by_ref() {
        let line = line.unwrap();
        if !["step", "closed"].iter().any(|said| line.ends_with(said)) {
            continue;
        }
        lines = lines.saturating_sub(1);
        if line.ends_with("closed") {
            closed += 1;
            if lines == 0 && between {
                break;
            }
            go.write_all(b"go\n").unwrap();
        } else if lines == 0 && !between {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // It went on until the kill reached it.
    closed + said.filter(|line| line.as_ref().unwrap().ends_with("closed")).count() as u64
}

fn crashes<F: EngineFixture>(fixture: &F, engine: &str) {
    let mut rng = Rng::with_seed(7);
    let (mut refused, mut opened) = (0, 0);
    for seed in 0..16 {
        let dir = tempdir().unwrap();
        let (lines, between) = (rng.u32(1..150), seed % 4 == 0);
        let closed = kill_after(engine, dir.path(), seed, lines, between);
        match open(fixture, dir.path()) {
            Ok((mut backend, id)) => {
                opened += 1;
                let mut found = Model::new();
                let keys: Vec<u64> = backend.keys(&id, &()).unwrap().collect();
                for key in keys {
                    backend.set_current_key(&key).unwrap();
                    let map = backend.map(&id).unwrap();
                    found.insert(key, map.iter().unwrap().collect::<Result<_>>().unwrap());
                }
                // Or of one session more, which it closed but had no time to tell of.
                let expected = [closed, closed + 1].map(|sessions| model(seed, sessions));
                let expected = expected.iter().find(|model| **model == found);
                let expected = expected.unwrap_or_else(|| {
                    panic!("seed {seed}, killed after {closed} sessions: {found:?}")
                });
                for key in 0..KEYS {
                    backend.set_current_key(&key).unwrap();
                    let empty = backend.map(&id).unwrap().is_empty().unwrap();
                    assert_eq!(empty, !expected.contains_key(&key), "seed {seed}, key {key}");
                }
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::NotCleanlyClosed, "seed {seed}: {error:?}");
                refused += 1;
            }
        }
    }
    assert!(refused >= 2 && opened >= 3, "{refused} refused, {opened} opened");
}

#[test]
fn what_a_killed_process_leaves_in_fjall_is_refused_or_what_was_closed() {
    assert!(
        keyed_state_tests::Fjall.open(tempdir().unwrap().path()).unwrap().capabilities().durable
    );
    crashes(&keyed_state_tests::Fjall, "fjall");
}

#[cfg(feature = "rocksdb")]
#[test]
fn what_a_killed_process_leaves_in_rocksdb_is_refused_or_what_was_closed() {
    crashes(&keyed_state_tests::Rocks, "rocksdb");
}
