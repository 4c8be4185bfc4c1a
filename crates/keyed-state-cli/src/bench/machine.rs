use std::{env::consts, fs, thread};

use jiff::Timestamp;
use serde::Serialize;

/// What a run was measured on. What the system does not tell is absent.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Machine {
    /// When the run began, in UTC.
    pub started: String,
    /// Processors that this process may use.
    pub cores: Option<usize>,
    /// The processor's name.
    pub processor: Option<String>,
    /// Architecture and operating system.
    pub system: String,
    /// The kernel's release.
    pub kernel: Option<String>,
    /// Processes that ran or waited to, on average of the minute before the run.
    pub load_before: Option<f64>,
    /// The same at the end of the run, which is part of it.
    pub load_after: Option<f64>,
    /// Version of keyed-state.
    pub version: &'static str,
    /// Version of fjall.
    pub fjall: Option<&'static str>,
    /// Version of the RocksDB binding, and after the `+` of RocksDB, if it is built in.
    pub rocksdb: Option<&'static str>,
    /// The compiler.
    pub rustc: &'static str,
    /// Whether the compiler optimised; if not, no figure means anything.
    pub optimized: bool,
}

impl Machine {
    pub(crate) fn look() -> Self {
        Self {
            started: Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
            cores: thread::available_parallelism().ok().map(usize::from),
            processor: processor(),
            system: format!("{} {}", consts::ARCH, consts::OS),
            kernel: line_of("/proc/sys/kernel/osrelease"),
            load_before: load(),
            load_after: None,
            version: env!("CARGO_PKG_VERSION"),
            fjall: option_env!("FJALL_VERSION"),
            rocksdb: option_env!("ROCKSDB_VERSION").filter(|_| cfg!(feature = "rocksdb")),
            rustc: env!("RUSTC_VERSION"),
            optimized: !cfg!(debug_assertions),
        }
    }

    /// Notes the load at the end.
    pub(crate) fn look_again(&mut self) {
        self.load_after = load();
    }
}

// Outside Linux these files are missing, and the facts with them.

fn line_of(path: &str) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.lines().next()?.trim().to_owned())
}

fn load() -> Option<f64> {
    line_of("/proc/loadavg")?.split(' ').next()?.parse().ok()
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
