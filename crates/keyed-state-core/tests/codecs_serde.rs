//! `Serde` and `OrderedSerde`: their bytes, their laws, and what they refuse.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]
#![cfg(feature = "serde")]

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    error::Error as _,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use keyed_state_core::{
    Decode, Encode, ErrorKind, OrderedSerde, Result, Serde, StateKey, codec_laws, codec_suite,
};
use proptest::{collection::vec, prelude::*, sample::select};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Event {
    Start,
    Click(String),
    Move { x: i16, y: i16 },
    Pair(u8, Option<Box<Event>>),
}

fn events() -> Vec<Event> {
    let text = |text: &str| Event::Click(text.to_owned());
    vec![
        Event::Start,
        text(""),
        text("\0"),
        text("\0\0"),
        text("a"),
        text("a\0"),
        text("eight by"),
        text("eight byt"),
        Event::Move { x: -1, y: 0 },
        Event::Move { x: 0, y: -1 },
        Event::Pair(0, None),
        Event::Pair(0, Some(Box::new(Event::Start))),
        Event::Pair(0, Some(Box::new(text("a")))),
        Event::Pair(1, None),
    ]
}

fn encoded<T: Encode>(value: &T) -> Vec<u8> {
    let mut out = Vec::new();
    value.encode(&mut out).unwrap();
    out
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T>) -> String {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Codec, "{error}");
    let source = error.source().map(ToString::to_string).unwrap_or_default();
    format!("{error}: {source}")
}

mod values {
    use super::*;

    codec_suite!(value event: Serde<Event>, events().into_iter().map(Serde));
    codec_suite!(value map: Serde<BTreeMap<String, Vec<u32>>>, [
        Serde(BTreeMap::new()),
        Serde(BTreeMap::from([("a".to_owned(), vec![]), (String::new(), vec![1, 300])])),
    ]);
    codec_suite!(value hash_map: Serde<HashMap<u8, f64>>, [
        Serde(HashMap::new()),
        Serde(HashMap::from([(1, 0.5), (2, -0.0)])),
    ]);

    #[test]
    fn golden_bytes() {
        assert_eq!(
            encoded(&Serde((1_u32, "ab", -1_i16, Some(300_u64)))),
            b"\x01\x02ab\x01\x01\xAC\x02"
        );
        assert_eq!(encoded(&Serde(Event::Move { x: 1, y: -1 })), [2, 2, 1]);
        assert_eq!(encoded(&Serde(BTreeMap::from([(1_u8, true)]))), [1, 1, 1]);
        assert_eq!(Serde::<Event>::schema(), "serde(codecs_serde::Event)");
    }

    #[test]
    fn bytes_left_over_are_refused() {
        let mut bytes = encoded(&Serde(7_u32));
        bytes.push(0);
        refused(Serde::<u32>::decode(&bytes));
    }

    #[test]
    fn a_length_without_its_bytes_is_refused() {
        let huge = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01];
        refused(Serde::<Vec<u8>>::decode(&huge));
        refused(Serde::<String>::decode(&huge));
        refused(Serde::<Vec<[u64; 32]>>::decode(&huge));
        refused(Serde::<HashMap<u64, u64>>::decode(&huge));
    }

    /// Takes no bytes, but memory.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Skipped {
        #[serde(skip)]
        cache: [u64; 16],
    }

    #[test]
    fn elements_without_bytes_are_bounded_in_both_directions_alike() {
        // 2^63 - 1 elements in nine bytes: without the bound this fills memory, or (units) never ends.
        let huge = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F];
        refused(Serde::<Vec<Skipped>>::decode(&huge));
        refused(Serde::<Vec<()>>::decode(&huge));

        let most = Serde(vec![Skipped::default(); 1024]);
        assert_eq!(Serde::<Vec<Skipped>>::decode(&encoded(&most)).unwrap(), most);
        refused(Serde(vec![Skipped::default(); 2048]).encode(&mut Vec::new()));
    }

    #[test]
    fn nesting_is_bounded_in_both_directions_alike() {
        bounded_nesting(Serde);
    }
}

/// Each byte `1` asks for one more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Chain(Option<Box<Chain>>);

fn bounded_nesting<W: Encode + Decode + PartialEq + std::fmt::Debug>(wrap: impl Fn(Chain) -> W) {
    let chain =
        |links: usize| wrap((1..links).fold(Chain(None), |chain, _| Chain(Some(Box::new(chain)))));
    let fine = chain(20);
    assert_eq!(W::decode(&encoded(&fine)).unwrap(), fine);

    // Whatever can be written can be read.
    let deepest = (1..200)
        .take_while(|links| {
            let mut bytes = Vec::new();
            let written = chain(*links).encode(&mut bytes);
            written.is_ok_and(|()| W::decode(&bytes).unwrap() == chain(*links))
        })
        .last()
        .unwrap();
    assert!((40..200).contains(&deepest), "{deepest}");
    assert!(refused(chain(deepest + 1).encode(&mut Vec::new())).contains("128 levels"));
    assert!(refused(W::decode(&vec![1; 1 << 20])).contains("128 levels"));
}

mod keys {
    use super::*;

