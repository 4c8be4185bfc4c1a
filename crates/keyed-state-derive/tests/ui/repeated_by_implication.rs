use keyed_state_core::StateKey;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey)]
#[repr(i8)]
enum Change {
    None,
    Up(u8),
    Down(u8) = -1,
}

fn main() {}
