//! The suite proves itself: it catches every engine and every backend that is wrong on purpose, passes the same without a
//! fault, and prints a test for what it finds.

#[macro_use]
mod table;

mod above_the_engine;
mod backend_faults;
mod faults;
mod filters;
mod printed;
mod quiet;

use faults::{Fault, Faulty};
use keyed_state_conformance::{OnEngine, backend_cases, engine_cases};
use quiet::panics;

/// Runs the case `name`, for engines or for backends; returns whether it failed.
fn fails(name: &str, fault: Option<Fault>) -> bool {
    let faulty = Faulty(fault);
    for case in engine_cases() {
        if case.name == name {
            return panics(|| (case.run)(&faulty)).is_some();
        }
    }
    let case = backend_cases().into_iter().find(|case| case.name == name);
    let case = case.unwrap_or_else(|| panic!("no case is called {name:?}"));
    panics(|| (case.run)(&OnEngine(faulty))).is_some()
}

#[test]
fn the_engine_without_a_fault_passes() {
    let mut failed = Vec::new();
    failed.extend(engine_cases::<Faulty>().iter().map(|case| case.name));
    failed.extend(backend_cases::<OnEngine<Faulty>>().iter().map(|case| case.name));
    failed.retain(|name| fails(name, None));
    assert_eq!(failed, [""; 0]);
}

