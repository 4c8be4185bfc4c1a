use keyed_state_core::StateKey;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey)]
enum Priority {
    High = 2,
    Low = 1,
}

fn main() {}
