use std::cmp::Ordering;

use super::key::compare;

/// Encoded timers in their order, in two flat allocations. Made once, then only taken from.
#[derive(Debug, Default)]
pub(super) struct Packed {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// How many were taken from the front.
    taken: usize,
}

impl Packed {
    pub(super) fn with_capacity(timers: usize, bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), ends: Vec::with_capacity(timers), taken: 0 }
    }

    /// Appends a timer, which comes after all that are there.
    pub(super) fn push(&mut self, timer: &[u8]) {
        self.bytes.extend_from_slice(timer);
        self.ends.push(u32::try_from(self.bytes.len()).expect("a bucket is far below 4 GiB"));
    }

    /// Gives back what it has too much of memory, once all is pushed.
    pub(super) fn shrunk(mut self) -> Self {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
        self
    }

    pub(super) fn first(&self) -> Option<&[u8]> {
        (self.taken < self.ends.len()).then(|| self.at(self.taken))
    }

    pub(super) fn last(&self) -> Option<&[u8]> {
        (self.taken < self.ends.len()).then(|| self.at(self.ends.len() - 1))
    }

    pub(super) fn take_first(&mut self) {
        self.taken += 1;
        if self.taken >= self.ends.len() {
            *self = Self::default();
        }
    }

    pub(super) fn contains(&self, timer: &[u8]) -> bool {
        let (mut low, mut high) = (self.taken, self.ends.len());
        while low < high {
            let middle = low.midpoint(high);
            match compare(self.at(middle), timer) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return true,
                Ordering::Greater => high = middle,
            }
        }
        false
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (self.taken..self.ends.len()).map(|index| self.at(index))
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len() - self.taken
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how long the timers are together.
    pub(super) fn timer_bytes(&self) -> usize {
        self.bytes.len() - self.start(self.taken)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<u32>()
    }

    fn at(&self, index: usize) -> &[u8] {
        &self.bytes[self.start(index)..self.ends[index] as usize]
    }

    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timer(time: u8) -> Vec<u8> {
        vec![0, 0, 0, 0, 0, 0, 0, time, 0, 0, 0, time]
    }

    #[test]
    fn gives_back_what_was_pushed_and_knows_what_is_left() {
        let mut packed = Packed::with_capacity(3, 36);
        for time in [1, 3, 5] {
            packed.push(&timer(time));
        }
        assert_eq!(packed.iter().collect::<Vec<_>>(), [timer(1), timer(3), timer(5)]);
        assert_eq!((packed.len(), packed.timer_bytes(), packed.memory_bytes()), (3, 36, 48));
        packed.take_first();
        assert_eq!(packed.first(), Some(timer(3).as_slice()));
        assert_eq!((packed.len(), packed.timer_bytes()), (2, 24));
        let found: Vec<_> = (0..7).filter(|time| packed.contains(&timer(*time))).collect();
        assert_eq!(found, [3, 5]);
        packed.take_first();
        packed.take_first();
        assert_eq!((packed.first(), packed.len(), packed.memory_bytes()), (None, 0, 0));
    }
}
