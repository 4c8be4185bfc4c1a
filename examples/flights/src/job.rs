use flights_io::{Flight, Month, Rows, RunError};
use keyed_state::{
    KeyedStateBackend, KeyedStateBackendExt, MapDescriptor, MapId, MapState, MapStateExt, Result,
    StateValue, ValueDescriptor, ValueId, ValueState, ValueStateExt,
};

use crate::row::Row;

/// What an aircraft has done since the job began: the state that no month's end clears.
#[derive(Clone, Debug, Default, PartialEq, Eq, StateValue)]
pub(crate) struct Logbook {
    pub(crate) flights: u64,
    pub(crate) miles: u64,
    /// The flights whose arrival is known, and their delays added up.
    pub(crate) arrivals: u64,
    pub(crate) delay_min: i64,
}

impl Logbook {
    fn with(mut self, flight: &Flight<'_>) -> Self {
        self.flights += 1;
        self.miles += u64::from(flight.distance_mi);
        if let Some(minutes) = flight.arr_delay_min {
            self.arrivals += 1;
            self.delay_min += i64::from(minutes);
        }
        self
    }
}

/// Counts the destinations of each aircraft by month, on any backend.
pub(crate) struct Job<B> {
    backend: B,
    visits: MapId<String, u64>,
    logbook: ValueId<Logbook>,
    month: Option<Month>,
    tailnum: String,
    clears: u64,
}

impl<B: KeyedStateBackend<Key = String>> Job<B> {
    pub(crate) fn new(mut backend: B) -> Result<Self> {
        let visits = backend.register_map(&MapDescriptor::new("visits this month"))?;
        let logbook = backend.register_value(&ValueDescriptor::new("logbook"))?;
        Ok(Self { backend, visits, logbook, month: None, tailnum: String::new(), clears: 0 })
    }

    /// Returns whether nothing has been counted yet.
    pub(crate) fn is_empty(&mut self) -> Result<bool> {
        // Every flight that is counted leaves a logbook, and nothing removes one.
        Ok(self.backend.keys(&self.logbook, &())?.next().is_none())
    }

    /// Counts a flight, after writing the rows of the month before if it is the first of a new one.
    ///
    /// Returns whether the flight has a tail number; one without moves event time all the same.
    pub(crate) fn on_flight(
        &mut self,
        flight: &Flight<'_>,
        rows: &mut Rows,
    ) -> Result<bool, RunError> {
        let month = flight.sched_dep.month();
        if self.month != Some(month) {
            self.end_month(rows)?;
            self.month = Some(month);
        }
        let Some(tailnum) = flight.tailnum else { return Ok(false) };
        self.tailnum.clear();
        self.tailnum.push_str(tailnum);
        self.backend.set_current_key(&self.tailnum)?;
        self.backend
            .map(&self.visits)?
            .update(flight.dest.to_owned(), |count| Some(count.unwrap_or(0) + 1))?;
        self.backend
            .value(&self.logbook)?
            .update(|logbook| Some(logbook.unwrap_or_default().with(flight)))?;
        Ok(true)
    }

    /// Writes a row for each aircraft that flew in the current month, by tail number, and clears its map.
    ///
    /// Called at the end of the input too, where no later flight ends the last month.
    pub(crate) fn end_month(&mut self, rows: &mut Rows) -> Result<(), RunError> {
        let Some(month) = self.month else { return Ok(()) };
        let mut aircraft: Vec<String> = self.backend.keys(&self.visits, &())?.collect();
        aircraft.sort_unstable();
        for tailnum in aircraft {
            self.backend.set_current_key(&tailnum)?;
            let mut visits = self.backend.map(&self.visits)?;
            let row = Row::of(month, &tailnum, visits.iter()?)?;
            rows.write(|| row.fields())?;
            visits.clear()?;
            self.clears += 1;
        }
        Ok(())
    }

    /// Returns the number of maps that were cleared.
    pub(crate) fn clears(&self) -> u64 {
        self.clears
    }

    /// Returns every aircraft with its logbook, the busiest first.
    pub(crate) fn logbooks(&mut self) -> Result<Vec<(String, Logbook)>> {
        let mut logbooks = Vec::new();
        for tailnum in self.backend.keys(&self.logbook, &())? {
            self.backend.set_current_key(&tailnum)?;
            let logbook = self.backend.value(&self.logbook)?.get()?.unwrap_or_default();
            logbooks.push((tailnum, logbook));
        }
        logbooks.sort_unstable_by(|(tailnum, logbook), (other_tailnum, other)| {
            other.flights.cmp(&logbook.flights).then_with(|| tailnum.cmp(other_tailnum))
        });
        Ok(logbooks)
    }

    pub(crate) fn close(self) -> Result<()> {
        self.backend.close()
    }
}
