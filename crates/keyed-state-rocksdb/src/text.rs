//! The textual form of a [`RocksConfig`]: options by name, sizes with units.

use std::{ops::RangeInclusive, str::FromStr};

use keyed_state_core::{Error, ErrorKind, Result, parse_byte_size};

use crate::{Compression, Preset, RocksConfig};

const OPTIONS: &[(&str, &str)] = &[
    (
        "preset",
        "default, hard_disk, hard_disk_high_memory or flash; name it before what changes it",
    ),
    ("memory_budget_bytes", "memory for blocks and unflushed writes of all tables, such as 256MiB"),
    ("write_buffer_percent", "share of the memory budget for unflushed writes, 10 to 90"),
    ("write_buffer_bytes", "size at which a table's unflushed writes are flushed, such as 64MiB"),
    ("block_bytes", "size of a block before compression, such as 16KiB"),
    ("bloom_bits_per_key", "size of the Bloom filters, 0 (none) to 100"),
    ("compression", "none, lz4 or zstd, for all levels but the last"),
    ("bottommost_compression", "none, lz4 or zstd, for the last level"),
    ("target_file_bytes", "size of the files that compaction writes, such as 64MiB"),
    ("level_base_bytes", "size of the first sorted level, such as 256MiB"),
    ("compaction_readahead_bytes", "how far compaction reads ahead, such as 2MiB"),
    ("background_jobs", "threads that flush and compact, 1 to 1024"),
    ("max_open_files", "files held open, at least 64, or unlimited"),
    (
        "memtable_max_range_deletions",
        "range deletions after which a table is flushed, 0 for no limit",
    ),
    ("rocksdb_options", "RocksDB's own options, as name=value;name={nested=value}"),
    ("db.NAME", "RocksDB's own database option NAME"),
    ("cf.NAME", "RocksDB's own column-family option NAME"),
];

/// RocksDB's options under which an engine would not do what it promises, with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("comparator", "keys are ordered as unsigned bytes"),
    ("inplace_update_support", "a scan sees one point in time"),
    ("best_efforts_recovery", "a damaged database is an error, never an older state"),
];

impl RocksConfig {
    /// Returns the name and a line of help of every option that [`set`](Self::set) takes.
    #[must_use]
    pub fn options() -> &'static [(&'static str, &'static str)] {
        OPTIONS
    }

    /// Sets one option from text. Sizes are in bytes, or carry a unit: `64KiB`, `256MiB`, `2GiB`.
    ///
    /// `db.NAME` and `cf.NAME` pass an option on to RocksDB as
    /// [`rocksdb_options`](Self::rocksdb_options) does, under the part of its manual in which NAME
    /// is found.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument): the message lists the known options if
    /// `key` is none of them, or says what `key` expects. The configuration then stays as it was.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let mut next = self.clone();
        match key {
            "preset" => value.parse::<Preset>()?.apply(&mut next),
            "memory_budget_bytes" => next.memory_budget_bytes = bytes(key, value)?,
            "write_buffer_percent" => next.write_buffer_percent = number(key, value)?,
            "write_buffer_bytes" => next.write_buffer_bytes = bytes(key, value)?,
            "block_bytes" => next.block_bytes = bytes(key, value)?,
            "bloom_bits_per_key" => next.bloom_bits_per_key = number(key, value)?,
            "compression" => next.compression = compression(key, value)?,
            "bottommost_compression" => next.bottommost_compression = compression(key, value)?,
            "target_file_bytes" => next.target_file_bytes = bytes(key, value)?,
            "level_base_bytes" => next.level_base_bytes = bytes(key, value)?,
            "compaction_readahead_bytes" => next.compaction_readahead_bytes = bytes(key, value)?,
            "background_jobs" => next.background_jobs = number(key, value)?,
            "max_open_files" if value == "unlimited" => next.max_open_files = None,
            "max_open_files" => next.max_open_files = Some(number(key, value)?),
            "memtable_max_range_deletions" => {
                next.memtable_max_range_deletions = number(key, value)?;
            }
            "rocksdb_options" => next = next.rocksdb_options(value)?,
            _ => match key.strip_prefix("db.").or_else(|| key.strip_prefix("cf.")) {
                Some(name) => next.add_native(name, value)?,
                None => return Err(unknown(key)),
            },
        }
        next.check()?;
        *self = next;
        Ok(())
    }
}

fn unknown(key: &str) -> Error {
    let known: Vec<_> = OPTIONS.iter().map(|(name, _)| *name).collect();
    invalid(format!("unknown option {key:?}; the options are {}", known.join(", ")))
}

/// Splits `name=value;name={nested=value;…}` at the semicolons outside braces.
pub(crate) fn assignments<'a>(key: &str, text: &'a str) -> Result<Vec<(&'a str, &'a str)>> {
    let mut depth = 0_i32;
    let mut parts = text.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ';' && depth == 0
    });
    let mut found = Vec::new();
    for part in parts.by_ref().map(str::trim).filter(|part| !part.is_empty()) {
        let Some((name, value)) = part.split_once('=') else {
            return Err(invalid(format!("{key} expects name=value;name=value, not {part:?}")));
        };
        found.push((name.trim(), value.trim()));
    }
    Ok(found)
}

/// Refuses what RocksDB would take, but an engine cannot.
pub(crate) fn check_native(name: &str, value: &str) -> Result<()> {
    // One option at a time, so that it is the one which an error names. In braces it may hold more.
    if name.contains(['=', ';']) || (value.contains(';') && !value.starts_with('{')) {
        return Err(invalid(format!(
            "RocksDB's option {name:?} expects one value, not {value:?}; \
             rocksdb_options takes several"
        )));
    }
    let refused = REFUSED.iter().find(|(refused, _)| *refused == name);
    let fifo = name.starts_with("compaction_style") && value.contains("FIFO");
    match refused.map(|(_, why)| *why).or(fifo.then_some("old data is never dropped")) {
        Some(why) => Err(invalid(format!("RocksDB's option {name}={value} cannot be used: {why}"))),
        None => Ok(()),
    }
}

pub(crate) fn check_number(key: &str, value: usize, range: RangeInclusive<usize>) -> Result<()> {
    if range.contains(&value) {
        return Ok(());
    }
    let (min, max) = (range.start(), range.end());
    let expected = if *max == isize::MAX.unsigned_abs() {
        format!("at least {min}")
    } else {
        format!("{min} to {max}")
    };
    Err(invalid(format!("option {key} expects {expected}, not {value}")))
}

fn number(key: &str, value: &str) -> Result<usize> {
    value
        .parse()
        .map_err(|_| invalid(format!("option {key} expects a whole number, not {value:?}")))
}

fn bytes(key: &str, value: &str) -> Result<usize> {
    let bytes = parse_byte_size(value);
    bytes
        .and_then(|bytes| {
            usize::try_from(bytes)
                .map_err(|_| invalid(format!("{value} is more than this machine can address")))
        })
        .map_err(|error| error.context(format_args!("option {key}")))
}

fn compression(key: &str, value: &str) -> Result<Compression> {
    match value {
        "none" => Ok(Compression::None),
        "lz4" => Ok(Compression::Lz4),
        "zstd" => Ok(Compression::Zstd),
        _ => Err(invalid(format!("option {key} expects none, lz4 or zstd, not {value:?}"))),
    }
}

impl FromStr for Preset {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == text).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            invalid(format!("option preset expects one of {known}, not {text:?}"))
        })
    }
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}
