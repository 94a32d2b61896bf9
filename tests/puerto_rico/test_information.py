"""PR-INF-1: what a seat sees."""

from typing import Any

import numpy as np
import pytest

from tests.contract.tools import amount
from tests.support import sample
from tradewinds.envs.core.engine.kernel import records
from tradewinds.envs.core.engine.rng import new_tape
from tradewinds.envs.core.spec.fields import HIDDEN
from tradewinds.envs.puerto_rico import GAME
from tradewinds.envs.puerto_rico.rules.plantations import face_down
from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import CHIPS

from .board import Position, board, legal, play, player
from .test_referee import OPTION_SETS, Match


def masked_view(s: Position, viewer: int) -> np.record:
    return s.variant.masked_view(np.frombuffer(s.record.tobytes(), GAME.fields.dtype), viewer)


def seen(s: Position, viewer: int) -> np.ndarray:
    out = np.zeros(s.variant.layout.size, np.float32)
    GAME.kernels["observe"](masked_view(s, viewer), viewer, out)
    return out


@pytest.mark.rule("PR-INF-1")
def test_chips_of_others_are_hidden_unless_visibility_is_open() -> None:
    seats = (player(points=5), player(points=7), player(points=9))
    assert masked_view(board(*seats), 0).chips.tolist()[:3] == [5, HIDDEN, HIDDEN]
    s = board(*seats, visibility="open")
    assert masked_view(s, 0).chips.tolist()[:3] == [5, 7, 9]
    assert seen(s, 1)[s.variant.layout.slices["opponents"]].tolist() == pytest.approx([9 / 50, 5 / 50])


@pytest.mark.rule("PR-INF-1")
def test_a_determinization_changes_only_what_is_hidden() -> None:
    s = board(player(points=5), player(points=7), player(points=9))
    before = masked_view(s, 1).tobytes()
    sums = set()
    for seed in range(20):
        GAME.kernels["redeal"](s.record, 1, new_tape(seed))
        assert masked_view(s, 1).tobytes() == before
        assert s.chips[0] + s.chips[2] == 14
        sums.add(int(s.chips[0]))
    assert len(sums) > 3


@pytest.mark.rule("PR-INF-1", "PR-NB-FOREST-HOUSE")
def test_what_a_drawn_forest_was_is_known_to_its_owner_only() -> None:
    both = {"forest house": 1, "hacienda": 1}
    s = board(player(buildings=both), player(), player(), new_buildings=True, visibility="open")
    play(s, "role: settler")
    play(s, "hacienda: draw a plantation", draws=["coffee"])
    assert masked_view(s, 0).drawn[0] == 4
    assert masked_view(s, 1).drawn[0] == HIDDEN
    play(s, "settler: lay the drawn tile as a forest")
    stack = s.variant.layout.slices["stack"]
    assert seen(s, 0)[stack][4] == pytest.approx((s.stack[4] - 1) / 8)
    assert seen(s, 1)[stack][4] == pytest.approx(s.stack[4] / 8)
    kinds = set()
    vector = seen(s, 1).tobytes()
    for seed in range(40):
        GAME.kernels["redeal"](s.record, 1, new_tape(seed))
        assert s.own_forests[0].sum() == 1
        kinds.add(int(np.flatnonzero(s.own_forests[0])[0]))
        assert seen(s, 1).tobytes() == vector
    assert len(kinds) >= 4
    for seed in range(5):
        known = s.own_forests.copy()
        GAME.kernels["redeal"](s.record, 0, new_tape(seed))
        assert (s.own_forests == known).all()


@pytest.mark.rule("PR-INF-1")
def test_forests_that_lay_open_are_known_to_all() -> None:
    s = board(player(buildings={"forest house": 1}), player(), player(), new_buildings=True)
    play(s, "role: settler", "settler: take corn as a forest")
    assert masked_view(s, 2).known_forests[0].tolist() == [1, 0, 0, 0, 0]


def determinizations(s: Position, viewer: int) -> list[tuple[int, ...]]:
    """The chips of each seat in many determinizations for a viewer."""
    found = []
    for seed in range(60):
        dealt = records(np.frombuffer(s.record.tobytes(), GAME.fields.dtype).copy())
        mask = np.zeros(len(GAME.actions), np.bool_)
        GAME.loops.redeal_state(dealt[0], viewer, mask, new_tape(seed))
        found.append(tuple(dealt["chips"][0, : int(s.players)].tolist()))
        assert found[-1][viewer] == s.chips[viewer]
        assert sum(found[-1]) == s.chips.sum()
    return found


@pytest.mark.rule("PR-INF-1", "PR-NB-BLACK-MARKET")
def test_one_who_has_begun_to_pay_with_a_point_has_one_in_every_determinization() -> None:
    buyer = player(doubloons=2, points=1, goods={"corn": 1, "indigo": 1}, buildings={"black market": 1})
    s = board(buyer, player(points=4), player(points=4), new_buildings=True)
    play(s, "role: builder", "builder: build the office")  # 5 - 1 with 2 doubloons, and no colonist: a good and a point
    assert s.decides == Phase.PAY_GOOD
    assert legal(s) == {"black market: hand in 1 corn", "black market: hand in 1 indigo"}
    assert all(dealt[0] >= 1 for dealt in determinizations(s, viewer=1)), "the point that is still to be handed in"


@pytest.mark.rule("PR-INF-1", "PR-NB-BLACK-MARKET", "PR-NO-2")
def test_one_who_pays_all_three_has_a_point_in_every_determinization() -> None:
    buyer = player(doubloons=1, points=1, goods={"corn": 1, "indigo": 1}, buildings={"black market": 1}, windrose=2, nobles={"windrose": 1})
    s = board(buyer, player(points=4), player(points=4), new_buildings=True, nobles=True)
    play(s, "role: builder", "builder: build the office")  # 5 - 1 with 1 doubloon: a colonist or a noble, a good and a point
    assert legal(s) == {"people: a colonist", "people: a noble"}
    assert all(dealt[0] >= 1 for dealt in determinizations(s, viewer=1))
    play(s, "people: a noble")
    assert all(dealt[0] >= 1 for dealt in determinizations(s, viewer=1))
    play(s, "black market: hand in 1 corn")
    assert "office" in s.city_of(0)
    assert s.points(0) == 0


@pytest.mark.rule("PR-INF-1")
def test_a_determinization_gives_the_others_any_share_of_the_chips() -> None:
    s = board(player(points=3), player(points=1), player(points=2))
    assert set(determinizations(s, viewer=0)) == {(3, 0, 3), (3, 1, 2), (3, 2, 1), (3, 3, 0)}


@pytest.mark.rule("PR-INF-1")
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("options", OPTION_SETS)
def test_a_determinized_game_can_be_played_on(players: int, options: dict[str, Any]) -> None:
    for seed in range(sample(1, 3)):
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
                GAME.loops.redeal_state(s, viewer, match.mask, match.stream)
                assert match.variant.masked_view(s, viewer).tobytes() == seen
                assert own is None or own == match.names()
                assert len(match.names()) >= 2
            action = GAME.actions.parse(str(match.rng.choice(match.names())))
            GAME.loops.play(s, action, match.mask, match.words, match.stream)
            assert GAME.fields.out_of_bounds(np.frombuffer(s.tobytes(), GAME.fields.dtype)) == []
            assert s["chips"].sum() + s["chips_left"] == CHIPS[players]
            assert all(face_down(s, good) >= 0 for good in range(5))
