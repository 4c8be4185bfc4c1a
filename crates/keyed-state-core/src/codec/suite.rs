/// Tests the laws of [`StateKey`](crate::StateKey), or of a value's codec, for a type of yours: one `#[test]` a law.
///
/// `codec_suite!(name: Type, samples)` is for keys, `codec_suite!(value name: Type, samples)` for values. It
/// makes a module `name`, so it stands where items stand. `samples` is anything that iterates over values of
/// `Type` (an array, a `Vec`, a proptest strategy's draws); it is evaluated in each test. Put in what is
/// special for the type: smallest, largest, empty, one that begins another, zero bytes and `FF` inside.
///
/// Cost: time for each pair of samples; a few hundred samples are fine.
///
/// ```
/// use keyed_state_core::codec_suite;
///
/// codec_suite!(route: (String, String), [
///     (String::new(), String::new()),
///     ("JFK".to_owned(), "LAX".to_owned()),
///     ("JFK\0".to_owned(), "LAX".to_owned()),
///     ("JFKL".to_owned(), "AX".to_owned()),
/// ]);
/// codec_suite!(value mean_delay: f64, [0.0, -0.0, 12.5, f64::NAN, f64::INFINITY]);
/// # fn main() {}
/// ```
///
/// The functions behind it are in [`codec_laws`](crate::codec_laws).
#[macro_export]
macro_rules! codec_suite {
    (value $name:ident: $type:ty, $samples:expr $(,)?) => {
        $crate::__codec_suite! {
            $name: $type, $samples =>
            value_comes_back
            value_damaged_bytes_decode_or_err
        }
    };
    ($name:ident: $type:ty, $samples:expr $(,)?) => {
        $crate::__codec_suite! {
            $name: $type, $samples =>
            key_comes_back
            key_byte_order_is_cmp
            key_parts_keep_order_and_show_their_end
            key_cmp_eq_hash_and_clone_agree
            key_damaged_bytes_decode_or_err
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __codec_suite {
    ($name:ident: $type:ty, $samples:expr => $($law:ident)*) => {
        #[cfg(test)]
        mod $name {
            #[allow(unused_imports, reason = "the type and the samples may name nothing of the outer module")]
            use super::*;

            $(
                #[test]
                fn $law() {
                    let samples: ::std::vec::Vec<$type> =
                        ::std::iter::Iterator::collect(::std::iter::IntoIterator::into_iter($samples));
                    $crate::codec_laws::$law(&samples);
                }
            )*
        }
    };
}
