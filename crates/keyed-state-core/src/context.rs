use crate::{
    BackendId, BackendOptions, Error, ErrorKind, Result, Sequence, Times, timers::TimerServices,
    times::SavedTimes,
};

/// What core keeps in every backend: identity, options, times, the numbers of list elements, and timers.
///
/// A backend that implements [`KeyedStateBackend`](crate::KeyedStateBackend) itself makes one when it opens and lends it by
/// [`context`](crate::KeyedStateBackend::context).
#[derive(Debug)]
pub struct BackendContext {
    id: BackendId,
    options: BackendOptions,
    times: Times,
    sequence: Sequence,
    timers: TimerServices,
}

/// Version of [`BackendContext::to_bytes`].
const FORMAT: u8 = 1;

impl BackendContext {
    /// Makes the context of a new backend.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for options that contradict each other.
    pub fn new(options: BackendOptions) -> Result<Self> {
        options.check()?;
        let times = Times::new(options.shared_clock());
        Ok(Self {
            id: BackendId::fresh(),
            options,
            times,
            sequence: Sequence::default(),
            timers: TimerServices::default(),
        })
    }

    /// Returns the backend's identity.
    #[must_use]
    pub fn id(&self) -> BackendId {
        self.id
    }

    /// Returns the options that the backend was opened with.
    #[must_use]
    pub fn options(&self) -> &BackendOptions {
        &self.options
    }

    /// Returns the processing time and the watermark.
    #[must_use]
    pub fn times(&self) -> &Times {
        &self.times
    }

    /// Returns the source of numbers for list elements.
    #[must_use]
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// Returns the timers, for what they measure.
    #[must_use]
    pub fn timers(&self) -> &TimerServices {
        &self.timers
    }

    pub(crate) fn timers_and_options(&mut self) -> (&mut TimerServices, &BackendOptions) {
        (&mut self.timers, &self.options)
    }

    pub(crate) fn timers_mut(&mut self) -> &mut TimerServices {
        &mut self.timers
    }

    /// Returns what must be stored with the state and [restored](Self::restore) with it: times and the number of the next list element.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let SavedTimes { processing, watermark, first_watermark } = self.times.save();
        let mut bytes = vec![FORMAT];
        bytes.extend_from_slice(&self.sequence.next().to_be_bytes());
        for time in [processing, watermark, first_watermark] {
            bytes.extend_from_slice(&time.to_be_bytes());
        }
        bytes
    }

    /// Takes over what [`to_bytes`](Self::to_bytes) gave. Times and numbers never go back by it.
    ///
    /// # Errors
    ///
    /// [`Codec`](ErrorKind::Codec) for other bytes.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<()> {
        let malformed = || {
            Error::new(
                ErrorKind::Codec,
                format!("a stored backend's times are malformed: {bytes:02x?}"),
            )
        };
        let (format, fields) = bytes.split_first().ok_or_else(malformed)?;
        let (fields, rest) = fields.as_chunks::<8>();
        let [next, processing, watermark, first_watermark] = fields else {
            return Err(malformed());
        };
        if *format != FORMAT || !rest.is_empty() {
            return Err(malformed());
        }
        self.sequence.restore(u64::from_be_bytes(*next));
        self.times.restore(SavedTimes {
            processing: i64::from_be_bytes(*processing),
            watermark: i64::from_be_bytes(*watermark),
            first_watermark: i64::from_be_bytes(*first_watermark),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back_from_its_bytes() {
        let before = BackendContext::new(BackendOptions::new()).unwrap();
        before.sequence().take(7).unwrap();
        before.times().advance_watermark(-3);
        let mut after = BackendContext::new(BackendOptions::new()).unwrap();
        after.restore(&before.to_bytes()).unwrap();
        assert_eq!(after.sequence().take(1).unwrap(), 7);
        assert_eq!(after.times().watermark(), Some(-3));
    }

    #[test]
    fn f2_other_bytes_are_refused() {
        let mut context = BackendContext::new(BackendOptions::new()).unwrap();
        let good = context.to_bytes();
        for bad in [&[][..], &[2], &good[..good.len() - 1], &[good.as_slice(), &[0]].concat()] {
            assert_eq!(context.restore(bad).unwrap_err().kind(), ErrorKind::Codec);
        }
    }
}
