use keyed_state_core::StateValue;

#[derive(Clone, StateValue)]
struct Name<'a> {
    name: &'a str,
}

fn main() {}
