use keyed_state_core::{AggregateFunction as _, ErrorKind, Result};

use super::{
    Bytes, Expected, Scope,
    times::Life,
    view::{Entries, Stamped, end, live},
};
use crate::model::{
    Merge,
    answer::Place,
    kinds::{aggregating::Bracketed, map, reducing},
    state::State,
};

impl Expected {
    /// Merges namespaces under the current key (contract L2).
    pub(super) fn merge(
        &mut self,
        merge: Merge,
        scope: Scope,
        target: Bytes,
        sources: &[Bytes],
    ) -> Result<(), ErrorKind> {
        let target = self.place(scope, target)?;
        let mut distinct: Vec<Place> = Vec::new();
        for source in sources {
            let source = self.place(scope, source)?;
            if source != target && !distinct.contains(&source) {
                distinct.push(source);
            }
        }
        let life = self.times.life(scope);
        let places = self.states.entry(State(merge.kind(), scope)).or_default();
        let mut merged = places.get(&target).cloned().unwrap_or_default();
        for (key, entry) in distinct
            .iter()
            .filter_map(|source| places.get(source))
            .flat_map(|source| live(source, life))
        {
            take_in(&mut merged, life, merge, key, entry).map_err(|error| error.kind())?;
        }
        // From here on nothing fails.
        for source in distinct {
            if let Some(entries) = places.get_mut(&source) {
                entries.retain(|_, entry| life.is_over(entry.touched_ms));
            }
        }
        places.insert(target, merged);
        places.retain(|_, entries| !entries.is_empty());
        Ok(())
    }
}

/// Puts an entry of a source into the target's.
fn take_in(
    merged: &mut Entries,
    life: Life,
    merge: Merge,
    key: &[u8],
    entry: &Stamped,
) -> Result<()> {
    let combine: &dyn Fn(Vec<u8>, Vec<u8>) -> Result<Vec<u8>> = match merge {
        Merge::Lists => {
            merged.insert(end(merged), entry.clone());
            return Ok(());
        }
        Merge::Maps => &|earlier, later| map::combine(key, earlier, later),
        Merge::Reducing => &reducing::reduce,
        Merge::Aggregating => &|earlier, later| Bracketed.merge(earlier, later),
    };
    let entry = match merged.get(key).filter(|earlier| !life.is_over(earlier.touched_ms)) {
        None => entry.clone(),
        Some(earlier) => Stamped {
            value: combine(earlier.value.clone(), entry.value.clone())?,
            touched_ms: earlier.touched_ms.max(entry.touched_ms),
        },
    };
    merged.insert(key.to_vec(), entry);
    Ok(())
}
