use keyed_state_core::StateValue;

#[derive(Clone, StateValue)]
enum Never {}

fn main() {}
