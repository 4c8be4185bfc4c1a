use std::{collections::BTreeMap, time::Duration};

use flights_io::{EventTime, Flight, Rows, RunError};
use keyed_state::{
    KeyedStateBackend, KeyedStateBackendExt, ReducingDescriptor, ReducingId, Result, Timer,
    ValueDescriptor, ValueId, ValueState, ValueStateExt,
    windows::{SessionWindows, TimeWindow, merge_windows},
};
use serde::Serialize;

use crate::rotation::{Join, Rotation};

/// The timers that end rotations.
const ENDS: &str = "ends of rotations";

/// What became of the flights that are in no rotation, and of the windows.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Counts {
    /// Flights without a tail number.
    pub(crate) skipped: u64,
    /// Flights with one that never departed.
    pub(crate) cancelled: u64,
    /// Flights whose rotation was over when they came.
    pub(crate) late: u64,
    /// Windows that became part of another.
    pub(crate) merged: u64,
}

/// Sorts the flights of each aircraft into sessions, on any backend.
pub(crate) struct Job<B> {
    backend: B,
    sessions: SessionWindows,
    early_ms: i64,
    /// The windows in which a rotation is going on, by aircraft: one or two.
    open: ValueId<Vec<TimeWindow>>,
    /// What is known of it, by aircraft and window.
    rotation: ReducingId<Rotation, Join, TimeWindow>,
    scheduled: Option<EventTime>,
    tailnum: String,
    pub(crate) counts: Counts,
    /// How many rotations had so many flights.
    pub(crate) rotations_by_flights: BTreeMap<u64, u64>,
}

impl<B: KeyedStateBackend<Key = String>> Job<B> {
    pub(crate) fn new(mut backend: B, sessions: SessionWindows, early: Duration) -> Result<Self> {
        let open = backend.register_value(&ValueDescriptor::new("open windows"))?;
        let rotation = backend.register_reducing(&ReducingDescriptor::new("rotation", Join))?;
        Ok(Self {
            backend,
            sessions,
            early_ms: i64::try_from(early.as_millis()).unwrap_or(i64::MAX),
            open,
            rotation,
            scheduled: None,
            tailnum: String::new(),
            counts: Counts::default(),
            rotations_by_flights: BTreeMap::new(),
        })
    }

    /// Returns whether flights have been taken in, in this run or an earlier one.
    pub(crate) fn has_begun(&self) -> bool {
        self.backend.watermark().is_some()
    }

    /// Takes in a flight, after writing the rows of the rotations that no flight can join any more.
    pub(crate) fn on_flight(
        &mut self,
        flight: &Flight<'_>,
        rows: &mut Rows,
    ) -> Result<(), RunError> {
        if self.scheduled != Some(flight.sched_dep) {
            self.scheduled = Some(flight.sched_dep);
            // Flights come by schedule, so none from here on departs earlier than this one may.
            let earliest_ms = flight.sched_dep.ms().saturating_sub(self.early_ms);
            self.advance(earliest_ms.saturating_sub(1), rows)?;
        }
        let Some(tailnum) = flight.tailnum else {
            self.counts.skipped += 1;
            return Ok(());
        };
        let Some(departure) = flight.departure else {
            self.counts.cancelled += 1;
            return Ok(());
        };
        self.tailnum.clear();
        self.tailnum.push_str(tailnum);
        self.add(departure.ms(), Rotation::of(flight, departure))?;
        Ok(())
    }

    /// Adds a flight to its session in the current aircraft's state: what any session operator does for an event.
    fn add(&mut self, departure_ms: i64, flight: Rotation) -> Result<()> {
        let Self { backend, open, rotation, counts, .. } = self;
        backend.set_current_key(&self.tailnum)?;
        let mut windows = backend.value(open)?.get()?.unwrap_or_default();
        let merge = merge_windows(windows.clone(), self.sessions.assign(departure_ms)?);
        let window = merge.result;
        if backend.watermark().is_some_and(|now| window.max_timestamp_ms() <= now) {
            counts.late += 1;
            return Ok(());
        }
        backend.merge_reducing(rotation, &window, &merge.absorbed)?;
        backend.reducing_in(rotation, &window)?.add(flight)?;
        windows.retain(|other| *other != window && !merge.absorbed.contains(other));
        windows.push(window);
        backend.value(open)?.set(windows)?;
        let mut ends = backend.timers(ENDS)?;
        for absorbed in &merge.absorbed {
            ends.remove(absorbed.max_timestamp_ms(), absorbed)?;
        }
        ends.register(window.max_timestamp_ms(), &window)?;
        counts.merged += merge.absorbed.len() as u64;
        Ok(())
    }

    /// Ends the rotations that are over at `watermark_ms`, after which no flight departs at or before it.
    fn advance(&mut self, watermark_ms: i64, rows: &mut Rows) -> Result<(), RunError> {
        self.backend.advance_watermark(watermark_ms);
        self.backend.timers::<TimeWindow>(ENDS)?.advance_to(watermark_ms)?;
        while let Some(end) = self.backend.timers(ENDS)?.pop_due()? {
            let Timer { key: tailnum, namespace: window, .. } = end;
            self.backend.set_current_key(&tailnum)?;
            self.backend.value(&self.open)?.update(|windows| {
                let others = windows.into_iter().flatten().filter(|other| *other != window);
                Some(others.collect::<Vec<_>>()).filter(|others| !others.is_empty())
            })?;
            let mut state = self.backend.reducing_in(&self.rotation, &window)?;
            if let Some(rotation) = state.get()? {
                rows.write(|| rotation.fields(&tailnum))?;
                *self.rotations_by_flights.entry(rotation.flights).or_default() += 1;
            }
            state.clear()?;
        }
        Ok(())
    }

    /// Ends all rotations: no further flight comes.
    pub(crate) fn end(&mut self, rows: &mut Rows) -> Result<(), RunError> {
        self.advance(i64::MAX, rows)
    }

    pub(crate) fn close(self) -> Result<()> {
        self.backend.close()
    }
}
