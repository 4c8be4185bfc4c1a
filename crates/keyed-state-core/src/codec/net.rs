use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::{Decode, Encode, StateKey, fixed};
use crate::Result;

macro_rules! addresses {
    ($($type:ident, $schema:literal;)*) => {$(
        impl Encode for $type {
            #[inline]
            fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
                out.extend_from_slice(&self.octets());
                Ok(())
            }

            #[inline]
            fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
                self.encode(out)
            }
        }

        impl Decode for $type {
            #[inline]
            fn decode(bytes: &[u8]) -> Result<Self> {
                fixed::exactly(bytes, $schema).map(Self::from_octets)
            }

            #[inline]
            fn decode_part(input: &mut &[u8]) -> Result<Self> {
                fixed::take(input, $schema).map(Self::from_octets)
            }

            fn schema() -> String {
                $schema.to_owned()
            }
        }

        impl StateKey for $type {}
    )*};
}

addresses! {
    Ipv4Addr, "ipv4";
    Ipv6Addr, "ipv6";
}

/// The tag is the version, so that version 4 comes first, as in `Ord`.
impl Encode for IpAddr {
    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::V4(address) => (4_u8, address).encode(out),
            Self::V6(address) => (6_u8, address).encode(out),
        }
    }

    fn encode_part(&self, out: &mut Vec<u8>) -> Result<()> {
        self.encode(out)
    }
}

impl Decode for IpAddr {
    fn decode(bytes: &[u8]) -> Result<Self> {
        fixed::whole(bytes, "ip", Self::decode_part)
    }

    fn decode_part(input: &mut &[u8]) -> Result<Self> {
        match fixed::take(input, "version of an IP address")? {
            [4] => Ipv4Addr::decode_part(input).map(Self::V4),
            [6] => Ipv6Addr::decode_part(input).map(Self::V6),
            [other] => Err(fixed::invalid("version of an IP address", other)),
        }
    }

    fn schema() -> String {
        "ip".to_owned()
    }
}

impl StateKey for IpAddr {}
