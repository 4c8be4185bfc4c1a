use keyed_state_core::StateValue;

struct Socket;

#[derive(StateValue)]
struct Connection {
    name: String,
    socket: Socket,
}

fn main() {}
