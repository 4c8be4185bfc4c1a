use keyed_state_core::StateValue;

#[derive(Clone, Copy, StateValue)]
union Number {
    int: u32,
    float: f32,
}

fn main() {}
