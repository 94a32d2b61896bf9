"""Intervals and ratings, against figures computed by hand."""

import numpy as np
import pytest
from openskill.models import PlackettLuce

from tradewinds.training.evaluation.arena import Failure, Results, join
from tradewinds.training.evaluation.stats import by_unit, rate, share_interval, spaced


def test_a_coin_tossed_a_hundred_times_has_wilsons_interval() -> None:
    units = np.tile([0.0, 1.0], 50)  # 100 units and an imaginary one: 10,000 / 101 trials
    trials = 10_000 / 101
    half = 1.959964 * 0.5 / np.sqrt(trials + 1.959964**2)
    assert share_interval(units) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)
    assert share_interval(units) == pytest.approx((0.4034, 0.5966), abs=1e-4)


def test_a_share_of_nothing_or_of_all_still_has_an_interval() -> None:
    assert share_interval(np.zeros(10)) == pytest.approx((0, 0.27753), abs=1e-5)  # z² / (10 + z²)
    assert share_interval(np.ones(10)) == pytest.approx((1 - 0.27753, 1), abs=1e-5)
    assert share_interval(np.ones(10))[1] == 1 and share_interval(np.zeros(10))[0] == 0
    low, high = share_interval(np.zeros(1))
    assert low == 0 and 0.7 < high < 1


def test_four_games_of_a_seed_that_always_agree_count_as_one() -> None:
    alike = np.repeat([0.0, 1.0, 0.0, 0.0], 25)
    each = np.tile([0.25, 0.5, 0.0, 0.25], 25)  # as many wins, better spread
    assert alike.mean() == each.mean()
    width = [high - low for low, high in map(share_interval, (alike, each))]
    assert width[0] > 1.9 * width[1]
    assert width[0] == pytest.approx(2 * 1.96 * np.sqrt(0.25 * 0.75 / 100), rel=0.05)


def test_few_units_that_agree_do_not_look_certain() -> None:
    low, high = share_interval(np.full(2, 0.25))
    assert low < 0.1 and high > 0.5


@pytest.mark.parametrize("share", [0.02, 0.25, 0.6])
@pytest.mark.parametrize("units", [8, 40])
def test_the_interval_holds_the_truth_about_95_times_in_a_hundred(share: float, units: int) -> None:
    random = np.random.default_rng(7)
    held = [low <= share <= high for low, high in (share_interval(random.binomial(4, share, units) / 4) for _ in range(1000))]
    assert np.mean(held) > 0.92


def test_games_of_a_seed_are_one_unit() -> None:
    assert by_unit(np.array([1, 0, 0, 1, 0.5, 0.5]), 2).tolist() == [0.5, 0.5, 0.5]


def test_ties_share_the_win_and_a_margin_is_to_the_best_other() -> None:
    ranks, scores = np.array([[1, 1, 3], [3, 2, 1]]), np.array([[9, 9, 4], [1, 5, 8]], np.int32)
    results = Results(scores, ranks, np.array([10, 12]), np.zeros(2, bool))
    assert results.wins.tolist() == [[0.5, 0.5, 0], [0, 0, 1]]
    assert results.margins.tolist() == [[0, 0, -5], [-7, -3, 3]]


def test_joined_results_keep_games_failures_and_times_apart() -> None:
    def part(slowest: float, failures: tuple[Failure, ...]) -> Results:
        return Results(np.ones((2, 2)), np.ones((2, 2)), np.ones(2), np.zeros(2, bool), np.array([[1.0, 4, slowest]]), failures)

    failure = Failure(1, 0, 0, "error", "why", np.zeros(0, np.int16))
    joined = join([part(0.5, ()), part(0.25, (failure,)), part(np.nan, ())])
    assert len(joined) == 6 and joined.times.tolist() == [[3, 12, 0.5]]
    assert [found.game for found in joined.failures] == [3]
    assert joined.scored.tolist() == [True, True, True, False, True, True]


def test_one_game_is_rated_as_openskill_does() -> None:
    model = PlackettLuce(tau=0.0)
    first, second, third = model.rate([[model.rating()] for _ in range(3)], ranks=[2, 1, 3])
    found = rate(3, np.array([[0, 1, 2]]), np.array([[2, 1, 3]]))
    assert [one["mu"] for one in found] == pytest.approx([first[0].mu, second[0].mu, third[0].mu])
    assert [one["sigma"] for one in found] == pytest.approx([first[0].sigma, second[0].sigma, third[0].sigma])
    assert found[1]["ordinal"] == pytest.approx(second[0].mu - 3 * second[0].sigma)


def test_an_agent_that_holds_several_seats_moves_by_their_mean() -> None:
    model = PlackettLuce(tau=0.0)
    rated = model.rate([[model.rating()] for _ in range(3)], ranks=[1, 2, 3])
    found = rate(2, np.array([[0, 1, 1]]), np.array([[1, 2, 3]]))
    assert found[0]["mu"] == pytest.approx(rated[0][0].mu)
    assert found[1]["mu"] == pytest.approx((rated[1][0].mu + rated[2][0].mu) / 2)


def test_who_wins_more_is_rated_higher_and_more_surely_with_more_games() -> None:
    random = np.random.default_rng(3)
    seat_assignments = np.tile([0, 1, 2, 2], (400, 1))
    strength = np.array([2.0, 1.0, 0.0])[seat_assignments] + random.normal(size=seat_assignments.shape)
    ranks = (-strength).argsort(axis=1).argsort(axis=1) + 1
    few, many = rate(3, seat_assignments[:40], ranks[:40]), rate(3, seat_assignments, ranks)
    assert many[0]["mu"] > many[1]["mu"] > many[2]["mu"]
    assert all(one["sigma"] < other["sigma"] for one, other in zip(many, few, strict=True))


def test_games_that_are_rated_are_spread_over_all() -> None:
    assert spaced(3, 5).tolist() == [0, 1, 2]
    assert spaced(1001, 3).tolist() == [0, 500, 1000]
