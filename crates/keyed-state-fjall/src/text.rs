//! The textual form of a [`FjallConfig`]: options by name, sizes with units.

use std::{ops::RangeInclusive, str::FromStr};

use keyed_state_core::{Error, ErrorKind, Result, parse_byte_size};

use crate::{Compression, FjallConfig};

const OPTIONS: &[(&str, &str)] = &[
    ("cache_bytes", "block cache of all states together, such as 256MiB"),
    ("write_buffer_bytes", "unflushed writes of all states together, at least 1MiB"),
    ("journal_bytes", "size from which the oldest journal is retired, at least 64MiB"),
    ("compression", "none or lz4, for states created from now on"),
    (
        "bloom_bits_per_key",
        "size of the bloom filters of states created from now on, 0 (none) to 100",
    ),
    ("block_bytes", "size of a block of states created from now on, 1KiB to 1MiB"),
    ("worker_threads", "threads that flush and compact, 1 to 256"),
    ("max_open_files", "files held open, at least 10"),
];

impl FjallConfig {
    /// Returns the name and a line of help of every option that [`set`](Self::set) takes.
    #[must_use]
    pub fn options() -> &'static [(&'static str, &'static str)] {
        OPTIONS
    }

    /// Sets one option from text. Sizes are in bytes, or carry a unit: `64KiB`, `256MiB`, `2GiB`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument): the message lists the known options if `key` is
    /// none of them, or says what `key` expects. The configuration then stays as it was.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let mut next = self.clone();
        match key {
            "cache_bytes" => next.cache_bytes = bytes(key, value)?,
            "write_buffer_bytes" => next.write_buffer_bytes = bytes(key, value)?,
            "journal_bytes" => next.journal_bytes = bytes(key, value)?,
            "compression" => next.compression = compression(key, value)?,
            "bloom_bits_per_key" => next.bloom_bits_per_key = number(key, value)?,
            "block_bytes" => next.block_bytes = bytes(key, value)?,
            "worker_threads" => next.worker_threads = number(key, value)?,
            "max_open_files" => next.max_open_files = number(key, value)?,
            _ => return Err(unknown(key)),
        }
        next.check()?;
        *self = next;
        Ok(())
    }
}

pub(crate) fn check_number(key: &str, value: u64, range: &RangeInclusive<u64>) -> Result<()> {
    if range.contains(&value) {
        return Ok(());
    }
    let (least, most) = (range.start(), range.end());
    let expected = match *most {
        u64::MAX => format!("at least {least}"),
        most => format!("{least} to {most}"),
    };
    Err(invalid(format!("option {key} expects {expected}, not {value}")))
}

fn unknown(key: &str) -> Error {
    let known: Vec<_> = OPTIONS.iter().map(|(name, _)| *name).collect();
    invalid(format!("unknown option {key:?}; the options are {}", known.join(", ")))
}

fn compression(key: &str, value: &str) -> Result<Compression> {
    match value {
        "none" => Ok(Compression::None),
        "lz4" => Ok(Compression::Lz4),
        _ => Err(invalid(format!("option {key} expects none or lz4, not {value:?}"))),
    }
}

fn number<T: FromStr>(key: &str, value: &str) -> Result<T> {
    digits(value)
        .ok_or_else(|| invalid(format!("option {key} expects a whole number, not {value:?}")))
}

/// Reads a size: bytes, or a number followed by `KiB`, `MiB` or `GiB`.
fn bytes(key: &str, value: &str) -> Result<u64> {
    parse_byte_size(value).map_err(|error| error.context(format_args!("option {key}")))
}

/// Like `parse`, but without a plus sign.
fn digits<T: FromStr>(text: &str) -> Option<T> {
    let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    all_digits.then(|| text.parse().ok()).flatten()
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}
