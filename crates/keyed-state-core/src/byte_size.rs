use crate::{Error, ErrorKind, Result};

/// Reads a size from text: bytes, or a number followed by `KiB`, `MiB` or `GiB`. For backend authors, whose options come by URL.
///
/// ```
/// use keyed_state_core::parse_byte_size;
///
/// assert_eq!(parse_byte_size("256MiB")?, 256 << 20);
/// assert!(parse_byte_size("256 MB").is_err());
/// # Ok::<(), keyed_state_core::Error>(())
/// ```
///
/// # Errors
///
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for anything else, and for more than 2⁶⁴ bytes.
pub fn parse_byte_size(text: &str) -> Result<u64> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];
    let (count, unit) = units
        .into_iter()
        .find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?, unit)))
        .unwrap_or((text, 1_u64));
    // Not `parse` alone, which takes a plus sign.
    let digits = count.bytes().all(|byte| byte.is_ascii_digit());
    let count = digits.then(|| count.parse().ok()).flatten();
    count.and_then(|count: u64| count.checked_mul(unit)).ok_or_else(|| {
        Error::new(
            ErrorKind::InvalidArgument,
            format!(
                "expected a size in bytes, or with a unit such as 64KiB, 256MiB or 2GiB, not {text:?}"
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f2_sizes_are_read_or_refused() {
        assert_eq!(parse_byte_size("0").unwrap(), 0);
        assert_eq!(parse_byte_size("64KiB").unwrap(), 65_536);
        assert_eq!(parse_byte_size("2GiB").unwrap(), 2 << 30);
        for bad in [
            "",
            "KiB",
            "+1",
            "-1",
            "1.5MiB",
            "1 MiB",
            "1MB",
            "99999999999999999999",
            "17179869184GiB",
        ] {
            assert_eq!(
                parse_byte_size(bad).unwrap_err().kind(),
                ErrorKind::InvalidArgument,
                "{bad}"
            );
        }
    }
}