    codec_suite!(event: OrderedSerde<Event>, events().into_iter().map(OrderedSerde));
    codec_suite!(signed: OrderedSerde<(i8, i64)>, [
        OrderedSerde((-128, i64::MIN)), OrderedSerde((-1, 0)), OrderedSerde((0, -1)), OrderedSerde((0, 0)),
        OrderedSerde((127, i64::MAX)),
    ]);
    codec_suite!(set: OrderedSerde<BTreeSet<String>>, [
        OrderedSerde(BTreeSet::new()),
        OrderedSerde(BTreeSet::from([String::new()])),
        OrderedSerde(BTreeSet::from([String::new(), "\0".to_owned()])),
        OrderedSerde(BTreeSet::from(["a".to_owned()])),
    ]);
    codec_suite!(units: OrderedSerde<((), Vec<()>)>, [
        OrderedSerde(((), vec![])), OrderedSerde(((), vec![()])), OrderedSerde(((), vec![(); 20])),
    ]);
    codec_suite!(character: OrderedSerde<Option<char>>, [
        OrderedSerde(None), OrderedSerde(Some('a')), OrderedSerde(Some('é')), OrderedSerde(Some('🦀')),
    ]);
    // memcomparable writes addresses as octets, and by itself would read them as texts.
    codec_suite!(address: OrderedSerde<IpAddr>, [
        OrderedSerde(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 9))),
        OrderedSerde(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 10))),
        OrderedSerde(IpAddr::V6(Ipv6Addr::LOCALHOST)),
    ]);
    codec_suite!(duration: OrderedSerde<Duration>, [
        OrderedSerde(Duration::ZERO), OrderedSerde(Duration::new(1, 5)), OrderedSerde(Duration::from_secs(1)),
    ]);

    #[test]
    fn golden_bytes() {
        let bytes = encoded(&OrderedSerde((1_u16, -1_i16, true, "a\0", Some(()))));
        let expected: &[&[u8]] =
            &[&[0, 1], &[0x7F, 0xFF], &[1], &[1, b'a', 0, 0, 0, 0, 0, 0, 0, 2], &[1]];
        assert_eq!(bytes, expected.concat());
        assert_eq!(encoded(&OrderedSerde("eight by")), b"\x01eight by\x08");
        assert_eq!(encoded(&OrderedSerde("eight byt")), b"\x01eight by\x09t\0\0\0\0\0\0\0\x01");
        assert_eq!(encoded(&OrderedSerde("")), [0]);
        assert_eq!(encoded(&OrderedSerde(vec![1_u8, 2])), [1, 1, 1, 2, 0]);
        assert_eq!(encoded(&OrderedSerde(Event::Move { x: 0, y: 0 })), [2, 0x80, 0, 0x80, 0]);
        assert_eq!(encoded(&OrderedSerde('a')), [0, 0, 0, b'a']);
        assert_eq!(OrderedSerde::<Event>::schema(), "ordered_serde(codecs_serde::Event)");
    }

    #[test]
    fn bytes_that_end_early_are_refused() {
        // memcomparable panics on them.
        for event in events().into_iter().map(OrderedSerde) {
            let bytes = encoded(&event);
            for end in 0..bytes.len() {
                let error = refused(OrderedSerde::<Event>::decode(&bytes[..end]));
                assert!(error.starts_with("the stored bytes end within a value"), "{error}");
            }
        }
    }

    #[test]
    fn a_string_has_one_byte_form() {
        // memcomparable ignores what fills up the last chunk.
        refused(OrderedSerde::<String>::decode(b"\x01abc\x00\x00x\x00\x00\x03"));
    }

    #[test]
    fn maps_are_refused_at_the_write() {
        refused(OrderedSerde(BTreeMap::from([(1, 2)])).encode(&mut Vec::new()));
    }

    #[test]
    fn an_enum_of_more_variants_than_tags_is_refused() {
        // memcomparable panics on it.
        struct Wide;
        impl Serialize for Wide {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_unit_variant("Wide", 256, "Last")
            }
        }
        refused(OrderedSerde(Wide).encode(&mut Vec::new()));
    }

    #[test]
    fn nesting_is_bounded_in_both_directions_alike() {
        bounded_nesting(OrderedSerde);
    }

    fn obeys<T>(samples: Vec<T>)
    where
        T: Serialize + DeserializeOwned + Ord + std::hash::Hash + Clone,
        T: Send + Sync + std::fmt::Debug + 'static,
        OrderedSerde<T>: StateKey,
    {
        let samples: Vec<_> = samples.into_iter().map(OrderedSerde).collect();
        codec_laws::key_comes_back(&samples);
        codec_laws::key_byte_order_is_cmp(&samples);
        codec_laws::key_parts_keep_order_and_show_their_end(&samples);
    }

    fn tiny() -> impl Strategy<Value = String> {
        vec(select(vec!['\0', '\u{1}', 'a', '\u{FF}']), 0..12).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn random_keys_obey(samples in vec((tiny(), vec(any::<i8>(), 0..3), tiny()), 2..5)) {
            obeys(samples);
        }

        #[test]
        fn random_bytes_are_refused_or_canonical(
            bytes in vec(select(vec![0, 1, 2, 3, 8, 9, 0x61, 0xFF]), 0..40),
        ) {
            if let Ok(value) = OrderedSerde::<Vec<Event>>::decode(&bytes) {
                prop_assert_eq!(encoded(&value), bytes);
            }
        }
    }
}
