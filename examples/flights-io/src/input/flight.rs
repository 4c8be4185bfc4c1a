use super::{error::BadField, time::EventTime};

/// The columns of the input, in this order.
pub(crate) const COLUMNS: [&str; 9] = [
    "sched_dep",
    "dep_delay_min",
    "arr_delay_min",
    "carrier",
    "flight",
    "tailnum",
    "origin",
    "dest",
    "distance_mi",
];

/// The fields of one line, without their quotes.
pub(crate) type Fields<'a> = [&'a [u8]; COLUMNS.len()];

/// One event: an aircraft was scheduled to fly somewhere.
///
/// Holds what the jobs use; the other columns are checked all the same.
#[derive(Debug, PartialEq, Eq)]
pub struct Flight<'a> {
    /// When it was to depart.
    pub sched_dep: EventTime,
    /// When it departed; `None` if cancelled or unknown.
    pub departure: Option<EventTime>,
    /// Minutes behind schedule at the arrival, negative if early; `None` if cancelled or unknown.
    pub arr_delay_min: Option<i32>,
    /// The aircraft; `None` where the source does not know it.
    pub tailnum: Option<&'a str>,
    /// The airport that it left.
    pub origin: &'a str,
    /// The airport that it went to.
    pub dest: &'a str,
    /// How far that is.
    pub distance_mi: u32,
}

impl<'a> Flight<'a> {
    /// Reads the fields of a row. The first one that is not as it must be is the error.
    pub(super) fn parse(fields: &Fields<'a>) -> Result<Self, BadField> {
        let sched_dep = EventTime::parse(fields[0]).ok_or_else(|| {
            BadField::new(0, "a time of the calendar as YYYY-MM-DDTHH:MM", fields[0])
        })?;
        let departure = match delay(fields, 1)? {
            Some(minutes) => Some(sched_dep.plus_min(minutes).ok_or_else(|| {
                BadField::new(1, "a delay that stays within the calendar", fields[1])
            })?),
            None => None,
        };
        let arr_delay_min = delay(fields, 2)?;
        if fields[3].len() != 2 || !fields[3].iter().all(|c| is_code(*c)) {
            return Err(BadField::new(3, "two capital letters or digits", fields[3]));
        }
        count(fields, 4, "a whole number, 0 or more")?;
        let tailnum = tail_number(fields, 5)?;
        let origin = airport(fields, 6)?;
        let dest = airport(fields, 7)?;
        let distance_mi = count(fields, 8, "whole miles, 0 or more")?;
        Ok(Self { sched_dep, departure, arr_delay_min, tailnum, origin, dest, distance_mi })
    }
}

fn delay(fields: &Fields<'_>, column: usize) -> Result<Option<i32>, BadField> {
    if fields[column].is_empty() {
        return Ok(None);
    }
    number(fields[column])
        .map(Some)
        .ok_or_else(|| BadField::new(column, "whole minutes or nothing", fields[column]))
}

fn count(fields: &Fields<'_>, column: usize, expected: &'static str) -> Result<u32, BadField> {
    number(fields[column]).ok_or_else(|| BadField::new(column, expected, fields[column]))
}

fn airport<'a>(fields: &Fields<'a>, column: usize) -> Result<&'a str, BadField> {
    let code = fields[column];
    std::str::from_utf8(code)
        .ok()
        .filter(|text| text.len() == 3 && text.bytes().all(|c| c.is_ascii_uppercase()))
        .ok_or_else(|| BadField::new(column, "an airport of three capital letters", code))
}

fn tail_number<'a>(fields: &Fields<'a>, column: usize) -> Result<Option<&'a str>, BadField> {
    let text = std::str::from_utf8(fields[column])
        .ok()
        .filter(|text| text.trim() == *text && !text.chars().any(char::is_control))
        .ok_or_else(|| BadField::new(column, "a tail number or nothing", fields[column]))?;
    Ok((!text.is_empty()).then_some(text))
}

fn is_code(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

/// Reads a number as the data has them: digits, with a minus sign where it is negative.
fn number<T: std::str::FromStr>(field: &[u8]) -> Option<T> {
    // `parse` would take a plus sign too.
    let text = std::str::from_utf8(field).ok().filter(|text| !text.starts_with('+'))?;
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: Fields<'static> =
        [b"2013-01-01T05:15", b"2", b"-11", b"UA", b"1545", b"N14228", b"EWR", b"IAH", b"1400"];

    #[test]
    fn a_row_is_read() {
        let flight = Flight::parse(&GOOD).unwrap();
        assert_eq!(flight.sched_dep.to_string(), "2013-01-01T05:15");
        assert_eq!(flight.departure.unwrap().to_string(), "2013-01-01T05:17");
        assert_eq!(flight.arr_delay_min, Some(-11));
        assert_eq!(flight.tailnum, Some("N14228"));
        assert_eq!((flight.origin, flight.dest, flight.distance_mi), ("EWR", "IAH", 1400));
    }

    #[test]
    fn delays_and_tail_number_may_be_absent() {
        let mut fields = GOOD;
        (fields[1], fields[2], fields[5]) = (b"", b"", b"");
        let flight = Flight::parse(&fields).unwrap();
        assert_eq!((flight.departure, flight.arr_delay_min), (None, None));
        assert_eq!(flight.tailnum, None);
    }

    #[test]
    fn a_bad_field_is_named() {
        let bad: [(usize, &[u8]); 30] = [
            (0, b""),
            (0, b"2013-02-30T05:15"),
            (1, b"x"),
            (1, b" 2"),
            (1, b"+2"),
            (1, b"2.0"),
            (1, b"2147483647000"),
            (1, b"-2147483647"),
            (2, b"99999999999999999999"),
            (2, b"\xFF"),
            (3, b""),
            (3, b"U"),
            (3, b"UAA"),
            (3, b"ua"),
            (3, "é".as_bytes()),
            (4, b""),
            (4, b"-1"),
            (4, b"1 "),
            (5, b"N1\0"),
            (5, b" N1"),
            (5, b" "),
            (5, b"\xC3"),
            (6, b"EW"),
            (6, b""),
            (7, b"IAHX"),
            (7, b"iah"),
            (7, b"\xFF\xFF\xFF"),
            (8, b""),
            (8, b"-5"),
            (8, b"1e3"),
        ];
        for (column, field) in bad {
            let mut fields = GOOD;
            fields[column] = field;
            let message = Flight::parse(&fields).unwrap_err().to_string();
            let place = format!("column {} ({}): expected ", column + 1, COLUMNS[column]);
            assert!(message.starts_with(&place), "{message}");
        }
    }
}
