"""PR-INF-1: what a seat sees."""

import numpy as np
import pytest

from tradewinds.envs.core.engine.rng import new_tape
from tradewinds.envs.core.spec.fields import HIDDEN
from tradewinds.envs.puerto_rico import GAME

from .board import Position, board, play, player


def masked_view(s: Position, viewer: int) -> np.record:
    return s.variant.masked_view(np.frombuffer(s.record.tobytes(), GAME.fields.dtype), viewer)


def seen(s: Position, viewer: int) -> np.ndarray:
    out = np.zeros(s.variant.layout.size, np.float32)
    GAME.kernels["observe"](masked_view(s, viewer), viewer, out)
    return out


@pytest.mark.rule("PR-INF-1")
def test_chips_of_others_are_hidden_unless_one_counts_along() -> None:
    seats = (player(points=5), player(points=7), player(points=9))
    assert masked_view(board(*seats), 0).chips.tolist()[:3] == [5, HIDDEN, HIDDEN]
    s = board(*seats, visibility="open")
    assert masked_view(s, 0).chips.tolist()[:3] == [5, 7, 9]
    assert seen(s, 1)[s.variant.layout.slices["opponents"]].tolist() == pytest.approx([9 / 50, 5 / 50])


@pytest.mark.rule("PR-INF-1")
def test_re_dealing_shuffles_only_what_is_hidden() -> None:
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
