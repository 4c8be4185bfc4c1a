use keyed_state_core::StateValue;

#[derive(Clone, StateValue)]
#[state(rename = "Kode")]
struct Code(String);

fn main() {}
