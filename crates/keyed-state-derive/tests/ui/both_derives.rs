use keyed_state_core::{StateKey, StateValue};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey, StateValue)]
struct Code(String);

fn main() {}
