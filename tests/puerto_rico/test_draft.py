"""PR-NB-DRAFT-1: which buildings are on the board."""

import numpy as np
import pytest

from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import COST

from .board import BUILDINGS, legal, new_game, play


@pytest.mark.rule("PR-NB-DRAFT-1")
def test_when_both_places_of_a_cost_are_taken_its_other_kinds_are_out() -> None:
    s = new_game(4, new_buildings=True)
    assert s.decides == Phase.DRAFT
    assert len(legal(s, "draft: the")) == 31
    play(s, "draft: the black market")
    assert s.seat == 1
    assert {"hacienda", "construction hut", "forest house"} <= legal(s, "draft: the")
    play(s, "draft: the hacienda")
    assert not {"hacienda", "construction hut", "forest house", "black market"} & legal(s, "draft: the")
    assert s.buildings_left[BUILDINGS.index("black market")] == 2


@pytest.mark.rule("PR-NB-DRAFT-1")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_players_choose_twelve_small_and_five_large_kinds_in_turn(players: int) -> None:
    s = new_game(players, new_buildings=True)
    choose = np.random.default_rng(players)
    seats = []
    while s.decides == Phase.DRAFT:
        seats.append(int(s.seat))
        play(s, str(choose.choice(sorted(name for name in legal(s)))))
    # The last kinds of a cost may be forced, so not every pick is asked for; the seats still go round.
    assert seats[:players] == list(range(players))
    assert s.decides == Phase.ROLE and s.seat == 0
    chosen = [b for b in range(6, 37) if s.buildings_left[b] > 0]
    costs = [int(COST[b]) for b in chosen]
    assert {cost: costs.count(cost) for cost in set(costs)} == {1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 2, 9: 1, 10: 5}
    copies = {1} if players == 2 else {2}
    assert {int(s.buildings_left[b]) for b in chosen if COST[b] < 10} == copies
    assert {int(s.buildings_left[b]) for b in chosen if COST[b] == 10} == {1}
    assert s.buildings_left[:6].all()


@pytest.mark.rule("PR-NB-DRAFT-1")
def test_chance_may_draft_instead() -> None:
    boards = set()
    for seed in range(5):
        s = new_game(4, new_buildings=True, draft="random", seed=seed)
        assert s.decides == Phase.ROLE
        chosen = tuple(b for b in range(6, 37) if s.buildings_left[b] > 0)
        assert len(chosen) == 17
        boards.add(chosen)
    assert len(boards) > 1
