use keyed_state_core::{
    BackendOptions, Error, ErrorKind, KeyGroupRange, MaxParallelism, Result, StateKey,
    parse_byte_size,
};

use crate::{
    AnyBackend,
    url::{BackendUrl, invalid},
};

/// What every backend's URL may set, with one line of help each.
const BACKEND_OPTIONS: &[(&str, &str)] = &[
    (
        "clear",
        "how maps are cleared: generation, point_deletes, range_delete, adaptive or adaptive:THRESHOLD",
    ),
    ("clear_memory_bytes", "memory for remembering clears by generation (default: 64MiB)"),
    ("key_groups", "the owned key groups, FIRST..=LAST (default: all)"),
    ("max_parallelism", "the number of key groups, 1 to 32768 (default: 128)"),
    ("timer_memory_bytes", "memory of all timers, beyond which engines take them (default: 64MiB)"),
];

/// Returns the URL schemes that [`open`] knows, and whether each one's feature is on.
#[must_use]
pub fn schemes() -> &'static [(&'static str, bool)] {
    &[("memory", true), ("fjall", cfg!(feature = "fjall")), ("rocksdb", cfg!(feature = "rocksdb"))]
}

/// Opens a backend by URL.
///
/// | URL | backend | feature |
/// | --- | --- | --- |
/// | `memory:` | typed values on the heap | always |
/// | `fjall:///var/lib/job` | fjall, in an absolute directory | `fjall` |
/// | `fjall:state/job?cache_bytes=64MiB` | fjall, in a relative one, with an option | `fjall` |
/// | `rocksdb:///var/lib/job` | RocksDB | `rocksdb` |
///
/// The directory is created if it does not exist. Path, names and values of options may hold `%XX`
/// escapes. All backends take `clear`, `clear_memory_bytes`, `key_groups`, `max_parallelism` and
/// `timer_memory_bytes`, which override `options`; the rest are the engine's own.
///
/// ```
/// use keyed_state::{AnyBackend, BackendOptions};
///
/// let backend: AnyBackend<String> =
///     keyed_state::open("memory:?max_parallelism=1024", BackendOptions::new())?;
/// assert!(keyed_state::open::<String>("rocksdb:", BackendOptions::new()).is_err());
/// # Ok::<(), keyed_state::Error>(())
/// ```
///
/// # Errors
///
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a URL, scheme or option that is not known or
/// well-formed (an unknown option's error lists the known ones); [`Unsupported`](ErrorKind::Unsupported)
/// for a scheme whose feature is off, which it names; and the errors of the engine and of
/// [`EngineBackend::open`](keyed_state_core::EngineBackend::open).
pub fn open<K: StateKey>(url: &str, mut options: BackendOptions) -> Result<AnyBackend<K>> {
    let mut parsed = BackendUrl::parse(url)?;
    options = backend_options(url, options, &mut parsed.options)?;
    match parsed.scheme.as_str() {
        "memory" => {
            if !parsed.path.as_os_str().is_empty() {
                return Err(invalid(url, "memory: keeps nothing on disk and takes no path"));
            }
            set_options(url, &parsed, &[], |_, _| Ok(()))?;
            AnyBackend::memory(options)
        }
        "fjall" => open_fjall(url, &parsed, options),
        "rocksdb" => open_rocksdb(url, &parsed, options),
        scheme => {
            let known: Vec<_> = schemes().iter().map(|(name, _)| *name).collect();
            Err(invalid(
                url,
                &format!("unknown scheme {scheme:?}; expected one of {}", known.join(", ")),
            ))
        }
    }
}

#[cfg(feature = "fjall")]
fn open_fjall<K: StateKey>(
    url: &str,
    parsed: &BackendUrl,
    options: BackendOptions,
) -> Result<AnyBackend<K>> {
    use keyed_state_fjall::{FjallConfig, FjallEngine};

    let mut config = FjallConfig::new();
    require_path(url, parsed)?;
    set_options(url, parsed, FjallConfig::options(), |name, value| config.set(name, value))?;
    AnyBackend::engine(FjallEngine::open(&parsed.path, &config)?, options)
}

#[cfg(not(feature = "fjall"))]
fn open_fjall<K: StateKey>(url: &str, _: &BackendUrl, _: BackendOptions) -> Result<AnyBackend<K>> {
    Err(feature_is_off(url, "fjall"))
}

