//! Random operations against the reference model.

use keyed_state_core::{BackendOptions, ClearStrategy};

use crate::{
    Fixture, Outcome,
    model::{self, Effort},
    support::groups,
};

fn at<F: Fixture>(fixture: &F, parallelism: u32) -> Outcome {
    let strategies = fixture.strategies();
    let effort = Effort::from_env().share(strategies.len());
    for strategy in strategies {
        let options =
            BackendOptions::new().max_parallelism(groups(parallelism)).clear_strategy(strategy);
        model::check_with(fixture, &options, effort);
    }
    Outcome::Ran
}

/// Behaves like the model where all keys share one key group, so that no hash keeps them apart. (4, 17, 23, 25)
pub fn behaves_like_the_model_in_one_key_group<F: Fixture>(fixture: &F) -> Outcome {
    at(fixture, 1)
}

/// Behaves like the model at the default of 128 key groups. (17, 19)
pub fn behaves_like_the_model_in_128_key_groups<F: Fixture>(fixture: &F) -> Outcome {
    at(fixture, 128)
}

/// Behaves like the model at the limit of 32,768 key groups. (17, 28)
pub fn behaves_like_the_model_in_32768_key_groups<F: Fixture>(fixture: &F) -> Outcome {
    at(fixture, 32_768)
}

/// Behaves like the model where there is hardly any memory for remembering clears, so that maps are forgotten, moved and
/// cleared otherwise all the time. (1, 17)
pub fn behaves_like_the_model_with_little_memory_for_clears<F: Fixture>(fixture: &F) -> Outcome {
    if !fixture.strategies().contains(&ClearStrategy::Generation) {
        return Outcome::Skipped("the fixture leaves out ClearStrategy::Generation");
    }
    let sizes = [0, 1_000, 4_000];
    let effort = Effort::from_env().share(sizes.len());
    for bytes in sizes {
        let options = BackendOptions::new()
            .max_parallelism(groups(1))
            .clear_strategy(ClearStrategy::Generation)
            .clear_memory_bytes(bytes);
        model::check_with(fixture, &options, effort);
    }
    Outcome::Ran
}
