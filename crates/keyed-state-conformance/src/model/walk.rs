//! Walks from both ends of an iterator, as the bits of a number say: the lowest first and again after eight
//! steps, 0 from the front and 1 from the back.

use std::collections::VecDeque;

use keyed_state_core::Result;

/// Returns what a walk over `items` gives in so many steps.
pub(super) fn expect<T>(items: Vec<T>, ends: u8, steps: usize) -> Vec<T> {
    let mut items = VecDeque::from(items);
    let (mut front, mut back) = (Vec::new(), Vec::new());
    for step in 0..steps {
        match (from_back(ends, step), items.is_empty()) {
            (_, true) => break,
            (false, _) => front.extend(items.pop_front()),
            (true, _) => back.extend(items.pop_back()),
        }
    }
    front.extend(back.into_iter().rev());
    front
}

/// Walks so many steps, and puts the halves together.
pub(super) fn some<T>(
    iter: &mut impl DoubleEndedIterator<Item = Result<T>>,
    ends: u8,
    steps: usize,
) -> Result<Vec<T>> {
    let (mut front, mut back) = (Vec::new(), Vec::new());
    for step in 0..steps {
        let from_back = from_back(ends, step);
        match if from_back { iter.next_back() } else { iter.next() } {
            Some(item) if from_back => back.push(item?),
            Some(item) => front.push(item?),
            None => break,
        }
    }
    front.extend(back.into_iter().rev());
    Ok(front)
}

/// Walks until the ends meet, and puts the halves together.
pub(super) fn all<T>(
    mut iter: impl DoubleEndedIterator<Item = Result<T>>,
    ends: u8,
) -> Result<Vec<T>> {
    let mut items = some(&mut iter, ends, usize::MAX)?;
    // An iterator that goes on after its end gives what the model does not have.
    items.extend(iter.next().transpose()?);
    items.extend(iter.next_back().transpose()?);
    Ok(items)
}

fn from_back(ends: u8, step: usize) -> bool {
    ends >> (step % 8) & 1 == 1
}
