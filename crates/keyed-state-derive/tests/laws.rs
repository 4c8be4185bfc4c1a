//! Derived codecs obey the laws, whatever the type looks like.

use std::{cmp::Ordering, fmt::Debug, hash::Hash, marker::PhantomData};

use keyed_state_core::{StateKey, StateValue, codec_suite};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey)]
struct Route {
    origin: String,
    r#type: i8,
    destination: String,
}

const TEXTS: [&str; 5] = ["", "\0", "a", "a\0", "ab"];

fn routes() -> impl Iterator<Item = Route> {
    TEXTS.into_iter().flat_map(|origin| {
        TEXTS.into_iter().zip([-1, 0, 1, 0, -1]).map(|(destination, r#type)| Route {
            origin: origin.to_owned(),
            r#type,
            destination: destination.to_owned(),
        })
    })
}

codec_suite!(named_struct: Route, routes());

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey)]
struct Unit;

codec_suite!(unit_struct: Unit, [Unit]);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey)]
struct Carrier(String);

codec_suite!(newtype: Carrier, TEXTS.map(|text| Carrier(text.to_owned())));

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey)]
enum Event {
    Start,
    Click(String, u8),
    Empty {},
    Move { x: i16, to: Option<Unit> },
    Route(Route),
    Close(),
}

codec_suite!(enumeration: Event, {
    let clicks = TEXTS.map(|text| [0, 255].map(|n| Event::Click(text.to_owned(), n)));
    let moves = [(-1, Some(Unit)), (0, None), (0, Some(Unit))].map(|(x, to)| Event::Move { x, to });
    let rest = [Event::Start, Event::Empty {}, Event::Close()];
    clicks.into_iter().flatten().chain(moves).chain(rest).chain(routes().map(Event::Route))
});

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey)]
#[repr(i16)]
enum Ascending {
    Coldest = -273,
    Cold = -5,
    Colder,
    Warm = 0x10,
}

codec_suite!(ascending_discriminants: Ascending, [
    Ascending::Warm, Ascending::Colder, Ascending::Coldest, Ascending::Cold,
]);

// Two types of id that cannot be taken for each other.
#[derive(Debug, StateKey)]
struct Id<T: ?Sized> {
    number: u32,
    of: PhantomData<T>,
}

impl<T: ?Sized> Clone for Id<T> {
    fn clone(&self) -> Self {
        Self { number: self.number, of: PhantomData }
    }
}

impl<T: ?Sized> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<T: ?Sized> Eq for Id<T> {}

impl<T: ?Sized> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: ?Sized> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl<T: ?Sized> Hash for Id<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

/// Without any codec itself.
#[derive(Debug)]
struct Plane;

codec_suite!(phantom_parameter: Id<Plane>, [0, 1, 256].map(|number| Id { number, of: PhantomData }));

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey)]
struct Pair<A, B: Debug, const N: usize>
where
    A: Debug,
{
    first: A,
    second: [Option<B>; N],
}

codec_suite!(generic: Pair<String, u8, 2>, TEXTS.into_iter().flat_map(|text| {
    [[None, None], [None, Some(0)], [Some(0), None], [Some(7), Some(255)]]
        .map(|second| Pair { first: text.to_owned(), second })
}));

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, StateKey)]
enum Tree<T> {
    Leaf(T),
    Fork(Box<Tree<T>>, Box<Self>),
    Many(Vec<Tree<T>>),
}

fn leaf(text: &str) -> Tree<String> {
    Tree::Leaf(text.to_owned())
}

codec_suite!(recursive: Tree<String>, {
    let fork = |a, b| Tree::Fork(Box::new(a), Box::new(b));
    [
        leaf(""),
        leaf("a"),
        fork(leaf(""), leaf("a")),
        fork(leaf("a"), leaf("")),
        fork(fork(leaf(""), leaf("")), leaf("")),
        Tree::Many(vec![]),
        Tree::Many(vec![leaf("a")]),
        Tree::Many(vec![leaf("a"), leaf("b")]),
    ]
});

#[derive(Clone, Debug, PartialEq, StateValue)]
struct Reading {
    celsius: f64,
    history: Vec<(u64, f32)>,
    note: Option<String>,
}

codec_suite!(value with_floats: Reading, [
    Reading { celsius: -0.0, history: vec![], note: None },
    Reading { celsius: f64::NAN, history: vec![(1, 1.5), (2, -1.5)], note: Some("\0".to_owned()) },
]);

// Discriminants do not matter to values.
#[derive(Clone, Copy, Debug, PartialEq, StateValue)]
enum Status {
    Bad = 500,
    Good = 200,
}

codec_suite!(value descending_discriminants: Status, [Status::Bad, Status::Good]);
