//! A backend of a third party that implements what `KeyedStateBackend` and the views require, and nothing else: it gets
//! list, reducing and aggregating state, merging, timers and everything else that core builds, and passes the whole suite. TTL
//! it does not offer; the suite sees that it says so.

#![allow(clippy::similar_names, reason = "a shelf is not self")]

mod backend;
mod views;

use std::path::Path;

use backend::Shelves;
use keyed_state_conformance::{Fixture, conformance_suite};
use keyed_state_core::{BackendOptions, Result, StateKey};

struct ThirdParty;

impl Fixture for ThirdParty {
    type Backend<K: StateKey> = Shelves<K>;

    fn open<K: StateKey>(&self, _: &Path, options: BackendOptions) -> Result<Shelves<K>> {
        Shelves::open(options)
    }
}

conformance_suite!(ThirdParty);
