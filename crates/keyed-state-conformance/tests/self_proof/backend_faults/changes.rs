//! Faults of changes to several namespaces.

use keyed_state_core::{Change, MapChange, Result, ValueChange};

use super::BackendFault;

/// A change to a map or to a value.
pub(super) trait AnyChange: Clone {
    type Namespace: Clone;

    fn namespace(&mut self) -> &mut Self::Namespace;

    fn removes(&self) -> bool;

    fn touch_now(&mut self);
}

impl<UK: Clone, UV: Clone, N: Clone> AnyChange for MapChange<UK, UV, N> {
    type Namespace = N;

    fn namespace(&mut self) -> &mut N {
        &mut self.namespace
    }

    fn removes(&self) -> bool {
        matches!(self.change, Change::Remove)
    }

    fn touch_now(&mut self) {
        if let Change::Set { touched_ms, .. } = &mut self.change {
            *touched_ms = None;
        }
    }
}

impl<V: Clone, N: Clone> AnyChange for ValueChange<V, N> {
    type Namespace = N;

    fn namespace(&mut self) -> &mut N {
        &mut self.namespace
    }

    fn removes(&self) -> bool {
        matches!(self.change, Change::Remove)
    }

    fn touch_now(&mut self) {
        if let Change::Set { touched_ms, .. } = &mut self.change {
            *touched_ms = None;
        }
    }
}

/// Has `make` make changes, as the fault has it.
pub(super) fn make<C: AnyChange>(
    fault: Option<BackendFault>,
    mut changes: Vec<C>,
    mut make: impl FnMut(Vec<C>) -> Result<()>,
) -> Result<()> {
    match fault {
        Some(BackendFault::ChangesOneByOne) if !changes.is_empty() => {
            return changes.into_iter().try_for_each(|change| make(vec![change]));
        }
        Some(BackendFault::ChangesReversed) => changes.reverse(),
        Some(BackendFault::ChangesKeepRemoved) => changes.retain(|change| !change.removes()),
        Some(BackendFault::ChangesTouchNow) => changes.iter_mut().for_each(C::touch_now),
        Some(BackendFault::ChangesInOneNamespace) => {
            let first = changes.first_mut().map(|change| change.namespace().clone());
            for change in &mut changes {
                change.namespace().clone_from(first.as_ref().expect("there is this one"));
            }
        }
        _ => {}
    }
    make(changes)
}
