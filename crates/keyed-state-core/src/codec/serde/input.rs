use bytes::Buf;

use crate::{Error, ErrorKind, Result};

/// Stored bytes as memcomparable reads them, without a panic at their end.
///
/// memcomparable does not ask whether there are enough bytes, and `Buf` panics where there are not. This one
/// gives zeros, which end every list and string, and remembers it.
pub(super) struct Input<'a> {
    bytes: &'a [u8],
    ended: bool,
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, ended: false }
    }

    /// Returns what was not read, if there were bytes for all that was.
    pub(super) fn rest(self) -> Result<&'a [u8]> {
        if self.ended {
            return Err(Error::new(ErrorKind::Codec, "the stored bytes end within a value"));
        }
        Ok(self.bytes)
    }

    fn take(&mut self, count: usize) -> &'a [u8] {
        if let Some((taken, rest)) = self.bytes.split_at_checked(count) {
            self.bytes = rest;
            taken
        } else {
            self.bytes = &[];
            self.ended = true;
            &[]
        }
    }

    fn take_array<const N: usize>(&mut self) -> [u8; N] {
        self.take(N).try_into().unwrap_or([0; N])
    }
}

impl Buf for Input<'_> {
    fn remaining(&self) -> usize {
        self.bytes.len()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes
    }

    fn advance(&mut self, count: usize) {
        self.take(count);
    }

    fn copy_to_slice(&mut self, target: &mut [u8]) {
        let taken = self.take(target.len());
        target[..taken.len()].copy_from_slice(taken);
        target[taken.len()..].fill(0);
    }

    fn get_u8(&mut self) -> u8 {
        u8::from_be_bytes(self.take_array())
    }

    fn get_u16(&mut self) -> u16 {
        u16::from_be_bytes(self.take_array())
    }

    fn get_u32(&mut self) -> u32 {
        u32::from_be_bytes(self.take_array())
    }

    fn get_u64(&mut self) -> u64 {
        u64::from_be_bytes(self.take_array())
    }

    fn get_u128(&mut self) -> u128 {
        u128::from_be_bytes(self.take_array())
    }
}
