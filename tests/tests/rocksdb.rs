//! The laws of engines and the contract on RocksDB, its type known and behind `Box<dyn Engine>`.

#![cfg(feature = "rocksdb")]

use keyed_state_conformance::engine_suite;
use keyed_state_tests::{Boxed, Rocks};

mod static_type {
    use super::{Rocks, engine_suite};

    engine_suite!(Rocks);
}

mod boxed {
    use super::{Boxed, Rocks, engine_suite};

    engine_suite!(Boxed(Rocks));
}
