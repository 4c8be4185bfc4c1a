use keyed_state_core::{
    AggregateFunction, AggregatingDescriptor, AggregatingId, AggregatingState, Error, ErrorKind,
    KeyedStateBackend, KeyedStateBackendExt as _, Result, ValueState,
};

use crate::model::{
    Bytes, FoldOp, Kind, Scope,
    answer::Answer,
    expected::View,
    state::{Namespace, State},
};

/// Puts inputs behind each other, so that the order shows, between angle brackets; fails for `FF`.
#[derive(Clone, Copy, Debug)]
pub(in crate::model) struct Bracketed;

impl AggregateFunction for Bracketed {
    type Input = Bytes;
    type Accumulator = Vec<u8>;
    type Output = Vec<u8>;

    fn create_accumulator(&self) -> Vec<u8> {
        b"<".to_vec()
    }

    fn add(&self, accumulator: Vec<u8>, input: Bytes) -> Result<Vec<u8>> {
        if input == b"\xff" {
            return Err(Error::from_function("ff cannot be added"));
        }
        Ok([&accumulator, input].concat())
    }

    fn result(&self, accumulator: Vec<u8>) -> Result<Vec<u8>> {
        Ok(bracket(accumulator))
    }

    fn merge(&self, earlier: Vec<u8>, later: Vec<u8>) -> Result<Vec<u8>> {
        if later == b"<\x00" {
            return Err(Error::from_function("00 alone cannot be merged"));
        }
        Ok([earlier, later].concat())
    }
}

/// Returns the result of an accumulator.
pub(in crate::model) fn bracket(mut accumulator: Vec<u8>) -> Vec<u8> {
    accumulator.push(b'>');
    accumulator
}

/// Does `op` on the model.
pub(in crate::model) fn expect(view: &mut View<'_>, op: &FoldOp) -> Result<Answer, ErrorKind> {
    match op {
        FoldOp::Add(input) => {
            let accumulator = view.get(b"").unwrap_or_else(|| b"<".to_vec());
            let added = Bracketed.add(accumulator, input).map_err(|error| error.kind())?;
            view.put(b"", &added);
        }
        FoldOp::Get => return Ok(Answer::Bytes(view.read(b"").map(bracket))),
        FoldOp::Clear => view.clear(),
    }
    Ok(Answer::Done)
}

/// Registers the aggregating state `scope`, or finds it again.
pub(in crate::model) fn register<B: KeyedStateBackend, N: Namespace>(
    backend: &mut B,
    scope: Scope,
) -> Result<AggregatingId<Bracketed, N>> {
    let descriptor = AggregatingDescriptor::new(State(Kind::Aggregating, scope).name(), Bracketed);
    backend.register_aggregating(&match scope.ttl() {
        None => descriptor,
        Some(ttl) => descriptor.ttl(ttl),
    })
}

/// Does `op` on a backend's aggregating state.
pub(in crate::model) fn apply(
    state: &mut AggregatingState<impl ValueState<Vec<u8>>, Bracketed>,
    op: &FoldOp,
) -> Result<Answer> {
    match op {
        FoldOp::Add(input) => state.add(input)?,
        FoldOp::Get => return Ok(Answer::Bytes(state.get()?)),
        FoldOp::Clear => state.clear()?,
    }
    Ok(Answer::Done)
}
