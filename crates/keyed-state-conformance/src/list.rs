//! The lists of cases: each case is named here once, and everything else is made of these lists.

/// Calls the macro `$then` with `[$fixture] cases { module { case, … } … }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __backend_cases {
    ($then:ident $(, $fixture:expr)?) => {
        $crate::$then! { [$($fixture)?]
            cases {
                keys {
                    k1_no_current_key_is_an_error,
                    k2_a_key_outside_the_owned_groups_is_refused,
                    k2_owning_groups_that_do_not_exist_is_refused,
                    k3_the_same_registration_gives_the_same_state,
                    k3_another_definition_of_a_name_is_refused,
                    k3_an_id_of_another_backend_is_refused,
                    k3_state_names_are_checked_and_told_apart,
                    k4_keys_and_namespaces_never_run_into_each_other,
                    k4_a_namespace_that_begins_another_is_separate,
                    k4_a_key_that_begins_another_is_separate,
                    k5_key_groups_are_those_of_every_release,
                }
                maps {
                    m2_a_view_belongs_to_its_key_and_namespace,
                    m4_a_map_without_entries_does_not_exist,
                    m4_removing_one_key_leaves_those_it_begins,
                    m6_null_is_a_value,
                    m6_empty_is_a_key_and_a_value,
                    m8_absent_emptied_and_cleared_read_alike,
                    m8_removed_and_replaced_entries_are_never_seen,
                    m9_values_go_in_and_out_by_ownership,
                    m9_update_reads_and_writes_one_entry,
                }
                iteration {
                    m1_iteration_gives_every_entry_once_in_order,
                    m1_both_ends_meet,
                    m1_ranges_give_exactly_what_lies_within,
                    m1_an_inverted_range_is_an_error,
                    m1_first_and_last_stay_in_their_map,
                    m3_retain_visits_every_entry_once,
                    m3_removing_one_entry_never_hides_the_next,
                    m3_removing_all_keys_found_empties_the_map,
                    m8_an_exhausted_iterator_stays_exhausted,
                }
                order {
                    m1_signed_integers_sort_by_value,
                    m1_unsigned_integers_sort_by_value,
                    m1_floats_sort_in_total_order,
                    m1_texts_sort_by_their_bytes,
                    m1_tuples_sort_field_by_field,
                }
                values {
                    m2_a_value_belongs_to_its_key_and_namespace,
                    m10_a_default_shows_and_is_never_stored,
                    m10_a_default_is_a_fresh_copy,
                    m10_update_starts_from_the_default,
                    m6_a_null_value_is_set,
                    m9_a_value_goes_in_and_out_by_ownership,
                }
                batches {
                    m7_the_last_value_of_a_repeated_key_counts,
                    m7_a_codec_error_in_a_batch_leaves_what_was_there,
                    f2_bytes_that_do_not_decode_are_an_error,
                    m7_a_panic_in_a_batch_leaves_what_was_there,
                    m7_a_large_batch_arrives_whole,
                }
                clearing {
                    m5_what_is_put_after_clear_is_there,
                    m5_clear_leaves_every_neighbour,
                    m5_clear_ends_after_trailing_ff_bytes,
                    m5_clear_leaves_other_states,
                    m5_clear_holds_over_flush_and_compaction,
                    m5_many_clears_leave_reads_right,
                    m5_the_adaptive_threshold_does_not_show,
                    m5_clear_takes_large_values,
                }
                listing {
                    g1_each_key_is_listed_once,
                    g1_a_user_key_is_no_namespace,
                    g1_every_pair_is_listed_exactly_once,
                    g1_state_may_change_while_keys_are_visited,
                    g1_listing_leaves_the_current_key,
                    g1_keys_are_listed_state_by_state,
                }
                lists {
                    l1_elements_keep_the_order_of_appending,
                    l1_what_is_appended_after_clear_is_alone,
                    l1_numbers_go_on_when_opened_again,
                    l1_a_list_grows_without_limit,
                    l1_equal_elements_are_all_kept,
                    l1_lists_iterate_from_both_ends,
                    m2_a_list_belongs_to_its_key_and_namespace,
                    m8_absent_emptied_and_cleared_lists_read_alike,
                    k3_every_kind_of_state_has_names_of_its_own,
                }
                list_changes {
                    l1_update_replaces_every_element,
                    l1_updating_with_nothing_is_clearing,
                    l1_a_list_may_be_sorted_by_update,
                    m3_retain_visits_every_element_once,
                    m6_null_is_an_element,
                    m9_elements_go_in_and_out_by_ownership,
                    m7_a_codec_error_in_a_list_leaves_what_was_there,
                    f2_an_element_that_does_not_decode_is_an_error,
                    m7_a_panic_in_a_list_leaves_what_was_there,
                }
                reducing {
                    reducing_combines_earlier_with_later,
                    reducing_starts_anew_after_clear,
                    m2_a_reduced_value_belongs_to_its_key_and_namespace,
                    m7_a_failing_reduce_function_changes_nothing,
                    m7_a_panicking_reduce_function_changes_nothing,
                    m7_a_reduced_value_without_byte_form_changes_nothing,
                    m6_null_is_a_value_to_reduce,
                    k3_a_reduce_function_may_change,
                }
                aggregating {
                    aggregating_keeps_its_three_types_apart,
                    aggregating_loses_no_first_input,
                    aggregating_stores_nothing_before_an_input,
                    m2_an_accumulator_belongs_to_its_key_and_namespace,
                    m7_a_failing_aggregate_function_changes_nothing,
                    m6_null_is_an_input_and_an_output,
                }
                merging {
                    l2_the_target_comes_first_then_the_sources_in_order,
                    l2_a_source_counts_once,
                    l2_empty_targets_and_sources_are_fine,
                    l2_sources_may_be_used_again,
                    l2_merging_leaves_everything_else,
                    l2_a_failing_function_changes_nothing,
                    l2_a_merge_holds_when_opened_again,
                    l2_session_windows_become_one,
                    k1_merging_needs_a_current_key,
                    k3_merging_by_an_id_of_another_backend_is_refused,
                }
                merging_contents {
                    l2_maps_combine_the_values_of_equal_keys,
                    l2_map_keys_that_begin_each_other_stay_apart,
                    l2_the_error_of_a_function_is_passed_on,
                    l2_a_merged_value_without_byte_form_changes_nothing,
                    l2_accumulators_are_merged_not_results,
                    l2_long_lists_are_merged_in_order,
                    l2_large_maps_are_merged_whole,
                }
                changes {
                    m7_changes_happen_in_their_order,
                    m7_changes_reach_the_namespaces_that_they_name,
                    m7_a_codec_error_among_changes_leaves_what_was_there,
                    k1_changes_need_a_current_key,
                    changes_of_states_without_ttl_have_no_touch,
                    closing_keeps_changes,
                }
                each_key {
                    g1_keys_of_every_kind_are_listed,
                    g1_each_key_is_visited_once_as_the_current_one,
                    g1_an_error_ends_the_visits,
                    g1_a_visit_may_change_any_state,
                    k1_an_unset_key_is_no_current_key,
                }
                timers {
                    w1_timers_are_a_set,
                    w2_timers_fire_in_order,
                    w2_timers_survive_closing,
                }
                windows {
                    l2_w1_joined_sessions_leave_one_window_and_one_timer,
                }
                durability {
                    closing_keeps_everything,
                    closing_keeps_removals_and_clears,
                    closing_keeps_the_newest_values,
                    another_max_parallelism_is_refused,
                    another_key_type_or_range_is_refused,
                    k3_another_definition_of_a_stored_state_is_refused,
                    f3_what_was_not_closed_is_refused,
                    f2_a_directory_that_is_held_is_refused,
                    flush_changes_nothing_that_is_read,
                    compact_changes_nothing_that_is_read,
                    capabilities_never_change,
                }
                failures {
                    f2_a_key_too_long_is_refused,
                    f2_a_map_key_too_long_is_refused,
                    f2_everything_up_to_the_limits_works,
                }
                ttl_reads {
                    t1_an_entry_expires_exactly_at_its_deadline,
                    t1_no_read_finds_what_has_expired,
                    t1_a_read_never_changes_what_another_says,
                    t1_a_default_shows_when_the_value_has_expired,
                    t1_what_has_expired_is_never_built_upon,
                    t1_what_has_expired_can_be_cleared,
                    t1_each_state_has_a_ttl_of_its_own,
                    t1_a_view_has_one_moment,
                    t1_deadlines_stop_at_the_end_of_time,
                }
                ttl_maps {
                    t1_reads_skip_exactly_what_has_expired,
                    t1_ranges_skip_exactly_what_has_expired,
                    t1_both_ends_meet_among_what_has_expired,
                    t2_each_entry_of_a_map_has_its_own_time,
                    t2_each_element_of_a_list_has_its_own_time,
                    t2_keys_and_namespaces_expire_apart,
                }
                ttl_touches {
                    t2_writing_prolongs,
                    t2_reading_prolongs_nothing_by_default,
                    t2_reading_prolongs_if_asked_to,
                    t2_a_read_touches_what_it_gives_alone,
                    t2_a_touch_by_a_read_is_kept,
                    t2_a_failed_write_prolongs_nothing,
                    t2_a_change_may_say_when_it_was_touched,
                    t2_updating_counts_from_now,
                }
                ttl_late_touches {
                    t2_a_touch_never_undoes_a_change_of_a_map,
                    t2_a_touch_never_undoes_changes,
                    t2_a_touch_never_undoes_a_change_of_a_list,
                    t2_a_touch_never_undoes_a_change_of_a_value,
                }
                ttl_time {
                    t4_a_clock_that_goes_back_is_not_followed,
                    t4_a_read_while_the_clock_is_back_touches_at_the_latest_time,
                    t4_processing_time_goes_on_when_opened_again,
                    t4_event_time_goes_by_the_watermark_alone,
                    t4_nothing_expires_before_the_first_watermark,
                    t4_the_watermark_never_goes_back,
                    t4_the_watermark_goes_on_when_opened_again,
                    t4_event_time_replays_alike,
                }
                ttl_merging {
                    t1_expired_parts_are_not_merged,
                    t1_functions_never_see_what_has_expired,
                    t2_a_merged_value_has_the_newest_touch_of_its_parts,
                    t2_a_failed_merge_prolongs_nothing,
                    t2_elements_keep_their_touches_in_a_merge,
                    t2_entries_of_merged_maps_keep_or_join_their_touches,
                    t2_touches_of_a_merge_are_kept,
                }
                ttl_removal {
                    t3_what_has_expired_is_removed,
                    t3_large_maps_lose_what_has_expired,
                    t3_removal_spares_what_was_written_anew,
                    t3_removal_spares_states_without_ttl,
                    t3_what_has_expired_never_comes_back,
                    t3_removal_keeps_up_with_writing,
                    t3_only_what_has_expired_is_counted,
                }
                ttl_definitions {
                    k3_a_ttl_is_part_of_the_definition,
                    k3_a_state_without_ttl_gets_none,
                    f2_a_ttl_below_a_millisecond_is_refused,
                    closing_keeps_deadlines,
                }
                flink_maps {
                    flink_test_map_state,
                    flink_test_map_state_is_empty,
                    flink_test_map_state_iterator_arbitrary_access,
                    flink_test_map_state_entry_compare,
                    flink_test_map_state_default_value,
                    flink_test_map_state_with_null_value,
                }
                flink_values {
                    flink_test_value_state,
                    flink_test_multiple_value_states,
                    flink_test_value_state_null_update,
                    flink_test_value_state_default_value,
                    flink_test_value_state_null_as_default_value,
                    flink_test_copy_default_value,
                }
                flink_kinds {
                    flink_test_list_state,
                    flink_test_list_state_apis,
                    flink_test_list_state_merging,
                    flink_test_list_state_default_value,
                    flink_test_reducing_state,
                    flink_test_reducing_state_add_and_get,
                    flink_test_reducing_state_merging,
                    flink_test_reducing_state_default_value,
                    flink_test_list_and_reducing_state_restore_with_wrong_serializers,
                }
                flink_aggregating {
                    flink_test_aggregating_state_add_and_get_with_mutable_accumulator,
                    flink_test_aggregating_state_merging_with_mutable_accumulator,
                    flink_test_aggregating_state_add_and_get_with_immutable_accumulator,
                    flink_test_aggregating_state_merging_with_immutable_accumulator,
                }
                flink_ttl {
                    flink_test_value_state_work_with_ttl,
                    flink_test_ttl_non_existent_value,
                    flink_test_ttl_value_set_null,
                    flink_test_ttl_exact_expiration_on_write,
                    flink_test_ttl_exact_expiration_on_read,
                    flink_test_ttl_expiration_timestamp_overflow,
                    flink_test_ttl_merge_namespaces,
                    flink_test_ttl_multiple_keys_and_namespaces,
                    flink_test_ttl_snapshot_change_restore,
                    flink_test_ttl_incremental_cleanup,
                }
                flink_backend {
                    flink_test_get_keys,
                    flink_test_get_keys_and_namespaces,
                    flink_test_map_state_get_keys,
                    flink_test_num_state_entries,
                    flink_test_concurrent_modification_with_apply_to_all_keys,
                    flink_test_apply_to_all_keys_lambda_function,
                    flink_test_snapshot_non_accessed_state,
                    flink_test_restore_with_wrong_serializers,
                }
                model {
                    behaves_like_the_model_in_one_key_group,
                    behaves_like_the_model_in_128_key_groups,
                    behaves_like_the_model_in_32768_key_groups,
                behaves_like_the_model_with_little_memory_for_clears,
                }
            }
        }
    };
}

