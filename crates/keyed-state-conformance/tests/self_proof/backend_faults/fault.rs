use keyed_state_core::{TimeDomain, Touch, Ttl};

/// A way in which a backend can be wrong above its engine, taken from what state backends have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BackendFault {
    /// Without a current key there is one, of no bytes or of zeros.
    KeyNotRequired,
    /// Unsetting the current key does nothing.
    KeyStaysSet,
    /// Keys of other owners' groups are taken.
    KeyGroupsNotChecked,
    /// A key that is refused unsets the current one.
    KeyLostByRefusal,
    /// Listing keys unsets the current one.
    KeyLostByListing,
    /// A name stands for whatever was first registered under it.
    DefinitionsNotChecked,
    /// A state is accepted under another TTL than it was registered with.
    TtlNotInDefinition,
    /// Keys are listed twice.
    KeysListedTwice,
    /// Keys of all namespaces are listed.
    KeysOfAllNamespaces,
    /// Changes are made one by one, until one fails.
    ChangesOneByOne,
    /// Changes are made from the last to the first.
    ChangesReversed,
    /// Changes that remove do nothing.
    ChangesKeepRemoved,
    /// Changes count as touched when they are made, whatever they say.
    ChangesTouchNow,
    /// Changes are made in the namespace of the first.
    ChangesInOneNamespace,
    /// Batches of puts are made one by one, until one fails.
    BatchesOneByOne,
    /// Replacing all entries clears first, and then puts.
    ReplacingClearsFirst,
    /// Replacing all entries leaves the old ones.
    ReplacingAdds,
    /// Replacing all entries by none does nothing.
    ReplacingByNothingIgnored,
    /// Retaining removes one by one.
    RetainsOneByOne,
    /// The numbers of list elements begin at 0 when opened again.
    ListNumbersRestart,
    /// `get` of a map finds what has expired.
    ExpiredInGet,
    /// `contains` finds what has expired.
    ExpiredInContains,
    /// `iter` gives what has expired.
    ExpiredInIter,
    /// `range` gives what has expired.
    ExpiredInRange,
    /// `first` finds what has expired.
    ExpiredInFirst,
    /// `last` finds what has expired.
    ExpiredInLast,
    /// `len` counts what has expired.
    ExpiredInLen,
    /// `is_empty` sees what has expired.
    ExpiredInIsEmpty,
    /// `retain` visits what has expired.
    ExpiredInRetain,
    /// `get_with_touch` of a map finds what has expired.
    ExpiredInGetWithTouch,
    /// `iter_with_touch` gives what has expired.
    ExpiredInIterWithTouch,
    /// `get` of a value finds what has expired.
    ExpiredInValue,
    /// `is_set` sees what has expired.
    ExpiredInIsSet,
    /// `get_with_touch` of a value finds what has expired.
    ExpiredInValueWithTouch,
    /// `keys` lists keys whose state has expired.
    ExpiredInKeys,
    /// `keys_and_namespaces` lists pairs whose state has expired.
    ExpiredInKeysAndNamespaces,
    /// Reads touch nothing, though they should.
    TouchByReadsIgnored,
    /// Reads touch, though they should not.
    TouchByReadsAlways,
    /// `contains` does not touch what it finds.
    ContainsTouchesNothing,
    /// Counting touches all that it counts.
    CountingTouches,
    /// Reading for a merge, or for a function that may fail, touches.
    MergingTouches,
    /// `first` touches the whole map.
    FirstTouchesAll,
    /// Touches by reads are written after what is written next.
    TouchesWrittenLate,
    /// Overwriting an entry leaves its deadline.
    OverwritingKeepsDeadline,
    /// Writing an entry prolongs the whole map.
    WritingProlongsTheMap,
    /// Everything lives a millisecond longer.
    DeadlineTooLate,
    /// Everything lives a millisecond less.
    DeadlineTooEarly,
    /// Event time is the clock's.
    EventTimeByTheClock,
    /// When the clock goes back, time goes on with it.
    ClockFollowedBack,
    /// The processing time is forgotten when opened again.
    ProcessingTimeForgotten,
    /// The watermark is forgotten when opened again.
    WatermarkForgotten,
    /// The first watermark is taken for the latest when opened again.
    FirstWatermarkForgotten,
    /// What has expired is never removed.
    ExpiredStays,
    /// What has expired is not counted.
    ExpiredNotCounted,
    /// TTL works, but is not declared.
    TtlUndeclared,
    /// TTL is declared, but refused.
    TtlUnsupported,
}

impl BackendFault {
    /// Every fault.
    pub(crate) const ALL: [Self; 56] = [
        Self::KeyNotRequired,
        Self::KeyStaysSet,
        Self::KeyGroupsNotChecked,
        Self::KeyLostByRefusal,
        Self::KeyLostByListing,
        Self::DefinitionsNotChecked,
        Self::TtlNotInDefinition,
        Self::KeysListedTwice,
        Self::KeysOfAllNamespaces,
        Self::ChangesOneByOne,
        Self::ChangesReversed,
        Self::ChangesKeepRemoved,
        Self::ChangesTouchNow,
        Self::ChangesInOneNamespace,
        Self::BatchesOneByOne,
        Self::ReplacingClearsFirst,
        Self::ReplacingAdds,
        Self::ReplacingByNothingIgnored,
        Self::RetainsOneByOne,
        Self::ListNumbersRestart,
        Self::ExpiredInGet,
        Self::ExpiredInContains,
        Self::ExpiredInIter,
        Self::ExpiredInRange,
        Self::ExpiredInFirst,
        Self::ExpiredInLast,
        Self::ExpiredInLen,
        Self::ExpiredInIsEmpty,
        Self::ExpiredInRetain,
        Self::ExpiredInGetWithTouch,
        Self::ExpiredInIterWithTouch,
        Self::ExpiredInValue,
        Self::ExpiredInIsSet,
        Self::ExpiredInValueWithTouch,
        Self::ExpiredInKeys,
        Self::ExpiredInKeysAndNamespaces,
        Self::TouchByReadsIgnored,
        Self::TouchByReadsAlways,
        Self::ContainsTouchesNothing,
        Self::CountingTouches,
        Self::MergingTouches,
        Self::FirstTouchesAll,
        Self::TouchesWrittenLate,
        Self::OverwritingKeepsDeadline,
        Self::WritingProlongsTheMap,
        Self::DeadlineTooLate,
        Self::DeadlineTooEarly,
        Self::EventTimeByTheClock,
        Self::ClockFollowedBack,
        Self::ProcessingTimeForgotten,
        Self::WatermarkForgotten,
        Self::FirstWatermarkForgotten,
        Self::ExpiredStays,
        Self::ExpiredNotCounted,
        Self::TtlUndeclared,
        Self::TtlUnsupported,
    ];

    /// Returns the TTL that a state gets instead of `ttl`, if the fault is in that.
    pub(super) fn rule(self, ttl: Ttl) -> Option<Ttl> {
        let ms = std::time::Duration::from_millis(1);
        Some(match self {
            Self::TouchByReadsIgnored => ttl.touch(Touch::OnWrite),
            Self::TouchByReadsAlways => ttl.touch(Touch::OnReadAndWrite),
            Self::DeadlineTooLate => Ttl { duration: ttl.duration.saturating_add(ms), ..ttl },
            Self::DeadlineTooEarly => Ttl { duration: ttl.duration.saturating_sub(ms), ..ttl },
            Self::EventTimeByTheClock => ttl.time(TimeDomain::Processing),
            _ => return None,
        })
    }
}
