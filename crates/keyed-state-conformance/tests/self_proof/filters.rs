//! The suite catches compaction filters that are not used as they should be.

#[path = "../support/filtering.rs"]
mod filtering;

use filtering::{FilterFault, Filtering};
use keyed_state_conformance::{OnEngine, backend_cases, engine_cases};

use crate::quiet::panics;

/// Runs the case `name`, for engines or for backends; returns whether it failed.
fn fails(name: &str, fault: FilterFault) -> bool {
    let fixture = Filtering(Some(fault));
    if let Some(case) = engine_cases().into_iter().find(|case| case.name == name) {
        return panics(|| (case.run)(&fixture)).is_some();
    }
    let case = backend_cases().into_iter().find(|case| case.name == name);
    let case = case.unwrap_or_else(|| panic!("no case is called {name:?}"));
    panics(|| (case.run)(&OnEngine(fixture))).is_some()
}

#[test]
fn filters_that_are_ignored_are_caught() {
    assert!(fails("t3_what_has_expired_is_removed", FilterFault::Ignored));
    assert!(fails("t3_large_maps_lose_what_has_expired", FilterFault::Ignored));
    assert!(fails("t3_nothing_is_left_in_the_engine", FilterFault::Ignored));
}

#[test]
fn filters_that_are_asked_about_other_tables_are_caught() {
    assert!(fails("t3_removal_spares_states_without_ttl", FilterFault::AskedAboutAll));
}

#[test]
fn filters_that_drop_what_lives_are_caught() {
    assert!(fails("t3_what_has_expired_is_removed", FilterFault::AllDropped));
    assert!(fails("t3_removal_spares_what_was_written_anew", FilterFault::AllDropped));
}
