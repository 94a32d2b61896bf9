"""Seat assignments, seeds and chunks; the same games however they are batched."""

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import amount
from tests.training import players
from tradewinds.agents import FunctionAgent, build
from tradewinds.envs.core.api.errors import IllegalActionError
from tradewinds.training.evaluation import arena, results, schedule
from tradewinds.training.evaluation.schedule import Match, Schedule

GAME = "santiago_de_cuba"


def test_the_agent_sits_in_each_seat_once_for_each_seed() -> None:
    seat_assignments, seeds = schedule.rotated(4, 40), schedule.paired_seeds(4, 40, 3)
    assert (seat_assignments == 0).sum(axis=0).tolist() == [10] * 4 and ((seat_assignments == 0).sum(axis=1) == 1).all()
    assert len(set(seeds.tolist())) == 10
    for seed in set(seeds.tolist()):
        assert sorted(seat_assignments[seeds == seed].argmin(axis=1).tolist()) == [0, 1, 2, 3]


@pytest.mark.parametrize(("count", "table"), [(3, 4), (2, 4), (5, 4), (1, 3), (4, 5)])
def test_a_field_takes_turns_in_all_seats(count: int, table: int) -> None:
    seat_assignments = schedule.assign_seats(table, 0, list(range(1, count + 1)), 0, table * count * 10)
    held = np.array([[(seat_assignments[:, seat] == agent).sum() for seat in range(table)] for agent in range(count + 1)])
    assert (held == held[:, :1]).all(), "each agent sits in each seat equally often"
    assert (held[1:] == held[1]).all(), "and each of the field as often as the other"


def test_a_part_of_the_seat_assignments_is_that_part_of_the_whole() -> None:
    whole = schedule.assign_seats(4, 2, [0, 1], 0, 48)
    assert (np.concatenate([schedule.assign_seats(4, 2, [0, 1], 0, 20), schedule.assign_seats(4, 2, [0, 1], 20, 48)]) == whole).all()


def test_seeds_of_games_and_of_agents_share_no_number() -> None:
    assert set(schedule.paired_seeds(1, 1000, 5).tolist()).isdisjoint(schedule.agent_seeds(1000, 5).tolist())


def test_whoever_fails_loses_all_its_seats_and_the_others_share_the_win() -> None:
    assert arena.forfeit(np.array([0, 1, 2, 1]), 1).tolist() == [1, 3, 1, 3]
    assert arena.forfeit(np.array([0, 1, 1, 1]), 2).tolist() == [1, 2, 2, 2]
    assert arena.forfeit(np.array([1, 1, 1]), 0).tolist() == [3, 1, 1]


@pytest.mark.slow
def test_games_played_in_parts_are_the_same_games() -> None:
    variant = tw.game(GAME).with_options(players=2)
    agents = [players.RemembersRows(), build("random", variant)]
    games = amount(24, 4)
    seat_assignments, seeds, draws = schedule.rotated(2, games), schedule.paired_seeds(2, games, 1), schedule.agent_seeds(games, 1)
    whole = arena.play_games(variant, agents, seat_assignments, seeds, draws)
    cuts = [slice(0, games // 4), slice(games // 4, games)]
    parts = results.concatenate([arena.play_games(variant, agents, seat_assignments[cut], seeds[cut], draws[cut]) for cut in cuts])
    for field in ("scores", "ranks", "lengths", "truncated"):
        assert (getattr(whole, field) == getattr(parts, field)).all()
    assert whole.times[:, 1].sum() == whole.lengths.sum(), "every decision is timed"


def test_without_a_runner_an_error_is_raised() -> None:
    variant = tw.game(GAME).with_options(players=2)
    arguments = (schedule.rotated(2, 2), schedule.paired_seeds(2, 2))
    for function, error in ((lambda o, m: int(np.argmin(m)), IllegalActionError), (lambda o, m: 0.5, TypeError)):
        with pytest.raises(error):
            arena.play_games(variant, [FunctionAgent(function), build("random", variant)], *arguments)


def test_a_schedule_rounds_games_up_and_keeps_seeds_together() -> None:
    made = Schedule.create(GAME, [players.first_legal, players.Last()], [Match(0, (1,)), Match(1, (0,))], 1001, options={"players": 3})
    assert made.games == 1002 and made.total_games == 2004
    assert all(chunk.first % 3 == 0 and chunk.last % 3 == 0 for chunk in made.chunks)
    assert len(made.chunks) >= 16 and made.chunks[0].last - made.chunks[0].first >= 30
    for match in (0, 1):
        of_match = [chunk for chunk in made.chunks if chunk.match == match]
        assert [chunk.first for chunk in of_match] == [0, *(chunk.last for chunk in of_match[:-1])] and of_match[-1].last == 1002


def test_an_agent_may_ask_for_fewer_games_at_once() -> None:
    class Careful(players.Last):
        games_at_once = 8

    made = Schedule.create(GAME, [Careful(), players.first_legal], [Match(0, (1,))], 10_000, options={"players": 4})
    assert {chunk.last - chunk.first for chunk in made.chunks} == {8}
    few = Schedule.create(GAME, [Careful(), players.first_legal], [Match(0, (1,))], 32, options={"players": 4})
    assert {chunk.last - chunk.first for chunk in few.chunks} == {4}, "every core has work to the end"