/// Calls the macro `$then` with `[$fixture] engine_cases { module { case, … } … }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __engine_cases {
    ($then:ident $(, $fixture:expr)?) => {
        $crate::$then! { [$($fixture)?]
            engine_cases {
                reads {
                    any_bytes_are_legal,
                    the_highest_keys_are_keys,
                    an_empty_value_is_a_value,
                    long_keys_and_large_values_come_back_whole,
                    a_write_is_visible_to_every_later_read,
                    deleting_takes_one_key,
                    tables_are_separate,
                    one_name_is_one_table,
                }
                scans {
                    keys_compare_as_unsigned_bytes,
                    a_scan_gives_exactly_its_range,
                    a_scan_of_a_prefix_ends_with_it,
                    an_exhausted_cursor_stays_exhausted,
                    a_long_scan_gives_every_row_once,
                }
                deletes {
                    delete_range_takes_exactly_its_range,
                    delete_range_takes_exactly_its_range_among_deletes,
                    what_is_put_after_delete_range_is_there,
                    overlapping_delete_ranges_take_their_union,
                    many_delete_ranges_leave_their_neighbours,
                }
                writes {
                    a_batch_happens_in_its_order,
                    a_batch_may_span_tables,
                    a_large_batch_arrives_whole,
                }
                durability {
                    opening_again_gives_exactly_what_was_there,
                    flushing_changes_nothing,
                    compacting_changes_nothing,
                    a_directory_has_one_holder,
                    capabilities_are_declared_once,
                }
                compaction_filter {
                    a_compaction_drops_what_the_filter_says,
                    no_older_value_comes_back_for_a_dropped_row,
                    a_dropped_row_stays_away_over_many_openings,
                    rows_stay_until_the_filter_is_set,
                    a_panicking_filter_loses_nothing,
                }
                calls {
                    m5_generation_makes_no_call,
                    m5_range_delete_is_one_call,
                    m5_point_deletes_are_one_batch,
                    m5_adaptive_switches_at_its_threshold,
                    g1_listing_skips_large_maps,
                }
                generations {
                    m5_what_was_cleared_goes_away_and_is_forgotten,
                    m5_compactions_never_take_what_is_live,
                    m5_a_hold_keeps_what_a_snapshot_sees,
                    m5_remembering_clears_keeps_its_memory,
                    m5_generations_go_on_when_opened_again,
                    m5_a_state_may_change_its_clear_strategy,
                    m5_forgetting_costs_little_at_each_access,
                }
                failures {
                    f1_a_failed_read_reaches_the_caller,
                    f1_a_failed_scan_reaches_the_caller,
                    f1_an_iterator_ends_with_its_error,
                    f1_a_failed_write_reaches_the_caller,
                    f1_a_failed_batch_changes_nothing,
                    f1_what_is_acknowledged_after_a_failure_stays,
                    f1_a_failed_flush_reaches_the_caller,
                    f1_a_failed_compaction_reaches_the_caller,
                    f1_a_failed_close_leaves_nothing_to_open,
                    f1_a_failed_opening_can_be_tried_again,
                }
                kinds {
                    l1_appending_is_one_put,
                    adding_to_a_reduced_value_is_a_read_and_a_put,
                    l2_a_merge_is_one_write,
                    l2_empty_sources_cost_no_write,
                    t2_touches_are_written_as_one_batch,
                    t3_removal_costs_little_at_each_access,
                    t3_nothing_is_left_in_the_engine,
                }
                kind_failures {
                    f1_a_failed_merge_changes_nothing,
                    f1_a_failed_change_of_a_list_changes_nothing,
                    f1_a_failed_touch_reaches_the_caller,
                    f1_a_write_that_fails_at_its_touches_changes_nothing,
                    f1_a_failed_clean_up_reaches_the_caller,
                }
                flink {
                    flink_test_map_state_clear,
                }
                model {
                    behaves_like_a_sorted_map,
                }
            }
        }
    };
}
