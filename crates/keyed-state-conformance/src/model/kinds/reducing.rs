use keyed_state_core::{
    Error, ErrorKind, KeyedStateBackend, KeyedStateBackendExt as _, ReducingDescriptor, ReducingId,
    ReducingState, Result, ValueState,
};

use crate::model::{
    FoldOp, Kind, Scope,
    answer::Answer,
    expected::View,
    state::{Namespace, State},
};

type Reduce = fn(Vec<u8>, Vec<u8>) -> Result<Vec<u8>>;

/// Puts `later` behind `earlier`, so that the order shows; fails for `FF`.
pub(in crate::model) fn reduce(earlier: Vec<u8>, later: Vec<u8>) -> Result<Vec<u8>> {
    if later == b"\xff" {
        return Err(Error::from_function("ff cannot be reduced"));
    }
    Ok([earlier, later].concat())
}

/// Does `op` on the model.
pub(in crate::model) fn expect(view: &mut View<'_>, op: &FoldOp) -> Result<Answer, ErrorKind> {
    match op {
        FoldOp::Add(value) => {
            let value = match view.get(b"") {
                Some(earlier) => reduce(earlier, value.to_vec()).map_err(|error| error.kind())?,
                None => value.to_vec(),
            };
            view.put(b"", &value);
        }
        FoldOp::Get => return Ok(Answer::Bytes(view.read(b""))),
        FoldOp::Clear => view.clear(),
    }
    Ok(Answer::Done)
}

/// Registers the reducing state `scope`, or finds it again.
pub(in crate::model) fn register<B: KeyedStateBackend, N: Namespace>(
    backend: &mut B,
    scope: Scope,
) -> Result<ReducingId<Vec<u8>, Reduce, N>> {
    let descriptor = ReducingDescriptor::new(State(Kind::Reducing, scope).name(), reduce as Reduce);
    backend.register_reducing(&match scope.ttl() {
        None => descriptor,
        Some(ttl) => descriptor.ttl(ttl),
    })
}

/// Does `op` on a backend's reducing state.
pub(in crate::model) fn apply(
    state: &mut ReducingState<impl ValueState<Vec<u8>>, Vec<u8>, Reduce>,
    op: &FoldOp,
) -> Result<Answer> {
    match op {
        FoldOp::Add(value) => state.add(value.to_vec())?,
        FoldOp::Get => return Ok(Answer::Bytes(state.get()?)),
        FoldOp::Clear => state.clear()?,
    }
    Ok(Answer::Done)
}
