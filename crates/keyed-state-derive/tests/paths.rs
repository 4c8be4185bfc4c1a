//! The expansion finds the traits, and depends on nothing that the user's module calls by the same name.

/// A crate that re-exports the traits, as a facade does.
mod vendored {
    pub(crate) mod state {
        pub(crate) use keyed_state_core::*;
    }
}

use vendored::state::{self, Decode as _, Encode as _};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, state::StateKey)]
#[state(crate = "crate::vendored::state")]
enum Key {
    Number(u64),
    Text { text: std::string::String },
}

#[test]
fn the_crate_attribute_says_where_the_traits_are() {
    let key = Key::Text { text: "a".to_owned() };
    let mut bytes = Vec::new();
    key.encode(&mut bytes).unwrap();
    assert_eq!(Key::decode(&bytes).unwrap(), key);
    assert_eq!(Key::Number(1).clone(), Key::Number(1));
}

/// Everything that the expansion could mean by a short name means something else here.
mod hostile {
    #![allow(dead_code, non_snake_case, reason = "the names are here to be in the way")]

    struct Result;
    struct Vec;
    struct String;
    struct Option;
    struct Box;
    trait Encode {}
    trait Decode {}
    trait StateKey {}
    trait StateValue {}
    trait From {}
    #[derive(Debug)]
    struct Ok;
    fn Err() {}
    mod core {}
    mod std {}
    mod keyed_state_core {}

    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ::keyed_state_core::StateKey)]
    pub(super) enum Shadowed {
        Out { out: u8, input: u8, value: u8, tag: u8, bytes: u8, schema: u8 },
        Unit,
    }
}

#[test]
fn names_of_the_users_module_do_not_get_in_the_way() {
    use hostile::Shadowed;

    let shadowed = Shadowed::Out { out: 1, input: 2, value: 3, tag: 4, bytes: 5, schema: 6 };
    let mut bytes = Vec::new();
    shadowed.encode(&mut bytes).unwrap();
    assert_eq!(bytes, [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(Shadowed::decode(&bytes).unwrap(), shadowed);
    assert_eq!(Shadowed::decode(&[1]).unwrap(), Shadowed::Unit);
}
