/// A way in which an engine can be wrong, taken from what engines and backends have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A scan gives the key at its end.
    ScanIncludesEnd,
    /// A scan leaves out the key at its start.
    ScanExcludesStart,
    /// A bounded scan leaves out its first row.
    SeekSkipsFirst,
    /// A scan of a prefix that ends in `FF` carries into the byte before instead of dropping it.
    PrefixEndCarries,
    /// A reverse scan walks forward.
    ReverseGoesForward,
    /// A scan leaves out its 128th row.
    ScanDrops128th,
    /// A cursor begins again after its end.
    CursorRestarts,
    /// A cursor ends at an error as if there were no more.
    ScanErrorEndsScan,
    /// Keys compare as signed bytes.
    KeysCompareSigned,
    /// Map keys of eight bytes sort as signed integers do whose sign bit was not flipped.
    SignBitNotFlipped,
    /// Negative map keys of eight bytes sort as floats do whose other bits were not inverted. (Keys below 2^56
    /// are left alone: there, a float is a NaN, and an unsigned integer is usual.)
    NegativeFloatsReversed,
    /// Key and namespace are stored without their lengths.
    LengthPrefixDropped,
    /// Keys are cut after 255 bytes.
    LongKeysCut,
    /// `delete_range` takes the key at its end.
    DeleteRangeIncludesEnd,
    /// `delete_range` leaves the last key of its range.
    DeleteRangeSparesLast,
    /// `delete_range` leaves the key at its start.
    DeleteRangeExcludesStart,
    /// `delete_range` takes the first key beyond its range, wherever that is.
    DeleteRangeTakesNeighbour,
    /// `delete_range` without an end does nothing.
    UnboundedDeleteRangeIgnored,
    /// `delete_range` leaves what was flushed.
    DeleteRangeSparesFlushed,
    /// What is put into a deleted range is not seen before the next flush.
    DeleteRangeHidesLaterPuts,
    /// Deleted ranges are back when opened again.
    DeleteRangeLostAtReopen,
    /// A flush brings back the last deleted row.
    DeleteLostAtFlush,
    /// The last deleted row is back when opened again.
    DeleteLostAtReopen,
    /// A compaction brings back the last deleted row.
    CompactionResurrects,
    /// `delete` takes every key that begins with its key.
    DeleteTakesLongerKeys,
    /// A deleted key is found, without a value.
    DeletedIsContained,
    /// Values that were replaced are back when opened again.
    StaleAfterReopen,
    /// A key that is there keeps its value.
    OverwriteIgnored,
    /// An empty value reads as none.
    EmptyValueIsAbsent,
    /// An absent key reads as the value read last.
    AbsentReadsLast,
    /// A failed read gives no value.
    ReadErrorIsAbsent,
    /// A batch is applied from its end.
    BatchReversed,
    /// A failed batch has applied its first half.
    BatchHalfApplied,
    /// A failed write says nothing.
    WriteErrorSwallowed,
    /// A failed flush says nothing.
    FlushErrorSwallowed,
    /// All states share one table.
    TablesShared,
    /// A table opened twice is two tables.
    TableOpenedAnew,
    /// What a backend was opened with is forgotten when it is closed.
    OptionsForgotten,
    /// Compaction is declared, but unsupported.
    CompactionUnsupported,
    /// Compaction works, but is not declared.
    CompactionUndeclared,
}

impl Fault {
    /// Every fault.
    pub(crate) const ALL: [Self; 40] = [
        Self::ScanIncludesEnd,
        Self::ScanExcludesStart,
        Self::SeekSkipsFirst,
        Self::PrefixEndCarries,
        Self::ReverseGoesForward,
        Self::ScanDrops128th,
        Self::CursorRestarts,
        Self::ScanErrorEndsScan,
        Self::KeysCompareSigned,
        Self::SignBitNotFlipped,
        Self::NegativeFloatsReversed,
        Self::LengthPrefixDropped,
        Self::LongKeysCut,
        Self::DeleteRangeIncludesEnd,
        Self::DeleteRangeSparesLast,
        Self::DeleteRangeExcludesStart,
        Self::DeleteRangeTakesNeighbour,
        Self::UnboundedDeleteRangeIgnored,
        Self::DeleteRangeSparesFlushed,
        Self::DeleteRangeHidesLaterPuts,
        Self::DeleteRangeLostAtReopen,
        Self::DeleteLostAtFlush,
        Self::DeleteLostAtReopen,
        Self::CompactionResurrects,
        Self::DeleteTakesLongerKeys,
        Self::DeletedIsContained,
        Self::StaleAfterReopen,
        Self::OverwriteIgnored,
        Self::EmptyValueIsAbsent,
        Self::AbsentReadsLast,
        Self::ReadErrorIsAbsent,
        Self::BatchReversed,
        Self::BatchHalfApplied,
        Self::WriteErrorSwallowed,
        Self::FlushErrorSwallowed,
        Self::TablesShared,
        Self::TableOpenedAnew,
        Self::OptionsForgotten,
        Self::CompactionUnsupported,
        Self::CompactionUndeclared,
    ];

    /// Whether the fault shows only where the engine below fails.
    pub(crate) fn needs_failures(self) -> bool {
        matches!(
            self,
            Self::ScanErrorEndsScan
                | Self::ReadErrorIsAbsent
                | Self::BatchHalfApplied
                | Self::WriteErrorSwallowed
                | Self::FlushErrorSwallowed
        )
    }
}
