use flights_io::{EventTime, Flight};
use keyed_state::{ReduceFunction, Result, StateValue};

/// The names of the columns of a row.
pub(crate) const HEADER: [&str; 7] =
    ["tailnum", "first_dep", "last_dep", "flights", "first_origin", "last_dest", "miles"];

/// Flights of one aircraft, summed up: what is kept of a session.
#[derive(Clone, Debug, PartialEq, Eq, StateValue)]
pub(crate) struct Rotation {
    pub(crate) first: Leg,
    pub(crate) last: Leg,
    pub(crate) flights: u64,
    pub(crate) miles: u64,
}

/// Ordered by time first, so that the first and last flights are the least and the greatest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, StateValue)]
pub(crate) struct Leg {
    pub(crate) departure_ms: i64,
    pub(crate) origin: String,
    pub(crate) dest: String,
}

impl Rotation {
    /// The rotation of one flight.
    pub(crate) fn of(flight: &Flight<'_>, departure: EventTime) -> Self {
        let leg = Leg {
            departure_ms: departure.ms(),
            origin: flight.origin.to_owned(),
            dest: flight.dest.to_owned(),
        };
        Self { first: leg.clone(), last: leg, flights: 1, miles: flight.distance_mi.into() }
    }

    /// Returns the fields, as [`HEADER`] names them.
    pub(crate) fn fields(&self, tailnum: &str) -> [String; HEADER.len()] {
        [
            tailnum.to_owned(),
            shown(self.first.departure_ms),
            shown(self.last.departure_ms),
            self.flights.to_string(),
            self.first.origin.clone(),
            self.last.dest.clone(),
            self.miles.to_string(),
        ]
    }
}

fn shown(ms: i64) -> String {
    EventTime::from_ms(ms).map_or_else(|| format!("{ms} ms"), |time| time.to_string())
}

/// Makes one rotation of two, whichever is the earlier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Join;

impl ReduceFunction<Rotation> for Join {
    fn reduce(&self, a: Rotation, b: Rotation) -> Result<Rotation> {
        Ok(Rotation {
            first: a.first.min(b.first),
            last: a.last.max(b.last),
            flights: a.flights + b.flights,
            miles: a.miles + b.miles,
        })
    }
}
