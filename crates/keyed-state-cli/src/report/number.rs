/// Returns a number for reading: three significant digits, with `k` and `M` for thousands and millions from 10,000 on.
///
/// ```
/// use keyed_state_cli::report::short;
///
/// let all = [0.0, 0.5234, 12.34, 2_500.0, 43_210.0, 168_521_000.0].map(short);
/// assert_eq!(all, ["0", "0.523", "12.3", "2,500", "43.2k", "169M"]);
/// ```
#[must_use]
pub fn short(number: f64) -> String {
    let (scaled, unit) = match number.abs() {
        size if size >= 999_500.0 => (number / 1e6, "M"),
        size if size >= 9_995.0 => (number / 1e3, "k"),
        _ => (number, ""),
    };
    let digits = match scaled.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        size if size >= 0.9995 => 2,
        size if size >= 0.09995 => 3,
        size if size >= 0.009_995 => 4,
        _ => 5,
    };
    let mut text = format!("{scaled:.digits$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    // Four digits before the point, at most: `short` goes over to thousands above.
    if unit.is_empty() && scaled.abs() >= 999.5 {
        text.insert(text.len() - 3, ',');
    }
    text + unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_carries_over_to_the_next_unit() {
        assert_eq!(short(999.7), "1,000");
        assert_eq!(short(9_994.0), "9,994");
        assert_eq!(short(9_996.0), "10k");
        assert_eq!(short(999_499.0), "999k");
        assert_eq!(short(999_600.0), "1M");
        assert_eq!(short(-12_000.0), "-12k");
        assert_eq!(short(0.000_01), "0.00001");
        assert_eq!(short(100.0), "100");
    }
}
