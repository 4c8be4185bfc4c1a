use super::generations::FIRST_GENERATION;
use crate::{
    BackendOptions, Encode, Error, ErrorKind, KeyRange, Result, StateKey, range::count_up, varint,
};

/// The longest composite key, in bytes: key group, key, namespace, generation, user key and the lengths
/// between them. The least of the engines' own limits (one less than fjall's, whose adapter keeps a key for itself), so that all
/// behave alike. The generation counts as nine bytes, its longest form, lest a clear make a key too long.
pub const MAX_KEY_BYTES: usize = 65_534;

const GROUP_BYTES: usize = 2;

/// How much longer a generation may become than the first one is.
const GENERATION_RESERVE: usize = varint::MAX_BYTES - 1;

/// What all entries of a view share: everything up to the user key.
#[derive(Debug, Default)]
pub(super) struct Prefix {
    bytes: Vec<u8>,
    /// The first key after all that start with `bytes`.
    end: Vec<u8>,
    /// Where the namespace begins; what is before changes only with the key.
    key_end: usize,
    /// Where the generation begins.
    map_end: usize,
}

impl Prefix {
    /// Returns the bytes; valid after `set_key` and `set_namespace`.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the range of the keys that start with the bytes, which are its start.
    pub(super) fn range(&self) -> KeyRange<'_> {
        KeyRange::new(&self.bytes, Some(&self.end))
    }

    /// Returns what all entries of the map share, whenever written: what is before the generation.
    pub(super) fn map(&self) -> &[u8] {
        &self.bytes[..self.map_end]
    }

    /// Fills `out` with the composite key of a map's entry.
    pub(super) fn composite<Q: Encode + ?Sized>(&self, key: &Q, out: &mut Vec<u8>) -> Result<()> {
        out.clear();
        out.extend_from_slice(&self.bytes);
        key.encode(out)?;
        let generation_bytes = self.bytes.len() - self.map_end;
        check_length(out.len() - generation_bytes + 1)
    }

    /// Starts a prefix with `key`. On an error the earlier one stays.
    pub(super) fn set_key<K: StateKey>(
        &mut self,
        key: &K,
        options: &BackendOptions,
        scratch: &mut Vec<u8>,
    ) -> Result<()> {
        scratch.clear();
        key.encode(scratch)?;
        check_key_length(scratch)?;
        let group = options.groups().group_of(scratch);
        options.check_owned(group)?;
        self.bytes.clear();
        self.bytes.extend_from_slice(&group.to_be_bytes());
        append_framed(scratch, &mut self.bytes);
        self.key_end = self.bytes.len();
        Ok(())
    }

    /// Puts `namespace` and the first generation behind the key.
    pub(super) fn set_namespace<N: StateKey>(
        &mut self,
        namespace: &N,
        scratch: &mut Vec<u8>,
    ) -> Result<()> {
        scratch.clear();
        namespace.encode(scratch)?;
        self.bytes.truncate(self.key_end);
        append_framed(scratch, &mut self.bytes);
        self.map_end = self.bytes.len();
        self.set_generation(FIRST_GENERATION);
        check_key_length(&self.bytes)
    }

    /// Puts another generation in the place of the present one.
    pub(super) fn set_generation(&mut self, generation: u64) {
        self.bytes.truncate(self.map_end);
        varint::encode(generation, &mut self.bytes);
        self.end.clear();
        self.end.extend_from_slice(&self.bytes);
        let counted_up = count_up(&mut self.end);
        debug_assert!(counted_up, "a key group's first byte is below FF");
    }
}

/// Refuses a composite key under the first generation, or a part of one, that not every engine could store under every
/// generation.
pub(super) fn check_key_length(key: &[u8]) -> Result<()> {
    check_length(key.len())
}

fn check_length(length: usize) -> Result<()> {
    let most = MAX_KEY_BYTES - GENERATION_RESERVE;
    if length <= most {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!(
            "key, namespace and map key together must have at most {most} encoded bytes, not {length}"
        ),
    ))
}

/// Appends `part` behind its length: no framed part begins another, whatever its bytes.
fn append_framed(part: &[u8], out: &mut Vec<u8>) {
    varint::encode(part.len() as u64, out);
    out.extend_from_slice(part);
}