each_fault_is_caught! {
    Fault, fails;
    scan_includes_end: ScanIncludesEnd
        by a_scan_gives_exactly_its_range, m1_ranges_give_exactly_what_lies_within;
    scan_excludes_start: ScanExcludesStart
        by a_scan_gives_exactly_its_range, m1_ranges_give_exactly_what_lies_within,
        behaves_like_the_model_in_one_key_group;
    seek_skips_first: SeekSkipsFirst
        by a_scan_gives_exactly_its_range, m1_iteration_gives_every_entry_once_in_order;
    prefix_end_carries: PrefixEndCarries
        by a_scan_of_a_prefix_ends_with_it, delete_range_takes_exactly_its_range;
    reverse_goes_forward: ReverseGoesForward
        by a_scan_gives_exactly_its_range, m1_first_and_last_stay_in_their_map,
        behaves_like_the_model_in_one_key_group;
    scan_drops_128th: ScanDrops128th
        by a_long_scan_gives_every_row_once, m3_retain_visits_every_entry_once;
    cursor_restarts: CursorRestarts by an_exhausted_cursor_stays_exhausted;
    scan_error_ends_scan: ScanErrorEndsScan
        by f1_a_failed_scan_reaches_the_caller, flink_test_map_state_clear;
    keys_compare_signed: KeysCompareSigned
        by keys_compare_as_unsigned_bytes, m1_texts_sort_by_their_bytes;
    sign_bit_not_flipped: SignBitNotFlipped by m1_signed_integers_sort_by_value;
    negative_floats_reversed: NegativeFloatsReversed by m1_floats_sort_in_total_order;
    length_prefix_dropped: LengthPrefixDropped
        by k4_keys_and_namespaces_never_run_into_each_other,
        behaves_like_the_model_in_one_key_group;
    long_keys_cut: LongKeysCut
        by long_keys_and_large_values_come_back_whole, f2_everything_up_to_the_limits_works;
    delete_range_includes_end: DeleteRangeIncludesEnd by delete_range_takes_exactly_its_range;
    delete_range_spares_last: DeleteRangeSparesLast
        by delete_range_takes_exactly_its_range, m5_clear_takes_large_values,
        behaves_like_the_model_in_one_key_group;
    delete_range_excludes_start: DeleteRangeExcludesStart
        by delete_range_takes_exactly_its_range, m5_clear_leaves_every_neighbour,
        behaves_like_the_model_in_one_key_group;
    delete_range_takes_neighbour: DeleteRangeTakesNeighbour
        by delete_range_takes_exactly_its_range, m5_clear_leaves_every_neighbour,
        behaves_like_the_model_in_one_key_group;
    unbounded_delete_range_ignored: UnboundedDeleteRangeIgnored
        by delete_range_takes_exactly_its_range, behaves_like_a_sorted_map;
    delete_range_spares_flushed: DeleteRangeSparesFlushed
        by what_is_put_after_delete_range_is_there, m5_clear_holds_over_flush_and_compaction,
        behaves_like_the_model_in_one_key_group;
    delete_range_hides_later_puts: DeleteRangeHidesLaterPuts
        by what_is_put_after_delete_range_is_there, m5_what_is_put_after_clear_is_there,
        behaves_like_the_model_in_one_key_group;
    delete_range_lost_at_reopen: DeleteRangeLostAtReopen
        by opening_again_gives_exactly_what_was_there, closing_keeps_removals_and_clears,
        behaves_like_the_model_in_one_key_group;
    delete_lost_at_flush: DeleteLostAtFlush
        by flushing_changes_nothing, flush_changes_nothing_that_is_read,
        behaves_like_the_model_in_one_key_group;
    delete_lost_at_reopen: DeleteLostAtReopen
        by opening_again_gives_exactly_what_was_there, closing_keeps_removals_and_clears,
        behaves_like_the_model_in_one_key_group;
    compaction_resurrects: CompactionResurrects
        by compacting_changes_nothing, compact_changes_nothing_that_is_read,
        behaves_like_the_model_in_one_key_group;
    delete_takes_longer_keys: DeleteTakesLongerKeys
        by deleting_takes_one_key, m4_removing_one_key_leaves_those_it_begins,
        behaves_like_the_model_in_one_key_group;
    deleted_is_contained: DeletedIsContained
        by a_write_is_visible_to_every_later_read, m8_absent_emptied_and_cleared_read_alike;
    stale_after_reopen: StaleAfterReopen
        by opening_again_gives_exactly_what_was_there, closing_keeps_the_newest_values,
        behaves_like_the_model_in_one_key_group;
    overwrite_ignored: OverwriteIgnored
        by a_batch_happens_in_its_order, m8_removed_and_replaced_entries_are_never_seen,
        behaves_like_the_model_in_one_key_group;
    empty_value_is_absent: EmptyValueIsAbsent
        by an_empty_value_is_a_value, m6_empty_is_a_key_and_a_value,
        behaves_like_the_model_in_one_key_group;
    absent_reads_last: AbsentReadsLast
        by any_bytes_are_legal, m9_update_reads_and_writes_one_entry,
        behaves_like_the_model_in_one_key_group;
    read_error_is_absent: ReadErrorIsAbsent by f1_a_failed_read_reaches_the_caller;
    batch_reversed: BatchReversed
        by a_batch_happens_in_its_order, m7_the_last_value_of_a_repeated_key_counts,
        behaves_like_the_model_in_one_key_group;
    batch_half_applied: BatchHalfApplied
        by f1_a_failed_batch_changes_nothing, flink_test_map_state_clear;
    write_error_swallowed: WriteErrorSwallowed
        by f1_a_failed_write_reaches_the_caller, f1_a_failed_batch_changes_nothing;
    flush_error_swallowed: FlushErrorSwallowed
        by f1_a_failed_flush_reaches_the_caller, f1_a_failed_close_leaves_nothing_to_open;
    tables_shared: TablesShared
        by tables_are_separate, m5_clear_leaves_other_states,
        behaves_like_the_model_in_one_key_group;
    table_opened_anew: TableOpenedAnew by one_name_is_one_table;
    options_forgotten: OptionsForgotten
        by another_max_parallelism_is_refused, another_key_type_or_range_is_refused,
        k3_another_definition_of_a_stored_state_is_refused;
    compaction_unsupported: CompactionUnsupported
        by compacting_changes_nothing, compact_changes_nothing_that_is_read;
    compaction_undeclared: CompactionUndeclared
        by compacting_changes_nothing, compact_changes_nothing_that_is_read;
}
