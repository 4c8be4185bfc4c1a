use flights_io::Month;
use keyed_state::Result as StateResult;

/// The names of the columns.
pub(crate) const HEADER: [&str; 6] =
    ["month", "tailnum", "flights", "destinations", "top_dest", "top_visits"];

/// One row of output: where an aircraft flew in a month.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    pub(crate) month: Month,
    pub(crate) tailnum: &'a str,
    pub(crate) flights: u64,
    pub(crate) destinations: u64,
    pub(crate) top_dest: String,
    pub(crate) top_visits: u64,
}

impl<'a> Row<'a> {
    /// Sums up `visits`, destinations with their counts in ascending order.
    pub(crate) fn of(
        month: Month,
        tailnum: &'a str,
        visits: impl Iterator<Item = StateResult<(String, u64)>>,
    ) -> StateResult<Self> {
        let (top_dest, top_visits) = (String::new(), 0);
        let mut row = Self { month, tailnum, flights: 0, destinations: 0, top_dest, top_visits };
        for visit in visits {
            let (dest, count) = visit?;
            row.flights += count;
            row.destinations += 1;
            // In ascending order, so that the first of equals is the one to keep.
            if count > row.top_visits {
                (row.top_dest, row.top_visits) = (dest, count);
            }
        }
        Ok(row)
    }

    /// Returns the fields, as [`HEADER`] names them.
    pub(crate) fn fields(&self) -> [String; HEADER.len()] {
        [
            self.month.to_string(),
            self.tailnum.to_owned(),
            self.flights.to_string(),
            self.destinations.to_string(),
            self.top_dest.clone(),
            self.top_visits.to_string(),
        ]
    }
}
