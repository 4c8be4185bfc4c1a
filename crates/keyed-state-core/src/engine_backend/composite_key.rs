use crate::{
    BackendOptions, Error, ErrorKind, KeyRange, Result, StateKey, range::count_up, varint,
};

/// The longest composite key, in bytes: key group, key, namespace, generation, user key and the lengths
/// between them. The least of the engines' own limits (fjall's), so that all behave alike.
pub const MAX_KEY_BYTES: usize = 65_535;

const GROUP_BYTES: usize = 2;

/// The generation of entries that no generational clear has touched.
const FIRST_GENERATION: u64 = 0;

/// What all entries of a view share: everything up to the user key.
#[derive(Debug, Default)]
pub(super) struct Prefix {
    bytes: Vec<u8>,
    /// The first key after all that start with `bytes`.
    end: Vec<u8>,
    /// Where the namespace begins; what is before changes only with the key.
    key_end: usize,
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

    /// Puts `namespace` and the generation behind the key.
    pub(super) fn set_namespace<N: StateKey>(
        &mut self,
        namespace: &N,
        scratch: &mut Vec<u8>,
    ) -> Result<()> {
        scratch.clear();
        namespace.encode(scratch)?;
        self.bytes.truncate(self.key_end);
        append_framed(scratch, &mut self.bytes);
        varint::encode(FIRST_GENERATION, &mut self.bytes);
        self.end.clear();
        self.end.extend_from_slice(&self.bytes);
        let counted_up = count_up(&mut self.end);
        debug_assert!(counted_up, "a key group's first byte is below FF");
        check_key_length(&self.bytes)
    }
}

/// Refuses a composite key, or a part of one, that not every engine could store.
pub(super) fn check_key_length(key: &[u8]) -> Result<()> {
    if key.len() <= MAX_KEY_BYTES {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!(
            "key, namespace and map key together must have at most {MAX_KEY_BYTES} encoded bytes, not {}",
            key.len()
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
}

impl<'a> StoredKey<'a> {
    pub(super) fn parse(stored: &'a [u8]) -> Result<Self> {
        let mut rest =
            stored.get(GROUP_BYTES..).ok_or_else(|| malformed("it is shorter than a key group"))?;
        let key = take_framed(&mut rest)?;
        let namespace = take_framed(&mut rest)?;
        let map_len = stored.len() - rest.len();
        varint::decode(&mut rest)?;
        Ok(Self { key, namespace, map_len })
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
        fn stored_keys_come_apart(key in tiny(), namespace in tiny(), user_key in tiny()) {
            let mut stored = prefix(128, &key, &namespace);
            let map_len = stored.len() - 1;
            stored.extend_from_slice(&user_key);
            let expected = StoredKey { key: &key, namespace: &namespace, map_len };
            prop_assert_eq!(StoredKey::parse(&stored).unwrap(), expected);
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
