use keyed_state_core::StateKey;

#[derive(Clone, PartialEq, Eq, Hash, StateKey)]
struct Code(String);

fn main() {}
