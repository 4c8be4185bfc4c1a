use keyed_state_core::StateValue;

#[derive(Clone, StateValue)]
struct Code {
    #[state(skip)]
    code: String,
}

fn main() {}
