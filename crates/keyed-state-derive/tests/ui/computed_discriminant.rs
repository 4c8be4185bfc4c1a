use keyed_state_core::StateKey;

const LOW: isize = 1;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey)]
enum Priority {
    Low = LOW,
    High,
}

fn main() {}
