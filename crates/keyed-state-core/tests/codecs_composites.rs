//! The laws of the codecs of strings, lists, options, tuples and boxes, on samples and on random values over the
//! bytes that mean something: `00` (escapes, ends), `01` (marks), `61` and `FF` (escapes).
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::{borrow::Borrow, collections::BTreeMap, sync::Arc};

use keyed_state_core::{
    Decode, Encode, ErrorKind, MAX_NESTING, Result, StateKey, codec_laws, codec_suite,
};
use proptest::{collection::vec, option, prelude::*, sample::select};

const TEXTS: [&str; 9] = ["", "\0", "\0\0", "\0\u{1}", "\u{1}", "a", "a\0", "aa", "é\u{10FFFF}"];
const BYTES: [&[u8]; 8] =
    [b"", b"\0", b"\0\0", b"\0\xFF", b"\x01", b"a", b"\xFF", b"\xFF\0\xFF\xFF"];

fn texts() -> impl Iterator<Item = String> {
    TEXTS.into_iter().map(str::to_owned)
}

fn byte_strings() -> impl Iterator<Item = Vec<u8>> {
    BYTES.into_iter().map(<[u8]>::to_vec)
}

codec_suite!(text: String, texts());
codec_suite!(boxed_text: Box<str>, texts().map(Box::from));
codec_suite!(shared_text: Arc<str>, texts().map(Arc::from));
codec_suite!(byte_string: Vec<u8>, byte_strings());
codec_suite!(byte_array: [u8; 2], [[0, 0], [0, 1], [0, 0xFF], [0x61, 0], [0xFF, 0xFF]]);
codec_suite!(empty_array: [u8; 0], [[]]);
codec_suite!(array: [String; 2], texts().flat_map(|a| texts().map(move |b| [a.clone(), b])));
codec_suite!(list: Vec<i16>, [
    vec![], vec![0], vec![0, 0], vec![-1], vec![-1, 5], vec![1, 0, -1], vec![256], vec![i16::MIN],
]);
codec_suite!(list_of_nothing: Vec<()>, [vec![], vec![()], vec![(); 300]]);
codec_suite!(list_of_texts: Vec<String>, texts().flat_map(|a| texts().map(move |b| vec![a.clone(), b]))
    .chain(texts().map(|a| vec![a])).chain([vec![]]));
codec_suite!(list_of_byte_strings: Vec<Vec<u8>>, byte_strings().map(|a| vec![a.clone(), a]).chain([vec![]]));
codec_suite!(option_of_text: Option<String>, texts().map(Some).chain([None]));
codec_suite!(option_of_option: Option<Option<u8>>, [None, Some(None), Some(Some(0)), Some(Some(255))]);
codec_suite!(tuple_1: (String,), texts().map(|a| (a,)));
codec_suite!(tuple_2: (String, Vec<u8>), texts().flat_map(|a| byte_strings().map(move |b| (a.clone(), b))));
codec_suite!(tuple_of_option_and_list: (Option<u8>, Vec<bool>, i8), [
    (None, vec![], 0), (None, vec![], -1), (None, vec![false], 0), (Some(0), vec![], 0), (Some(0), vec![true], 1),
]);
codec_suite!(tuple_8: (u8, i16, bool, char, String, (), Option<()>, Vec<u8>), [
    (0, 0, false, 'a', String::new(), (), None, vec![]),
    (0, 0, false, 'a', String::new(), (), None, vec![0]),
    (0, -1, true, 'é', "a\0".to_owned(), (), Some(()), vec![0, 0xFF]),
    (1, 0, false, 'a', "a".to_owned(), (), None, vec![]),
]);
codec_suite!(boxed: Box<(u8, String)>, texts().map(|a| Box::new((1, a))));
codec_suite!(value tuple_with_a_float: (f64, String), [(f64::NAN, String::new()), (-0.0, "a".to_owned())]);

fn tiny_bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(select(vec![0x00, 0x01, 0x61, 0xFF]), 0..5)
}

fn tiny_text() -> impl Strategy<Value = String> {
    vec(select(vec!['\0', '\u{1}', 'a', '\u{FF}']), 0..5).prop_map(String::from_iter)
}

fn all_laws<T: StateKey + std::fmt::Debug>(samples: &[T]) {
    codec_laws::key_comes_back(samples);
    codec_laws::key_byte_order_is_cmp(samples);
    codec_laws::key_parts_keep_order_and_show_their_end(samples);
    codec_laws::key_cmp_eq_hash_and_clone_agree(samples);
}

/// One test of the laws for random samples of a type, and one of random bytes.
macro_rules! random {
    ($($name:ident, $bytes:ident: $type:ty = $strategy:expr;)*) => {
        proptest! {$(
            #[test]
            fn $name(samples in vec($strategy, 2..6)) {
                all_laws::<$type>(&samples);
            }

            #[test]
            fn $bytes(bytes in vec(select(vec![0x00, 0x01, 0x02, 0x61, 0xFF]), 0..24)) {
                refused_or_canonical::<$type>(&bytes);
            }
        )*}
    };
}

