//! The byte form of every built-in codec, byte by byte. State that was stored once must be readable for ever: if
//! a test here fails, the code is wrong, not the test.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]
#![allow(clippy::needless_pass_by_value, reason = "literals read better")]

use std::{
    fmt::Debug,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
    time::Duration,
};

use keyed_state_core::{Decode, Encode, TotalF32, TotalF64};

/// Checks the whole form, the part and the schema, each way.
#[track_caller]
fn golden<T: Encode + Decode + PartialEq + Debug>(value: T, whole: &str, part: &str, schema: &str) {
    let mut bytes = Vec::new();
    value.encode(&mut bytes).unwrap();
    assert_eq!(hex(&bytes), whole, "whole form of {value:?}");
    assert_eq!(T::decode(&bytes).unwrap(), value);

    bytes.clear();
    value.encode_part(&mut bytes).unwrap();
    assert_eq!(hex(&bytes), part, "part of {value:?}");
    assert_eq!(T::decode_part(&mut bytes.as_slice()).unwrap(), value);

    assert_eq!(T::schema(), schema);
}

/// A form that is the same for both.
#[track_caller]
fn fixed<T: Encode + Decode + PartialEq + Debug>(value: T, bytes: &str, schema: &str) {
    golden(value, bytes, bytes, schema);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn integers() {
    fixed(0x12_u8, "12", "u8");
    fixed(0x1234_u16, "12 34", "u16");
    fixed(0x1234_5678_u32, "12 34 56 78", "u32");
    fixed(1_u64, "00 00 00 00 00 00 00 01", "u64");
    fixed(1_u128, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01", "u128");
    fixed(-1_i8, "7f", "i8");
    fixed(1_i16, "80 01", "i16");
    fixed(-2_i32, "7f ff ff fe", "i32");
    fixed(i64::MIN, "00 00 00 00 00 00 00 00", "i64");
    fixed(0_i128, "80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", "i128");
}

#[test]
fn other_scalars() {
    fixed((), "", "()");
    fixed(false, "00", "bool");
    fixed(true, "01", "bool");
    fixed('🦀', "00 01 f9 80", "char");
    fixed(1.5_f32, "3f c0 00 00", "f32");
    fixed(-0.0_f64, "80 00 00 00 00 00 00 00", "f64");
    fixed(TotalF32(1.5), "bf c0 00 00", "total_f32");
    fixed(TotalF32(-1.5), "40 3f ff ff", "total_f32");
    fixed(TotalF64(0.0), "80 00 00 00 00 00 00 00", "total_f64");
    fixed(TotalF64(-0.0), "7f ff ff ff ff ff ff ff", "total_f64");
    fixed(Duration::new(1, 2), "00 00 00 00 00 00 00 01 00 00 00 02", "duration");
    fixed(Ipv4Addr::new(10, 0, 0, 9), "0a 00 00 09", "ipv4");
    fixed(Ipv6Addr::LOCALHOST, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01", "ipv6");
    fixed(IpAddr::V4(Ipv4Addr::LOCALHOST), "04 7f 00 00 01", "ip");
    fixed(
        IpAddr::V6(Ipv6Addr::LOCALHOST),
        "06 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01",
        "ip",
    );
}

#[test]
fn strings() {
    golden(String::new(), "", "00 00", "string");
    golden("a\0b".to_owned(), "61 00 62", "61 00 ff 62 00 00", "string");
    golden(Box::<str>::from("a"), "61", "61 00 00", "string");
    golden(Arc::<str>::from("a"), "61", "61 00 00", "string");
    golden(vec![0_u8, 0xFF], "00 ff", "00 ff ff 00 00", "bytes");
    fixed([0_u8, 0xFF], "00 ff", "[u8;2]");
}

#[test]
fn lists() {
    fixed(Vec::<u16>::new(), "00", "[u16]");
    fixed(vec![1_u16, 2], "01 00 01 01 00 02 00", "[u16]");
    fixed(vec!["a".to_owned()], "01 61 00 00 00", "[string]");
    golden([1_u16, 2], "01 00 01 01 00 02 00", "00 01 00 02", "[u16;2]");
}

#[test]
fn options_tuples_and_boxes() {
    fixed(None::<String>, "00", "option(string)");
    golden(Some("a".to_owned()), "01 61", "01 61 00 00", "option(string)");
    fixed((7_u8,), "07", "(u8)");
    golden(
        ("a".to_owned(), 7_u8, "b".to_owned()),
        "61 00 00 07 62",
        "61 00 00 07 62 00 00",
        "(string,u8,string)",
    );
    fixed((1_u8, 2_u8, 3_u8, 4_u8, 5_u8), "01 02 03 04 05", "(u8,u8,u8,u8,u8)");
    fixed(Box::new(7_u8), "07", "u8");
}