#[cfg(feature = "rocksdb")]
fn open_rocksdb<K: StateKey>(
    url: &str,
    parsed: &BackendUrl,
    options: BackendOptions,
) -> Result<AnyBackend<K>> {
    use keyed_state_rocksdb::{RocksConfig, RocksEngine};

    let mut config = RocksConfig::new();
    require_path(url, parsed)?;
    set_options(url, parsed, RocksConfig::options(), |name, value| config.set(name, value))?;
    AnyBackend::engine(RocksEngine::open(&parsed.path, &config)?, options)
}

#[cfg(not(feature = "rocksdb"))]
fn open_rocksdb<K: StateKey>(
    url: &str,
    _: &BackendUrl,
    _: BackendOptions,
) -> Result<AnyBackend<K>> {
    Err(feature_is_off(url, "rocksdb"))
}

#[cfg(not(all(feature = "fjall", feature = "rocksdb")))]
fn feature_is_off(url: &str, feature: &str) -> Error {
    Error::new(
        ErrorKind::Unsupported,
        format!("backend URL {url:?} needs the feature {feature:?} of keyed-state, which is off"),
    )
}

#[cfg(any(feature = "fjall", feature = "rocksdb"))]
fn require_path(url: &str, parsed: &BackendUrl) -> Result<()> {
    if parsed.path.as_os_str().is_empty() {
        let scheme = &parsed.scheme;
        return Err(invalid(
            url,
            &format!("a directory is expected, as in {scheme}:///var/lib/job"),
        ));
    }
    Ok(())
}

/// Applies and removes the options that every backend takes.
fn backend_options(
    url: &str,
    mut options: BackendOptions,
    given: &mut Vec<(String, String)>,
) -> Result<BackendOptions> {
    let mut rest = Vec::new();
    for (name, value) in given.drain(..) {
        let named =
            |error: Error| error.context(format_args!("backend URL {url:?}: option {name:?}"));
        options = match name.as_str() {
            "clear" => options.clear_strategy(value.parse().map_err(named)?),
            "key_groups" => options.key_groups(key_groups(&value).map_err(named)?),
            "max_parallelism" => {
                let groups = value.parse().map_err(|error| {
                    let text = format!("expected a number from 1 to 32768, not {value:?}");
                    named(Error::new(ErrorKind::InvalidArgument, text).with_source(error))
                })?;
                options.max_parallelism(MaxParallelism::new(groups).map_err(named)?)
            }
            "clear_memory_bytes" => options.clear_memory_bytes(memory(&value).map_err(named)?),
            "timer_memory_bytes" => options.timer_memory_bytes(memory(&value).map_err(named)?),
            _ => {
                rest.push((name, value));
                options
            }
        };
    }
    *given = rest;
    Ok(options)
}

/// Reads a size of memory; more than can be addressed is without limit.
fn memory(value: &str) -> Result<usize> {
    Ok(usize::try_from(parse_byte_size(value)?).unwrap_or(usize::MAX))
}

fn key_groups(text: &str) -> Result<KeyGroupRange> {
    let ends = text
        .split_once("..=")
        .and_then(|(first, last)| Some((first.trim().parse().ok()?, last.trim().parse().ok()?)));
    let (first, last) = ends.ok_or_else(|| {
        Error::new(ErrorKind::InvalidArgument, format!("expected FIRST..=LAST, not {text:?}"))
    })?;
    KeyGroupRange::new(first, last)
}

/// Hands the engine's own options to `set`, and lists all known ones if one is not among them.
fn set_options(
    url: &str,
    parsed: &BackendUrl,
    known: &[(&str, &str)],
    mut set: impl FnMut(&str, &str) -> Result<()>,
) -> Result<()> {
    for (name, value) in &parsed.options {
        // Options such as `cf.NAME` stand for a family of names.
        let family = |known: &str| {
            known.split_once('.').is_some_and(|(head, _)| {
                name.split_once('.').is_some_and(|(given, _)| given == head)
            })
        };
        if !known.iter().any(|(known, _)| known == name || family(known)) {
            let mut all: Vec<_> =
                BACKEND_OPTIONS.iter().chain(known).map(|(name, _)| *name).collect();
            all.sort_unstable();
            return Err(invalid(
                url,
                &format!("unknown option {name:?}; known are {}", all.join(", ")),
            ));
        }
        set(name, value).map_err(|error| error.context(format_args!("backend URL {url:?}")))?;
    }
    Ok(())
}
