//! The laws of the codecs of scalars, on the values where they break if they do.

use std::{
    marker::PhantomData,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use keyed_state_core::{TotalF32, TotalF64, codec_suite};

macro_rules! integer_suites {
    ($($name:ident: $type:ident;)*) => {$(
        codec_suite!($name: $type, {
            let near = [0, 1, 2, $type::MAX / 2, $type::MAX - 1, $type::MAX, $type::MIN];
            // 0 to 0x00FF, 0x0100 and so on: where a byte carries into the next.
            let carries = (0..$type::BITS).map(|bit| (1 as $type) << bit);
            let all = near.into_iter().chain(carries);
            all.flat_map(|n| [n, n.wrapping_sub(1), n.wrapping_neg()])
        });
    )*};
}

integer_suites! {
    unsigned_8: u8;
    unsigned_16: u16;
    unsigned_32: u32;
    unsigned_64: u64;
    unsigned_128: u128;
    signed_8: i8;
    signed_16: i16;
    signed_32: i32;
    signed_64: i64;
    signed_128: i128;
}

codec_suite!(unit: (), [()]);
codec_suite!(phantom: PhantomData<str>, [PhantomData]);
codec_suite!(boolean: bool, [false, true]);
codec_suite!(character: char, [
    '\0', '\u{1}', 'a', 'z', '\u{7f}', '\u{80}', 'é', '\u{d7ff}', '\u{e000}', '\u{ffff}', '🦀', char::MAX,
]);
codec_suite!(duration: Duration, [
    Duration::ZERO,
    Duration::from_nanos(1),
    Duration::from_nanos(999_999_999),
    Duration::from_secs(1),
    Duration::from_millis(1500),
    Duration::MAX,
]);

const V4: [Ipv4Addr; 5] = [
    Ipv4Addr::UNSPECIFIED,
    Ipv4Addr::LOCALHOST,
    // As texts they sort the other way round.
    Ipv4Addr::new(10, 0, 0, 9),
    Ipv4Addr::new(10, 0, 0, 10),
    Ipv4Addr::BROADCAST,
];
const V6: [Ipv6Addr; 3] =
    [Ipv6Addr::UNSPECIFIED, Ipv6Addr::LOCALHOST, Ipv6Addr::new(0xFFFF, 0, 0, 0, 0, 0, 0, 1)];

codec_suite!(ipv4: Ipv4Addr, V4);
codec_suite!(ipv6: Ipv6Addr, V6);
codec_suite!(ip: IpAddr, V4.map(IpAddr::V4).into_iter().chain(V6.map(IpAddr::V6)));

/// In ascending total order.
const FLOATS: [f64; 12] = [
    f64::NEG_INFINITY,
    f64::MIN,
    -1.5,
    -1.0,
    -f64::MIN_POSITIVE,
    -5e-324,
    -0.0,
    0.0,
    5e-324,
    1.0,
    f64::MAX,
    f64::INFINITY,
];

fn floats_and_nans() -> Vec<f64> {
    // Two quiet NaNs of either sign, and two of other payloads.
    let nans = [0x7FF8 << 48, 0xFFF8 << 48, 0x7FF8_0000_0000_0001, 0xFFFF << 48];
    FLOATS.into_iter().chain(nans.map(f64::from_bits)).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding gives zeros and infinities, which are wanted"
)]
fn floats_and_nans_32() -> Vec<f32> {
    let mut all: Vec<f32> = FLOATS.map(|float| float as f32).into();
    all.extend([0x7FC0_0000, 0xFFC0_0000, 0x7FC0_0001, 0xFFFF_0000, 1].map(f32::from_bits));
    all
}

codec_suite!(value float_64: f64, floats_and_nans());
codec_suite!(value float_32: f32, floats_and_nans_32());
codec_suite!(total_64: TotalF64, floats_and_nans().into_iter().map(TotalF64));
codec_suite!(total_32: TotalF32, floats_and_nans_32().into_iter().map(TotalF32));

#[test]
fn total_order_is_the_one_of_ieee_754() {
    let ascending: Vec<TotalF64> = FLOATS.into_iter().map(TotalF64).collect();
    assert!(ascending.is_sorted_by(|a, b| a < b));
    assert!(TotalF64(-f64::NAN) < ascending[0]);
    assert!(TotalF64(f64::NAN) > ascending[FLOATS.len() - 1]);
}
