use std::fmt;

use jiff::{
    SignedDuration,
    civil::{DateTime, date},
};

const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);
const MINUTE_MS: i64 = 60_000;

/// A calendar month, shown as `YYYY-MM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    year: i16,
    month: i8,
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// A local time to the minute, in the years 1 to 9999: when an event happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventTime(DateTime);

impl EventTime {
    /// Reads `YYYY-MM-DDTHH:MM`; `None` for any other form and for days that no calendar has.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        if text.len() != 16 || [text[4], text[7], text[10], text[13]] != *b"--T:" {
            return None;
        }
        let two = |from: usize| number(&text[from..from + 2]).and_then(|n| i8::try_from(n).ok());
        let year = number(&text[..4])?;
        Self::checked(DateTime::new(year, two(5)?, two(8)?, two(11)?, two(14)?, 0, 0).ok()?)
    }

    fn checked(time: DateTime) -> Option<Self> {
        (time.year() >= 1).then_some(Self(time))
    }

    /// Returns the time so many minutes later, or `None` if no year from 1 to 9999 has it.
    pub(crate) fn plus_min(self, minutes: i32) -> Option<Self> {
        let later = self.0.checked_add(SignedDuration::from_mins(minutes.into())).ok()?;
        Self::checked(later)
    }

    /// Returns the month that the time lies in.
    #[must_use]
    pub fn month(self) -> Month {
        Month { year: self.0.year(), month: self.0.month() }
    }

    /// Returns the milliseconds since 1970, as if every day had 24 hours: local time knows no other.
    #[must_use]
    pub fn ms(self) -> i64 {
        self.0.duration_since(EPOCH).as_mins() * MINUTE_MS
    }

    /// Returns the minute of [`ms`](Self::ms), or `None` if no year from 1 to 9999 has it.
    #[must_use]
    pub fn from_ms(ms: i64) -> Option<Self> {
        let since_epoch = SignedDuration::from_mins(ms.div_euclid(MINUTE_MS));
        Self::checked(EPOCH.checked_add(since_epoch).ok()?)
    }
}

impl fmt::Display for EventTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(time) = self;
        write!(f, "{}-{:02}T{:02}:{:02}", self.month(), time.day(), time.hour(), time.minute())
    }
}

/// Reads up to four decimal digits and nothing else (`str::parse` would take a sign).
fn number(digits: &[u8]) -> Option<i16> {
    digits
        .iter()
        .try_fold(0, |n, digit| digit.is_ascii_digit().then(|| n * 10 + i16::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_times_are_read_and_shown_alike() {
        for text in ["2013-01-01T05:15", "2012-02-29T00:00", "2000-02-29T23:59", "0001-12-31T12:30"]
        {
            let time = EventTime::parse(text.as_bytes()).unwrap();
            assert_eq!(time.to_string(), text);
            assert_eq!(time.month().to_string(), text[..7]);
        }
    }

    #[test]
    fn other_forms_and_impossible_dates_are_refused() {
        for text in [
            "",
            "2013-01-01",
            "2013-01-01 05:15",
            "2013-01-01T05:15Z",
            "2013-1-01T05:015",
            "+013-01-01T05:15",
            "2013-01-01T-5:15",
            "0000-01-01T00:00",
            "2013-00-01T00:00",
            "2013-13-01T00:00",
            "2013-01-00T00:00",
            "2013-01-32T00:00",
            "2013-04-31T00:00",
            "2013-02-29T00:00",
            "1900-02-29T00:00",
            "2013-01-01T24:00",
            "2013-01-01T00:60",
            "２０１３-01-01T00",
        ] {
            assert_eq!(EventTime::parse(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn order_is_the_order_in_time() {
        let times =
            ["2012-12-31T23:59", "2013-01-01T00:00", "2013-01-01T00:01", "2013-01-02T00:00"]
                .map(|text| EventTime::parse(text.as_bytes()).unwrap());
        assert!(times.is_sorted());
    }

    #[test]
    fn times_come_back_from_milliseconds() {
        let time = |text: &str| EventTime::parse(text.as_bytes()).unwrap();
        assert_eq!(time("1970-01-01T00:00").ms(), 0);
        assert_eq!(time("2013-01-01T05:15").ms(), 1_357_017_300_000);
        assert_eq!(time("1969-12-31T23:59").ms(), -60_000);
        for text in ["0001-01-01T00:00", "1969-12-31T23:59", "2012-02-29T12:00", "9999-12-31T23:59"]
        {
            assert_eq!(EventTime::from_ms(time(text).ms()), Some(time(text)));
        }
        assert_eq!(EventTime::from_ms(-1), Some(time("1969-12-31T23:59")));
        for ms in [i64::MIN, time("0001-01-01T00:00").ms() - 1, 253_402_300_800_000, i64::MAX] {
            assert_eq!(EventTime::from_ms(ms), None);
        }
    }

    #[test]
    fn delays_stay_in_the_calendar() {
        let later = |text: &str, minutes| {
            let time = EventTime::parse(text.as_bytes()).unwrap();
            time.plus_min(minutes).map(|time| time.to_string())
        };
        assert_eq!(later("2012-02-28T23:59", 1), Some("2012-02-29T00:00".to_owned()));
        assert_eq!(later("2013-01-01T00:10", -43), Some("2012-12-31T23:27".to_owned()));
        assert_eq!(later("9999-12-31T23:59", 1), None);
        assert_eq!(later("0001-01-01T00:00", -1), None);
        assert_eq!(later("9999-12-31T23:59", i32::MAX), None);
        assert_eq!(later("0001-01-01T00:00", i32::MIN), None);
    }
}
