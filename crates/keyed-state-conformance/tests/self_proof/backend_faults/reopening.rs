//! Faults of what a backend stores of itself when it is closed.

use keyed_state_core::{BackendContext, BackendOptions, Engine, ManualClock, Result};

use super::BackendFault;

/// Where `EngineBackend` keeps times and the number of the next list element.
const META_TABLE: &str = "keyed-state";
const CONTEXT_ROW: &[u8] = b"context";

/// Makes a closed store forget what the fault has it forget.
pub(super) fn forget(engine: &mut impl Engine, fault: Option<BackendFault>) -> Result<()> {
    let forgetful = [
        BackendFault::ListNumbersRestart,
        BackendFault::ProcessingTimeForgotten,
        BackendFault::WatermarkForgotten,
        BackendFault::FirstWatermarkForgotten,
    ];
    let Some(fault) = fault.filter(|fault| forgetful.contains(fault)) else { return Ok(()) };
    let table = engine.open_table(META_TABLE)?;
    let mut stored = Vec::new();
    if !engine.get(table, CONTEXT_ROW, &mut |row| stored = row.to_vec())? {
        return Ok(());
    }
    // A clock that has shown nothing yet leaves the time as it was stored.
    let options = |ms| BackendOptions::new().clock(ManualClock::new(ms));
    let mut before = BackendContext::new(options(i64::MIN))?;
    before.restore(&stored)?;
    let after = BackendContext::new(options(match fault {
        BackendFault::ProcessingTimeForgotten => i64::MIN,
        _ => before.times().processing(),
    }))?;
    if fault != BackendFault::ListNumbersRestart {
        after.sequence().take(before.sequence().take(1)?)?;
    }
    if fault != BackendFault::WatermarkForgotten
        && let Some(watermark) = before.times().watermark()
    {
        after.times().advance_watermark(watermark);
    }
    engine.put(table, CONTEXT_ROW, &after.to_bytes())
}