fn take_framed<'a>(input: &mut &'a [u8]) -> Result<&'a [u8]> {
    let length = varint::decode(input)?;
    let (part, rest) = usize::try_from(length)
        .ok()
        .and_then(|length| input.split_at_checked(length))
        .ok_or_else(|| malformed("a length points past the key's end"))?;
    *input = rest;
    Ok(part)
}

fn malformed(what: &'static str) -> Error {
    Error::new(ErrorKind::Codec, format!("a stored key is malformed: {what}"))
}

/// A stored key taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StoredKey<'a> {
    pub(super) key: &'a [u8],
    pub(super) namespace: &'a [u8],
    /// How many bytes come before the generation: what all entries of a map share, whenever written.
    pub(super) map_len: usize,
    pub(super) generation: u64,
    /// The key of a map's entry; nothing for values.
    pub(super) user_key: &'a [u8],
}

impl<'a> StoredKey<'a> {
    pub(super) fn parse(stored: &'a [u8]) -> Result<Self> {
        let mut rest =
            stored.get(GROUP_BYTES..).ok_or_else(|| malformed("it is shorter than a key group"))?;
        let key = take_framed(&mut rest)?;
        let namespace = take_framed(&mut rest)?;
        let map_len = stored.len() - rest.len();
        let generation = varint::decode(&mut rest)?;
        Ok(Self { key, namespace, map_len, generation, user_key: rest })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::MaxParallelism;

    fn tiny() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop::sample::select(vec![0_u8, 1, 0x61, 0xFF]), 0..5)
    }

    fn prefix(groups: u32, key: &[u8], namespace: &[u8]) -> Vec<u8> {
        let options = BackendOptions::new().max_parallelism(MaxParallelism::new(groups).unwrap());
        let mut prefix = Prefix::default();
        prefix.set_key(&key.to_vec(), &options, &mut Vec::new()).unwrap();
        prefix.set_namespace(&namespace.to_vec(), &mut Vec::new()).unwrap();
        prefix.bytes().to_vec()
    }

    proptest! {
        #[test]
        fn k4_no_prefix_begins_another(
            groups in prop::sample::select(vec![1, 2, 128, 32_767, 32_768]),
            a in (tiny(), tiny()),
            b in (tiny(), tiny()),
        ) {
            prop_assume!(a != b);
            let (a, b) = (prefix(groups, &a.0, &a.1), prefix(groups, &b.0, &b.1));
            prop_assert!(!a.starts_with(&b) && !b.starts_with(&a));
        }

        #[test]
        fn stored_keys_come_apart(
            key in tiny(),
            namespace in tiny(),
            generation in prop::sample::select(vec![0, 1, 0xF7, 0xF8, 1 << 47]),
            user_key in tiny(),
        ) {
            let mut prefix = Prefix::default();
            prefix.set_key(&key, &BackendOptions::new(), &mut Vec::new()).unwrap();
            prefix.set_namespace(&namespace, &mut Vec::new()).unwrap();
            prefix.set_generation(generation);
            let mut stored = Vec::new();
            prefix.composite(&user_key, &mut stored).unwrap();
            let parsed = StoredKey::parse(&stored).unwrap();
            prop_assert_eq!(&stored[..parsed.map_len], prefix.map());
            prop_assert!(prefix.range().contains(&stored));
            let map_len = parsed.map_len;
            let expected =
                StoredKey { key: &key, namespace: &namespace, map_len, generation, user_key: &user_key };
            prop_assert_eq!(parsed, expected);
        }

        #[test]
        fn f2_any_bytes_parse_or_err(bytes in prop::collection::vec(any::<u8>(), 0..30)) {
            if let Ok(stored) = StoredKey::parse(&bytes) {
                prop_assert!(stored.map_len <= bytes.len());
            }
        }
    }

    #[test]
    fn k4_long_parts_are_framed_too() {
        let long = vec![0xFF; 300];
        let stored = prefix(1, &long, &long);
        assert_eq!(stored.len(), 2 + 3 + 300 + 3 + 300 + 1);
        assert_eq!(StoredKey::parse(&stored).unwrap().namespace, long);
    }

    #[test]
    fn golden_bytes() {
        assert_eq!(prefix(1, b"ab", b""), [0, 0, 2, b'a', b'b', 0, 0]);
        assert_eq!(prefix(1, b"", b"n"), [0, 0, 0, 1, b'n', 0]);
    }
}
