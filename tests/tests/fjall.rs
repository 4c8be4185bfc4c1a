//! The laws of engines and the contract on fjall, its type known and behind `Box<dyn Engine>`.

use keyed_state_conformance::engine_suite;
use keyed_state_tests::{Boxed, Fjall};

mod static_type {
    use super::{Fjall, engine_suite};

    engine_suite!(Fjall);
}

mod boxed {
    use super::{Boxed, Fjall, engine_suite};

    engine_suite!(Boxed(Fjall));
}
