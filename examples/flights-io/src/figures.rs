use std::time::Duration;

/// Returns the time in seconds, and `events` by the second.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a rate for people and plots, not for counting")]
pub fn rate(events: u64, time: Duration) -> (f64, f64) {
    let seconds = time.as_secs_f64();
    let events_per_s = if seconds > 0.0 { (events as f64 / seconds).round() } else { 0.0 };
    ((seconds * 1e6).round() / 1e6, events_per_s)
}

/// Shows a number with a comma after every third digit from the right.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// Shows a rate as [`grouped`] shows a number.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rate is neither negative nor near 2^64, and `as` saturates"
)]
pub fn grouped_rate(per_second: f64) -> String {
    grouped(per_second as u64)
}

/// Returns a bar of up to 20 characters, in steps of an eighth of one.
#[must_use]
pub fn bar(count: u64, most: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = usize::try_from(count * 20 * 8 / most.max(1)).unwrap_or(0);
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let numbers = [0, 7, 999, 1000, 65_536, 336_776, 1_000_000, u64::MAX].map(grouped);
        let shown = ["0", "7", "999", "1,000", "65,536", "336,776", "1,000,000"];
        assert_eq!(numbers[..7], shown);
        assert_eq!(numbers[7], "18,446,744,073,709,551,615");
    }

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(bar(0, 0), "");
        assert_eq!(bar(8, 8), "█".repeat(20));
        assert_eq!(bar(1, 160), "▏");
        assert_eq!(bar(1, 2), "█".repeat(10));
    }

    #[test]
    fn a_run_without_time_has_no_rate() {
        assert_eq!(rate(5, Duration::ZERO), (0.0, 0.0));
        assert_eq!(rate(1000, Duration::from_millis(500)), (0.5, 2000.0));
    }
}
