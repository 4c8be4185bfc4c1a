//! The suite catches every backend that is wrong above its engine.

use keyed_state_conformance::backend_cases;

use crate::{
    backend_faults::{BackendFault, FaultyAbove},
    quiet::panics,
};

/// Runs the case `name`; returns whether it failed.
fn fails(name: &str, fault: Option<BackendFault>) -> bool {
    let case = backend_cases().into_iter().find(|case| case.name == name);
    let case = case.unwrap_or_else(|| panic!("no case is called {name:?}"));
    panics(|| (case.run)(&FaultyAbove(fault))).is_some()
}

#[test]
fn the_backend_without_a_fault_passes() {
    let mut failed: Vec<&str> =
        backend_cases::<FaultyAbove>().iter().map(|case| case.name).collect();
    failed.retain(|name| fails(name, None));
    assert_eq!(failed, [""; 0]);
}

each_fault_is_caught! {
    BackendFault, fails;
    key_not_required: KeyNotRequired
        by k1_no_current_key_is_an_error, k1_merging_needs_a_current_key,
        k1_changes_need_a_current_key;
    key_stays_set: KeyStaysSet
        by k1_an_unset_key_is_no_current_key, g1_each_key_is_visited_once_as_the_current_one,
        g1_an_error_ends_the_visits;
    key_groups_not_checked: KeyGroupsNotChecked
        by k2_a_key_outside_the_owned_groups_is_refused, k5_key_groups_are_those_of_every_release;
    key_lost_by_refusal: KeyLostByRefusal by k2_a_key_outside_the_owned_groups_is_refused;
    key_lost_by_listing: KeyLostByListing
        by g1_listing_leaves_the_current_key, g1_each_key_is_visited_once_as_the_current_one;
    definitions_not_checked: DefinitionsNotChecked
        by k3_another_definition_of_a_name_is_refused,
        k3_every_kind_of_state_has_names_of_its_own;
    ttl_not_in_definition: TtlNotInDefinition
        by k3_a_ttl_is_part_of_the_definition, k3_a_state_without_ttl_gets_none;
    keys_listed_twice: KeysListedTwice
        by g1_each_key_is_listed_once, g1_keys_of_every_kind_are_listed,
        g1_each_key_is_visited_once_as_the_current_one;
    keys_of_all_namespaces: KeysOfAllNamespaces
        by g1_keys_of_every_kind_are_listed, g1_each_key_is_visited_once_as_the_current_one,
        t2_keys_and_namespaces_expire_apart;
    changes_one_by_one: ChangesOneByOne
        by m7_a_codec_error_among_changes_leaves_what_was_there,
        l2_a_merged_value_without_byte_form_changes_nothing;
    changes_reversed: ChangesReversed by m7_changes_happen_in_their_order;
    changes_keep_removed: ChangesKeepRemoved
        by m7_changes_happen_in_their_order,
        l2_the_target_comes_first_then_the_sources_in_order, flink_test_list_state_merging;
    changes_touch_now: ChangesTouchNow
        by t2_a_change_may_say_when_it_was_touched,
        t2_a_merged_value_has_the_newest_touch_of_its_parts,
        t2_elements_keep_their_touches_in_a_merge,
        t2_entries_of_merged_maps_keep_or_join_their_touches;
    changes_in_one_namespace: ChangesInOneNamespace
        by m7_changes_reach_the_namespaces_that_they_name, l2_merging_leaves_everything_else;
    batches_one_by_one: BatchesOneByOne
        by m7_a_codec_error_in_a_list_leaves_what_was_there,
        m7_a_codec_error_in_a_batch_leaves_what_was_there,
        m7_a_panic_in_a_batch_leaves_what_was_there;
    replacing_clears_first: ReplacingClearsFirst
        by m7_a_codec_error_in_a_list_leaves_what_was_there;
    replacing_adds: ReplacingAdds by l1_update_replaces_every_element;
    replacing_by_nothing_ignored: ReplacingByNothingIgnored
        by l1_updating_with_nothing_is_clearing,
        m8_absent_emptied_and_cleared_lists_read_alike, flink_test_list_state_apis;
    retains_one_by_one: RetainsOneByOne by m7_a_panic_in_a_list_leaves_what_was_there;
    list_numbers_restart: ListNumbersRestart
        by l1_numbers_go_on_when_opened_again, l1_elements_keep_the_order_of_appending,
        l2_a_merge_holds_when_opened_again;
    expired_in_get: ExpiredInGet
        by t1_no_read_finds_what_has_expired, t1_reads_skip_exactly_what_has_expired;
    expired_in_contains: ExpiredInContains
        by t1_no_read_finds_what_has_expired, t1_a_read_never_changes_what_another_says;
    expired_in_iter: ExpiredInIter
        by t1_no_read_finds_what_has_expired, t1_both_ends_meet_among_what_has_expired,
        t2_each_element_of_a_list_has_its_own_time;
    expired_in_range: ExpiredInRange
        by t1_no_read_finds_what_has_expired, t1_ranges_skip_exactly_what_has_expired;
    expired_in_first: ExpiredInFirst
        by t1_no_read_finds_what_has_expired, t1_reads_skip_exactly_what_has_expired;
    expired_in_last: ExpiredInLast
        by t1_no_read_finds_what_has_expired, t1_reads_skip_exactly_what_has_expired;
    expired_in_len: ExpiredInLen
        by t1_no_read_finds_what_has_expired, t2_each_element_of_a_list_has_its_own_time;
    expired_in_is_empty: ExpiredInIsEmpty
        by t1_no_read_finds_what_has_expired, t1_a_read_never_changes_what_another_says;
    expired_in_retain: ExpiredInRetain
        by t1_no_read_finds_what_has_expired, t1_what_has_expired_can_be_cleared;
    expired_in_get_with_touch: ExpiredInGetWithTouch
        by t1_no_read_finds_what_has_expired, t1_expired_parts_are_not_merged;
    expired_in_iter_with_touch: ExpiredInIterWithTouch
        by t1_no_read_finds_what_has_expired, t1_expired_parts_are_not_merged,
        flink_test_ttl_merge_namespaces;
    expired_in_value: ExpiredInValue
        by t1_no_read_finds_what_has_expired, t1_a_default_shows_when_the_value_has_expired,
        t1_what_has_expired_is_never_built_upon;
    expired_in_is_set: ExpiredInIsSet
        by t1_no_read_finds_what_has_expired, t1_a_default_shows_when_the_value_has_expired;
    expired_in_value_with_touch: ExpiredInValueWithTouch
        by t1_no_read_finds_what_has_expired, t1_functions_never_see_what_has_expired;
    expired_in_keys: ExpiredInKeys
        by t1_no_read_finds_what_has_expired, t2_keys_and_namespaces_expire_apart;
    expired_in_keys_and_namespaces: ExpiredInKeysAndNamespaces
        by t1_no_read_finds_what_has_expired, t2_keys_and_namespaces_expire_apart;
    touch_by_reads_ignored: TouchByReadsIgnored
        by t2_reading_prolongs_if_asked_to, flink_test_ttl_exact_expiration_on_read;
    touch_by_reads_always: TouchByReadsAlways
        by t2_reading_prolongs_nothing_by_default, flink_test_ttl_exact_expiration_on_write;
    contains_touches_nothing: ContainsTouchesNothing by t2_reading_prolongs_if_asked_to;
    counting_touches: CountingTouches by t2_reading_prolongs_if_asked_to;
    merging_touches: MergingTouches
        by t2_reading_prolongs_if_asked_to, t2_a_failed_merge_prolongs_nothing,
        t2_a_failed_write_prolongs_nothing;
    first_touches_all: FirstTouchesAll by t2_a_read_touches_what_it_gives_alone;
    touches_written_late: TouchesWrittenLate
        by t2_a_touch_never_undoes_a_change_of_a_map, t2_a_touch_never_undoes_changes,
        t2_a_touch_never_undoes_a_change_of_a_list, t2_a_touch_never_undoes_a_change_of_a_value;
    overwriting_keeps_deadline: OverwritingKeepsDeadline
        by t2_writing_prolongs, t3_removal_spares_what_was_written_anew;
    writing_prolongs_the_map: WritingProlongsTheMap by t2_each_entry_of_a_map_has_its_own_time;
    deadline_too_late: DeadlineTooLate by t1_an_entry_expires_exactly_at_its_deadline;
    deadline_too_early: DeadlineTooEarly by t1_an_entry_expires_exactly_at_its_deadline;
    event_time_by_the_clock: EventTimeByTheClock
        by t4_event_time_goes_by_the_watermark_alone, t4_event_time_replays_alike,
        t1_an_entry_expires_exactly_at_its_deadline;
    clock_followed_back: ClockFollowedBack by t4_a_clock_that_goes_back_is_not_followed;
    processing_time_forgotten: ProcessingTimeForgotten
        by t4_processing_time_goes_on_when_opened_again;
    watermark_forgotten: WatermarkForgotten
        by t4_the_watermark_goes_on_when_opened_again, closing_keeps_deadlines;
    first_watermark_forgotten: FirstWatermarkForgotten
        by t4_the_watermark_goes_on_when_opened_again;
    expired_stays: ExpiredStays
        by t3_what_has_expired_is_removed, t3_large_maps_lose_what_has_expired,
        flink_test_ttl_incremental_cleanup;
    expired_not_counted: ExpiredNotCounted
        by t3_what_has_expired_is_removed, t3_only_what_has_expired_is_counted;
    ttl_undeclared: TtlUndeclared by t1_an_entry_expires_exactly_at_its_deadline;
    ttl_unsupported: TtlUnsupported by t1_an_entry_expires_exactly_at_its_deadline;
}