random! {
    texts_obey, texts_refuse: String = tiny_text();
    byte_strings_obey, byte_strings_refuse: Vec<u8> = tiny_bytes();
    pairs_obey, pairs_refuse: (Vec<u8>, Vec<u8>) = (tiny_bytes(), tiny_bytes());
    mixed_tuples_obey, mixed_tuples_refuse: (String, i8, Option<Vec<u8>>, String) =
        (tiny_text(), any::<i8>(), option::of(tiny_bytes()), tiny_text());
    lists_obey, lists_refuse: Vec<Vec<u8>> = vec(tiny_bytes(), 0..4);
    nested_obey, nested_refuse: Option<(Vec<(u8, String)>, [Vec<u8>; 2])> =
        option::of((vec((any::<u8>(), tiny_text()), 0..3), [tiny_bytes(), tiny_bytes()]));
}

/// Decodes or errs; what is decoded has no other bytes than these.
fn refused_or_canonical<T: StateKey + std::fmt::Debug>(bytes: &[u8]) {
    if let Ok(value) = T::decode(bytes) {
        assert_eq!(encoded(&value), bytes, "{value:?}");
    }
    let mut rest = bytes;
    if let Ok(value) = T::decode_part(&mut rest) {
        let mut part = Vec::new();
        value.encode_part(&mut part).unwrap();
        assert_eq!([&part, rest].concat(), bytes, "{value:?}");
    }
}

fn encoded<T: Encode + ?Sized>(value: &T) -> Vec<u8> {
    let mut out = Vec::new();
    value.encode(&mut out).unwrap();
    out
}

fn borrows_alike<T: Encode + Borrow<Q>, Q: Encode + ?Sized>(owned: &T) {
    assert_eq!(encoded(owned), encoded(owned.borrow()));
}

#[test]
fn borrowed_forms_have_the_bytes_of_their_owners() {
    borrows_alike::<String, str>(&"a\0b".to_owned());
    borrows_alike::<Box<str>, str>(&"a\0b".into());
    borrows_alike::<Arc<str>, str>(&"a\0b".into());
    borrows_alike::<Vec<u8>, [u8]>(&vec![0, 1]);
    borrows_alike::<Vec<String>, [String]>(&texts().collect());
    borrows_alike::<[u8; 2], [u8]>(&[0, 1]);
    borrows_alike::<[u32; 2], [u32]>(&[0, 1]);
    borrows_alike::<Box<u32>, u32>(&Box::new(7));
    borrows_alike::<&u32, u32>(&&7);
}

/// A tree; bytes of it can ask for a level each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Tree(Vec<Tree>);

impl Encode for Tree {
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        self.0.encode(out)
    }

    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        self.0.encode_part(out)
    }
}

impl Decode for Tree {
    fn decode(bytes: &[u8]) -> Result<Self> {
        Vec::decode(bytes).map(Self)
    }

    fn decode_part(input: &mut &[u8]) -> Result<Self> {
        Vec::decode_part(input).map(Self)
    }

    fn schema() -> String {
        format!("Tree({})", <Vec<Self>>::schema())
    }
}

impl StateKey for Tree {}

codec_suite!(tree: Tree, [
    Tree(vec![]),
    Tree(vec![Tree(vec![])]),
    Tree(vec![Tree(vec![]), Tree(vec![])]),
    Tree(vec![Tree(vec![Tree(vec![])]), Tree(vec![])]),
]);

fn nested(levels: usize) -> Tree {
    (1..levels).fold(Tree(vec![]), |inner, _| Tree(vec![inner]))
}

#[test]
fn nesting_is_bounded_in_both_directions_alike() {
    let deepest = nested(MAX_NESTING);
    let bytes = encoded(&deepest);
    assert_eq!(Tree::decode(&bytes).unwrap(), deepest);

    let error = nested(MAX_NESTING + 1).encode(&mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Codec);
    let deeper = [&[1], bytes.as_slice(), &[0]].concat();
    assert_eq!(Tree::decode(&deeper).unwrap_err().kind(), ErrorKind::Codec);
    assert_eq!(Tree::decode(&vec![1; 1 << 20]).unwrap_err().kind(), ErrorKind::Codec);
    // The levels were given back.
    assert_eq!(Tree::decode(&bytes).unwrap(), deepest);
}

#[test]
fn a_recursive_type_has_a_finite_schema() {
    assert_eq!(Tree::schema(), "Tree([Tree([^0])])");
}

#[test]
fn types_that_look_alike_have_different_schemas() {
    let schemas = BTreeMap::from([
        (<Vec<u8>>::schema(), 1),
        (<[u8; 2]>::schema(), 2),
        (<Vec<u16>>::schema(), 3),
        (<Vec<Vec<u8>>>::schema(), 4),
        (<Option<u8>>::schema(), 5),
        (<(u8,)>::schema(), 6),
        (<(u8, (u8, u8))>::schema(), 7),
        (<((u8, u8), u8)>::schema(), 8),
        (String::schema(), 9),
    ]);
    assert_eq!(schemas.len(), 9);
}
