//! Keys as they are stored: as they are, but for a place that is kept free above all of them.
//!
//! | key | stored as |
//! | --- | --- |
//! | eight bytes `FF` and the rest | eight bytes `FF`, `00`, the rest |
//! | any other | itself |
//! | none: [`ANCHOR`] | eight bytes `FF`, `01` |
//!
//! The order stays. Core's keys never begin with `FF`.

use std::borrow::Cow;

const TOP: [u8; 8] = [0xFF; 8];
const ESCAPE: u8 = 0;

/// Above every stored key, and no key's form.
pub(crate) const ANCHOR: [u8; 9] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1];

/// Returns the form in which a key, or the bound of a range, is stored.
pub(crate) fn stored(key: &[u8]) -> Cow<'_, [u8]> {
    match key.strip_prefix(&TOP) {
        None => Cow::Borrowed(key),
        Some(rest) => Cow::Owned([&TOP, [ESCAPE].as_slice(), rest].concat()),
    }
}

/// Returns the key of a stored form.
pub(crate) fn original(stored: &[u8]) -> Cow<'_, [u8]> {
    match stored.strip_prefix(&TOP) {
        None => Cow::Borrowed(stored),
        Some(rest) => Cow::Owned([&TOP, rest.get(1..).unwrap_or_default()].concat()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key() -> impl Strategy<Value = Vec<u8>> {
        let letter = prop::sample::select(vec![0_u8, 1, 0xFE, 0xFF]);
        (0..=9_usize, prop::collection::vec(letter, 0..4))
            .prop_map(|(high, rest)| [vec![0xFF; high], rest].concat())
    }

    proptest! {
        #[test]
        fn stored_keys_keep_the_order_and_come_back(a in key(), b in key()) {
            prop_assert_eq!(a.cmp(&b), stored(&a).cmp(&stored(&b)));
            let form = stored(&a);
            prop_assert_eq!(&*original(&form), a.as_slice());
            prop_assert!(&*form < ANCHOR.as_slice());
        }
    }
}
