"""Intervals and ratings, against figures computed by hand."""

from collections.abc import Callable

import numpy as np
import pytest
from openskill.models import PlackettLuce

from tradewinds.training.evaluation import stats
from tradewinds.training.evaluation.results import Failure, Results, concatenate
from tradewinds.training.evaluation.stats import evenly_spaced, mean_by_seed, rate_agents, win_rate_interval

Draw = Callable[[np.random.Generator, float, int], np.ndarray]


def test_single_games_have_wilsons_interval() -> None:
    """Wilson's formula gives 0.40383 to 0.59617 for 50 wins in 100 games; the estimated variance makes it a little wider."""
    low, high = win_rate_interval(np.tile([0.0, 1.0], 50))
    assert 0.401 < low < 0.40383 and 0.59617 < high < 0.599
    assert win_rate_interval(np.tile([0.0, 1.0], 5000)) == pytest.approx((0.49020, 0.50980), abs=1e-5)


def test_no_win_or_no_loss_still_has_an_interval() -> None:
    assert win_rate_interval(np.zeros(10)) == pytest.approx((0, 0.27753), abs=1e-5)  # z² / (10 + z²)
    assert win_rate_interval(np.ones(10)) == pytest.approx((1 - 0.27753, 1), abs=1e-5)
    assert win_rate_interval(np.ones(10))[1] == 1 and win_rate_interval(np.zeros(10))[0] == 0
    low, high = win_rate_interval(np.zeros(1))
    assert low == 0 and 0.7 < high < 1


def test_four_games_of_a_seed_that_always_agree_count_as_one() -> None:
    alike = np.repeat([0.0, 1.0, 0.0, 0.0], 25)
    each = np.tile([0.25, 0.5, 0.0, 0.25], 25)  # as many wins, less variance between seeds
    assert alike.mean() == each.mean()
    width = [high - low for low, high in map(win_rate_interval, (alike, each))]
    assert width[0] > 1.9 * width[1]
    assert width[0] == pytest.approx(2 * 1.96 * np.sqrt(0.25 * 0.75 / 100), rel=0.05)


def test_few_seeds_that_agree_do_not_look_certain() -> None:
    low, high = win_rate_interval(np.full(2, 0.25))
    assert low < 0.1 and high > 0.5


def test_the_quantiles_of_t_are_those_of_the_tables() -> None:
    for df, quantile in ((1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)):
        assert stats._t95(df) == pytest.approx(quantile, rel=2e-3)


def independent(random: np.random.Generator, rate: float, seeds: int) -> np.ndarray:
    return random.binomial(4, rate, seeds) / 4


def correlated(random: np.random.Generator, rate: float, seeds: int) -> np.ndarray:
    """Seeds differ in how good they are for the agent."""
    return random.binomial(4, random.beta(2 * rate, 2 * (1 - rate), seeds)) / 4


def balanced(random: np.random.Generator, rate: float, seeds: int) -> np.ndarray:
    """Seats of a seed make up for each other."""
    return np.floor(4 * rate + random.random(seeds)) / 4


def single_games(random: np.random.Generator, rate: float, seeds: int) -> np.ndarray:
    return random.binomial(1, rate, seeds).astype(float)


@pytest.mark.parametrize("draw", [independent, correlated, balanced, single_games])
@pytest.mark.parametrize("rate", [0.02, 0.1, 0.6, 0.97])
@pytest.mark.parametrize("seeds", [8, 40, 250])
def test_the_interval_covers_the_true_win_rate_about_95_times_in_100(draw: Draw, rate: float, seeds: int) -> None:
    random = np.random.default_rng(7)
    covered = [low <= rate <= high for low, high in (win_rate_interval(draw(random, rate, seeds)) for _ in range(1000))]
    assert 0.9 < np.mean(covered) <= (0.99 if seeds >= 40 else 1)


def test_games_of_a_seed_are_one_unit() -> None:
    assert mean_by_seed(np.array([1, 0, 0, 1, 0.5, 0.5]), 2).tolist() == [0.5, 0.5, 0.5]


def test_ties_share_the_win_and_a_margin_is_to_the_best_other() -> None:
    ranks, scores = np.array([[1, 1, 3], [3, 2, 1]]), np.array([[9, 9, 4], [1, 5, 8]], np.int32)
    results = Results(scores, ranks, np.array([10, 12]), np.zeros(2, bool))
    assert results.wins.tolist() == [[0.5, 0.5, 0], [0, 0, 1]]
    assert results.margins.tolist() == [[0, 0, -5], [-7, -3, 3]]


def test_joined_results_keep_games_failures_and_times_apart() -> None:
    def part(slowest: float, failures: tuple[Failure, ...]) -> Results:
        return Results(np.ones((2, 2)), np.ones((2, 2)), np.ones(2), np.zeros(2, bool), np.array([[1.0, 4, slowest]]), failures)

    failure = Failure(1, 0, 0, "error", "why", np.zeros(0, np.int16))
    joined = concatenate([part(0.5, ()), part(0.25, (failure,)), part(np.nan, ())])
    assert len(joined) == 6 and joined.times.tolist() == [[3, 12, 0.5]]
    assert [found.game for found in joined.failures] == [3]
    assert joined.completed.tolist() == [True, True, True, False, True, True]


def test_one_game_is_rated_as_openskill_does() -> None:
    model = PlackettLuce(tau=0.0)
    first, second, third = model.rate([[model.rating()] for _ in range(3)], ranks=[2, 1, 3])
    found = rate_agents(3, np.array([[0, 1, 2]]), np.array([[2, 1, 3]]))
    assert [one["mu"] for one in found] == pytest.approx([first[0].mu, second[0].mu, third[0].mu])
    assert [one["sigma"] for one in found] == pytest.approx([first[0].sigma, second[0].sigma, third[0].sigma])
    assert found[1]["ordinal"] == pytest.approx(second[0].mu - 3 * second[0].sigma)


def test_an_agent_that_holds_several_seats_moves_by_their_mean() -> None:
    model = PlackettLuce(tau=0.0)
    rated = model.rate([[model.rating()] for _ in range(3)], ranks=[1, 2, 3])
    found = rate_agents(2, np.array([[0, 1, 1]]), np.array([[1, 2, 3]]))
    assert found[0]["mu"] == pytest.approx(rated[0][0].mu)
    assert found[1]["mu"] == pytest.approx((rated[1][0].mu + rated[2][0].mu) / 2)


def test_a_better_agent_is_rated_higher_and_more_certainly_with_more_games() -> None:
    random = np.random.default_rng(3)
    seat_assignments = np.tile([0, 1, 2, 2], (400, 1))
    strength = np.array([2.0, 1.0, 0.0])[seat_assignments] + random.normal(size=seat_assignments.shape)
    ranks = (-strength).argsort(axis=1).argsort(axis=1) + 1
    few, many = rate_agents(3, seat_assignments[:40], ranks[:40]), rate_agents(3, seat_assignments, ranks)
    assert many[0]["mu"] > many[1]["mu"] > many[2]["mu"]
    assert all(one["sigma"] < other["sigma"] for one, other in zip(many, few, strict=True))


def test_rated_games_are_spread_over_all() -> None:
    assert evenly_spaced(3, 5).tolist() == [0, 1, 2]
    assert evenly_spaced(1001, 3).tolist() == [0, 500, 1000]
