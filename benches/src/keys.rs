//! The bytes that keyed-state stores for `u64` keys, built by hand for the raw contenders.

/// Returns the composite key of `(key, user_key)` without namespace, as drawn in the book ("Key format").
#[must_use]
pub fn composite(max_parallelism: keyed_state::MaxParallelism, key: u64, user_key: u64) -> Vec<u8> {
    let mut bytes = map_prefix(max_parallelism, key);
    bytes.extend_from_slice(&user_key.to_be_bytes());
    bytes
}

/// Returns what the entries of one key's map share.
#[must_use]
pub fn map_prefix(max_parallelism: keyed_state::MaxParallelism, key: u64) -> Vec<u8> {
    let key = key.to_be_bytes();
    let mut bytes = max_parallelism.group_of(&key).to_be_bytes().to_vec();
    bytes.push(8);
    bytes.extend_from_slice(&key);
    // No namespace, generation 0.
    bytes.extend_from_slice(&[0, 0]);
    bytes
}
