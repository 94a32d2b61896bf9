"""Markers that runs select tests by (pyproject.toml explains them), and the order that keeps all cores busy."""

import os
import signal
from pathlib import Path

import pytest

import tradewinds.envs as tw
from tradewinds.envs.core.engine.kernel import BOUNDSCHECK, JIT

# Networks of tests are tiny, and every core has a test process of its own: more threads of torch would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# A shell starts jobs in the background with SIGINT ignored, and tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).parent
# Seconds each as plain Python, where `make quick` wants an answer within a minute.
SLOW = {
    "test_a_budget_in_seconds_is_searched_to_its_end",
    "test_a_copy_of_a_running_game_is_equal_and_independent",
    "test_a_determinized_game_can_be_played_on",
    "test_a_first_bid_and_its_loans_tell_nothing_before_all_are_in",
    "test_a_game_between_agents_goes_into_a_page_a_picture_and_its_replay",
    "test_a_game_left_finished_asks_nothing",
    "test_a_game_left_finished_is_started_as_it_would_have_been_by_itself",
    "test_a_game_of_a_batch_is_the_game_that_its_seed_gives_alone",
    "test_a_game_played_by_numbers_ends_with_scores_ranks_and_a_replay",
    "test_a_game_played_to_its_end_lets_all_agents_go",
    "test_a_later_decision_goes_on_with_what_was_found",
    "test_a_lively_game_plays_as_it_always_did",
    "test_a_model_sits_in_an_evaluation",
    "test_a_page_asks_for_nothing_from_outside",
    "test_a_page_of_a_long_game_with_every_seat_s_view_is_small",
    "test_a_redeal_keeps_all_that_is_known",
    "test_a_redeal_keeps_what_the_seat_knows_and_nothing_else_that_is_hidden",
    "test_a_rich_observation_is_the_compact_one_and_more",
    "test_a_spectator_sees_the_same_places_in_every_position_and_each_begins_with_its_outline",
    "test_a_tensor_of_one_integer_is_an_action",
    "test_agents_pickle_and_copy_and_say_what_they_are",
    "test_behaviour_cloning_comes_to_agree_with_its_teacher",
    "test_bench_refuses_to_measure_kernels_made_for_debugging",
    "test_each_part_waits_for_what_it_builds_on",
    "test_each_place_of_each_legal_action_is_in_the_picture_of_the_seat_that_moves",
    "test_every_decision_can_be_determinized_for_every_seat",
    "test_every_decision_has_at_least_two_answers_and_nothing_leaves_its_bounds",
    "test_every_decision_has_words_and_a_picture",
    "test_every_dollar_goes_where_the_rules_say",
    "test_every_part_says_what_its_text_says",
    "test_every_part_says_what_its_text_says_in_play",
    "test_every_part_says_what_its_text_says_of_any_record",
    "test_every_phase_of_a_game_can_be_shown",
    "test_every_view_shows_what_its_seat_sees_at_every_position",
    "test_final_scores_equal_an_independent_recount",
    "test_frames_for_videos_show_everything_and_outline_the_last_move",
    "test_games_stepped_by_rows_are_those_stepped_together",
    "test_kernels_and_referee_agree_on_every_decision",
    "test_kernels_and_referee_agree_on_every_decision_of_whole_games",
    "test_many_random_steps_in_one_call_are_those_of_many_calls",
    "test_most_decisions_of_the_bot_start_on_the_board",
    "test_neither_the_vector_nor_the_mask_of_a_seat_shows_what_it_cannot_know",
    "test_nothing_that_a_seat_is_given_depends_on_what_others_hide",
    "test_nothing_that_others_see_changes_with_a_bid_or_with_whom_is_asked_before_all_bids_are_in",
    "test_one_seat_plays_a_whole_game_against_agents",
    "test_perfect_recall_shows_nothing_that_is_secret",
    "test_places_do_not_depend_on_what_a_viewer_cannot_know",
    "test_results_of_an_evaluation_are_never_lost_and_the_same_command_continues",
    "test_reuse_finds_the_position_that_the_seat_sees",
    "test_rewards_follow_from_scores_and_ranks",
    "test_sampled_bids_are_bids_that_could_have_been_made",
    "test_search_beats_random_play_without_a_bot",
    "test_search_never_reads_what_its_seat_cannot_know",
    "test_search_plays_legal_actions_and_the_same_ones_again",
    "test_search_stops_early_only_when_more_could_not_change_the_answer",
    "test_sequential_halving_spends_its_simulations_on_the_best_actions",
    "test_stepping_an_agent_whose_game_is_over_says_so",
    "test_the_interval_covers_the_true_win_rate_about_95_times_in_100",
    "test_the_last_position_of_a_game_without_names_is_the_picture_of_the_environment",
    "test_the_picture_becomes_pixels",
    "test_the_rules_agree_with_the_referee",
    "test_the_same_seed_and_actions_give_the_same_bytes",
    "test_threads_change_nothing",
    "test_two_choices_that_look_the_same_to_a_seat_are_told_it_in_the_same_words",
    "test_what_a_viewer_sees_does_not_depend_on_what_it_cannot_know",
    "test_what_an_agent_writes_reaches_no_game",
    "test_whole_games_agree_with_the_referee",
    "test_whole_games_in_one_kernel_are_the_games_played_step_by_step",
    "test_whole_games_that_differ_in_hidden_money_and_cards_look_the_same_to_the_others",
}
# About what stands around the kernels, which bounds checks do not reach.
UNBOUNDED = {
    "test_actions.py",
    "test_doors.py",
    "test_pictures.py",
    "test_places.py",
    "test_plugins.py",
    "test_terminal.py",
    "test_words.py",
}
# The same for every game but for its length: the last one and the game of an outside package are enough for `make quick`.
SAME_FOR_ALL = UNBOUNDED | {"test_copies.py", "test_rows.py", "test_seeds.py"}
LONG_GAMES = tw.games()[:-1]
# What takes longest starts first, so that no core waits for the other at the end.
FIRST = (
    "training/test_rllib.py",
    "training/test_ray.py",
    "test_wheel.py",
    "web/test_play_page.py",
    "test_docs.py",
    "test_notebooks.py",
    "test_bench.py",
    "test_bench_training.py",
    "training",
    "web",
    "test_attack.py",
    "agents",
    "doors",
    "test_readme.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if getattr(item, "originalname", "") in SLOW or (item.path.name in SAME_FOR_ALL and _game_of(item) in LONG_GAMES):
            item.add_marker("slow")
        if item.path.parent == TESTS / "contract" and item.path.name not in UNBOUNDED:
            item.add_marker("bounds")
        if item.get_closest_marker("compiled") and (not JIT or BOUNDSCHECK):
            item.add_marker(pytest.mark.skip(reason="only for kernels compiled as users have them"))
    items.sort(key=_turn)  # stable: the tests of a file stay together


def _game_of(item: pytest.Item) -> str | None:
    callspec = getattr(item, "callspec", None)
    return callspec.params.get("name") if callspec else None


def _turn(item: pytest.Item) -> int:
    return next((number for number, place in enumerate(FIRST) if item.path.is_relative_to(TESTS / place)), len(FIRST))
