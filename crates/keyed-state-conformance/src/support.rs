//! What the cases share.

use std::path::Path;

use keyed_state_core::{
    BackendOptions, Decode, Encode, Error, ErrorKind, KeyedStateBackend, MapState, MaxParallelism,
    Result, StateKey, StateValue,
};
use tempfile::TempDir;

use crate::Fixture;

pub(crate) const NOT_DURABLE: &str = "nothing survives closing: `durable` is not declared";
pub(crate) const NO_COMPACTION: &str = "`compact` is not declared";
pub(crate) const NO_TTL: &str = "states cannot expire: `ttl` is not declared";

/// Unwraps results at the line of the case, with all that the error has to say.
pub(crate) trait Must<T> {
    /// Returns the value.
    fn must(self) -> T;

    /// Returns the error, which must be of `kind`.
    fn must_fail(self, kind: ErrorKind) -> Error;
}

impl<T> Must<T> for Result<T> {
    #[track_caller]
    fn must(self) -> T {
        match self {
            Ok(value) => value,
            Err(error) => panic!("this must succeed, but failed: {error:?}"),
        }
    }

    #[track_caller]
    fn must_fail(self, kind: ErrorKind) -> Error {
        match self {
            Ok(_) => panic!("this must fail with {kind:?}, but succeeded"),
            Err(error) => {
                assert_eq!(error.kind(), kind, "the wrong kind of error: {error:?}");
                error
            }
        }
    }
}

/// A directory of one case, removed at its end.
pub(crate) struct Home(TempDir);

impl Home {
    #[track_caller]
    pub(crate) fn new() -> Self {
        match tempfile::Builder::new().prefix("keyed-state-").tempdir() {
            Ok(dir) => Self(dir),
            Err(error) => panic!("no temporary directory can be made: {error}"),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Opens a backend with default options.
    #[track_caller]
    pub(crate) fn open<F: Fixture, K: StateKey>(&self, fixture: &F) -> F::Backend<K> {
        self.open_with(fixture, BackendOptions::new())
    }

    #[track_caller]
    pub(crate) fn open_with<F: Fixture, K: StateKey>(
        &self,
        fixture: &F,
        options: BackendOptions,
    ) -> F::Backend<K> {
        fixture.open(self.path(), options).must()
    }

    /// Closes `backend` and opens what it left.
    #[track_caller]
    pub(crate) fn reopen<F: Fixture, K: StateKey>(
        &self,
        fixture: &F,
        backend: F::Backend<K>,
    ) -> F::Backend<K> {
        let options = backend.options().clone();
        backend.close().must();
        self.open_with(fixture, options)
    }
}

#[track_caller]
pub(crate) fn groups(number: u32) -> MaxParallelism {
    MaxParallelism::new(number).must()
}

/// Collects a map from the front.
#[track_caller]
pub(crate) fn entries<UK: StateKey, UV: StateValue>(map: &impl MapState<UK, UV>) -> Vec<(UK, UV)> {
    map.iter().must().collect::<Result<_>>().must()
}

/// Sorts what a listing gave; any repetition stays in.
pub(crate) fn sorted<T: Ord>(found: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = found.into_iter().collect();
    all.sort();
    all
}

/// Every word of up to `longest` letters of the alphabet `00 01 61 FF`, which makes prefixes, carries and
/// empty parts likely; short words first.
pub(crate) fn words(longest: usize) -> Vec<Vec<u8>> {
    let mut words = vec![Vec::new()];
    let mut first_of_length = 0;
    for _ in 0..longest {
        let end = words.len();
        for word in first_of_length..end {
            for letter in [0x00, 0x01, 0x61, 0xFF] {
                let mut longer = words[word].clone();
                longer.push(letter);
                words.push(longer);
            }
        }
        first_of_length = end;
    }
    words
}

/// A value whose codec fails for some numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picky(pub(crate) u64);

impl Picky {
    pub(crate) const CANNOT_ENCODE: u64 = 13;
    pub(crate) const CANNOT_DECODE: u64 = 17;
}

impl Encode for Picky {
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        if self.0 == Self::CANNOT_ENCODE {
            return Err(Error::new(ErrorKind::Codec, "13 has no byte form"));
        }
        self.0.encode(out)
    }
}

impl Decode for Picky {
    fn decode(bytes: &[u8]) -> Result<Self> {
        match u64::decode(bytes)? {
            Self::CANNOT_DECODE => Err(Error::new(ErrorKind::Codec, "17 does not decode")),
            number => Ok(Self(number)),
        }
    }

    fn schema() -> String {
        "picky".to_owned()
    }
}

/// Unwinds as a panic of the user's code does, but prints nothing.
pub(crate) fn quiet_panic() -> ! {
    std::panic::resume_unwind(Box::new("the user's code panics"))
}

/// Returns whether `run` panics.
pub(crate) fn panics<T>(run: impl FnOnce() -> T) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err()
}
