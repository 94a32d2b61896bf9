"""What a re-deal may not contradict: what everybody has seen."""

from typing import Any

import numpy as np
import pytest

from tests.contract.tools import amount
from tradewinds.envs.core.engine.kernel import records
from tradewinds.envs.core.engine.rng import new_tape
from tradewinds.envs.puerto_rico import GAME
from tradewinds.envs.puerto_rico.rules.plantations import face_down
from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import CHIPS

from .board import Position, board, legal, play, player
from .test_review_referee import OPTION_SETS, Match


def re_deals(s: Position, viewer: int) -> list[tuple[int, ...]]:
    """The chips of each seat in many worlds that the viewer cannot tell apart."""
    found = []
    for seed in range(60):
        dealt = records(np.frombuffer(s.record.tobytes(), GAME.fields.dtype).copy())
        mask = np.zeros(len(GAME.actions), np.bool_)
        GAME.loops.redeal_world(dealt[0], viewer, mask, new_tape(seed))
        found.append(tuple(dealt["chips"][0, : int(s.players)].tolist()))
        assert found[-1][viewer] == s.chips[viewer]
        assert sum(found[-1]) == s.chips.sum()
    return found


@pytest.mark.rule("PR-INF-1", "PR-NB-BLACK-MARKET")
def test_one_who_has_begun_to_pay_with_a_point_has_one_in_every_re_deal() -> None:
    buyer = player(doubloons=2, points=1, goods={"corn": 1, "indigo": 1}, buildings={"black market": 1})
    s = board(buyer, player(points=4), player(points=4), new_buildings=True)
    play(s, "role: builder", "builder: build the office")  # 5 - 1 with 2 doubloons, and no colonist: a good and a point
    assert s.decides == Phase.PAY_GOOD
    assert legal(s) == {"black market: hand in 1 corn", "black market: hand in 1 indigo"}
    assert all(dealt[0] >= 1 for dealt in re_deals(s, viewer=1)), "the point that is still to be handed in"


@pytest.mark.rule("PR-INF-1", "PR-NB-BLACK-MARKET", "PR-NO-2")
def test_one_who_pays_all_three_has_a_point_in_every_re_deal() -> None:
    buyer = player(doubloons=1, points=1, goods={"corn": 1, "indigo": 1}, buildings={"black market": 1}, windrose=2, nobles={"windrose": 1})
    s = board(buyer, player(points=4), player(points=4), new_buildings=True, nobles=True)
    play(s, "role: builder", "builder: build the office")  # 5 - 1 with 1 doubloon: a colonist or a noble, a good and a point
    assert legal(s) == {"people: a colonist", "people: a noble"}
    assert all(dealt[0] >= 1 for dealt in re_deals(s, viewer=1))
    play(s, "people: a noble")
    assert all(dealt[0] >= 1 for dealt in re_deals(s, viewer=1))
    play(s, "black market: hand in 1 corn")
    assert "office" in s.city_of(0)
    assert s.points(0) == 0


@pytest.mark.rule("PR-INF-1")
def test_a_re_deal_gives_the_others_any_share_of_the_chips() -> None:
    s = board(player(points=3), player(points=1), player(points=2))
    assert set(re_deals(s, viewer=0)) == {(3, 0, 3), (3, 1, 2), (3, 2, 1), (3, 3, 0)}


@pytest.mark.rule("PR-INF-1")
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("options", OPTION_SETS)
def test_a_re_dealt_game_plays_on_as_a_game_that_could_be(players: int, options: dict[str, Any]) -> None:
    for seed in range(amount(3, 1)):
        match = Match(seed + players, True, players=players, **options)
        s: Any = match.record
        s["chips"][0] += CHIPS[players] - s["chips_left"] - s["chips"].sum()
        for turn in range(amount(300, 100)):
            if match.is_over:
                break
            if turn % 3 == 0:
                viewer = int(match.rng.integers(players))
                seen = match.variant.masked_view(s, viewer).tobytes()
                own = match.names() if s["seat"] == viewer else None
                GAME.loops.redeal_world(s, viewer, match.mask, match.stream)
                assert match.variant.masked_view(s, viewer).tobytes() == seen
                assert own is None or own == match.names()
                assert len(match.names()) >= 2
            action = GAME.actions.parse(str(match.rng.choice(match.names())))
            GAME.loops.play(s, action, match.mask, match.words, match.stream)
            assert GAME.fields.out_of_bounds(np.frombuffer(s.tobytes(), GAME.fields.dtype)) == []
            assert s["chips"].sum() + s["chips_left"] == CHIPS[players]
            assert all(face_down(s, good) >= 0 for good in range(5))
