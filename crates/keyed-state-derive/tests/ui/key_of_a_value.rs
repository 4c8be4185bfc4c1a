use keyed_state_core::{StateKey, StateValue};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, StateValue)]
struct Code(String);

fn count_by<K: StateKey>() {}

fn main() {
    count_by::<Code>();
    count_by::<f64>();
}
