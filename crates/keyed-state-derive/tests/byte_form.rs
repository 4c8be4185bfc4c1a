//! The byte form and the schema of derived types, byte by byte. They never change.

use keyed_state_core::{Decode, Encode, ErrorKind, Serde, StateKey, StateValue};

fn whole<T: Encode>(value: &T) -> Vec<u8> {
    let mut out = Vec::new();
    value.encode(&mut out).expect("has a byte form");
    out
}

fn part<T: Encode>(value: &T) -> Vec<u8> {
    let mut out = Vec::new();
    value.encode_part(&mut out).expect("has a byte form");
    out
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey)]
struct Route {
    origin: String,
    r#type: u8,
    destination: String,
}

#[test]
fn a_struct_is_the_tuple_of_its_fields() {
    let tuple = ("JFK".to_owned(), 7_u8, "LAX".to_owned());
    let (origin, r#type, destination) = tuple.clone();
    let route = Route { origin, r#type, destination };
    assert_eq!(whole(&route), b"JFK\0\0\x07LAX");
    assert_eq!(part(&route), b"JFK\0\0\x07LAX\0\0");
    assert_eq!(whole(&route), whole(&tuple));
    assert_eq!(part(&route), part(&tuple));
    assert_eq!(Route::schema(), "Route{origin:string,type:u8,destination:string}");
}

#[derive(Clone, Debug, PartialEq, StateValue)]
struct Carrier(String);

#[test]
fn a_struct_of_one_field_is_that_field() {
    let carrier = Carrier("A\0A".to_owned());
    assert_eq!(whole(&carrier), b"A\0A");
    assert_eq!(part(&carrier), b"A\0\xFFA\0\0");
    assert_eq!(Carrier::schema(), "Carrier(string)");
}

#[derive(Clone, Debug, PartialEq, StateValue)]
enum Event {
    Start,
    Click(u32),
    Move { x: i16, note: Vec<u8> },
}

#[test]
fn an_enum_is_a_tag_and_a_tuple() {
    assert_eq!(whole(&Event::Start), [0]);
    assert_eq!(whole(&Event::Click(5)), [1, 0, 0, 0, 5]);
    let moved = Event::Move { x: -1, note: vec![0] };
    assert_eq!(whole(&moved), [2, 0x7F, 0xFF, 0]);
    assert_eq!(part(&moved), [2, 0x7F, 0xFF, 0, 0xFF, 0, 0]);
    assert_eq!(Event::schema(), "Event::{Start|Click(u32)|Move{x:i16,note:bytes}}");
}

#[test]
fn unknown_tags_and_bytes_left_over_are_refused() {
    for bytes in [&[3][..], &[0xFF], &[0, 0], &[1, 0, 0, 0], &[1, 0, 0, 0, 5, 0], &[]] {
        let error = Event::decode(bytes).expect_err("no event has these bytes");
        assert_eq!(error.kind(), ErrorKind::Codec, "{bytes:?}");
    }
    let error = Event::decode(&[3]).expect_err("no variant has this tag");
    assert_eq!(error.to_string(), "Event has no variant with the tag 3");
}

#[derive(Clone, Debug, PartialEq, StateValue)]
struct Unit;

#[derive(Clone, Debug, PartialEq, StateValue)]
struct List {
    head: Serde<Vec<char>>,
    tail: Option<Box<List>>,
}

#[test]
fn schemas_of_special_shapes() {
    assert_eq!(Unit::schema(), "Unit");
    assert_eq!(whole(&Unit), []);
    let schema = "List{head:serde(alloc::vec::Vec<char>),tail:option(";
    assert_eq!(List::schema(), format!("{schema}{schema}^0)}})}}"));
}

/// An enum of unit variants, and the list of them.
macro_rules! wide {
    ($name:ident: $($variant:ident)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey)]
        enum $name {
            $($variant,)*
        }

        impl $name {
            const ALL: &[Self] = &[$(Self::$variant,)*];
        }
    };
}

include!("wide/mod.rs");

#[test]
fn up_to_256_variants_have_a_tag_of_one_byte() {
    assert_eq!(Wide256::ALL.len(), 256);
    assert_eq!(whole(&Wide256::ALL[255]), [0xFF]);
    check_all(Wide256::ALL);
}

#[test]
fn more_variants_have_a_tag_of_two_bytes() {
    assert_eq!(Wide257::ALL.len(), 257);
    assert_eq!(whole(&Wide257::ALL[1]), [0, 1]);
    assert_eq!(whole(&Wide257::ALL[256]), [1, 0]);
    assert!(Wide257::decode(&[1, 1]).is_err());
    check_all(Wide257::ALL);
}

fn check_all<T: StateKey + std::fmt::Debug>(all: &[T]) {
    let bytes: Vec<_> = all.iter().map(whole).collect();
    assert!(bytes.is_sorted());
    for (value, bytes) in all.iter().zip(&bytes) {
        assert_eq!(&T::decode(bytes).expect("was encoded"), value);
    }
}
