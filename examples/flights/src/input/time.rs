use std::fmt;

/// A calendar month, shown as `YYYY-MM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Month {
    year: u16,
    month: u16,
}

impl Month {
    fn days(self) -> u16 {
        match self.month {
            2 if self.year.is_multiple_of(4)
                && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400)) =>
            {
                29
            }
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// A local time to the minute: the time at which an event counts as having happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EventTime {
    month: Month,
    day: u16,
    hour: u16,
    minute: u16,
}

impl EventTime {
    /// Reads `YYYY-MM-DDTHH:MM`; `None` for any other form and for days that no calendar has.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        if text.len() != 16 || [text[4], text[7], text[10], text[13]] != *b"--T:" {
            return None;
        }
        let time = Self {
            month: Month { year: number(&text[..4])?, month: number(&text[5..7])? },
            day: number(&text[8..10])?,
            hour: number(&text[11..13])?,
            minute: number(&text[14..])?,
        };
        let real = time.month.year >= 1
            && (1..=12).contains(&time.month.month)
            && (1..=time.month.days()).contains(&time.day)
            && time.hour < 24
            && time.minute < 60;
        real.then_some(time)
    }

    /// Returns the month that the time lies in.
    pub(crate) fn month(self) -> Month {
        self.month
    }
}

impl fmt::Display for EventTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}T{:02}:{:02}", self.month, self.day, self.hour, self.minute)
    }
}

/// Reads up to four decimal digits and nothing else (`str::parse` would take a sign).
fn number(digits: &[u8]) -> Option<u16> {
    digits
        .iter()
        .try_fold(0, |n, digit| digit.is_ascii_digit().then(|| n * 10 + u16::from(digit - b'0')))
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
}
