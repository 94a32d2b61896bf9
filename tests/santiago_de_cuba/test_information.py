"""What a seat sees, and determinizations of what it does not."""

import numpy as np
import pytest

from tests.santiago_de_cuba.board import Position, board, check, drive, legal
from tests.santiago_de_cuba.positions import random_position, vector
from tradewinds.envs.core.engine.rng import new_tape
from tradewinds.envs.core.spec.fields import HIDDEN
from tradewinds.envs.santiago_de_cuba import GAME
from tradewinds.envs.santiago_de_cuba.state import Phase

HELD = ("goods", "pesos", "points")
OPEN = [name for name in GAME.fields.dtype.names or () if name not in HELD]


def copy_of(s: Position) -> Position:
    other = Position(s.players, s.variant.options["visibility"])
    for name in GAME.fields.dtype.names or ():
        other.record[name] = s.record[name]
    GAME.kernels["legal"](other.record, other.mask)
    return other


def redeal(s: Position, viewer: int, seed: int) -> Position:
    """A determinization of the position for a viewer."""
    other = copy_of(s)
    GAME.kernels["redeal"](other.record, viewer, new_tape(seed))
    return other


@pytest.mark.rule("SC-INF-1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_seat_sees_all_but_the_goods_pesos_and_points_of_the_others(players):
    s = random_position(players, seed=players)
    whole = np.frombuffer(s.record.tobytes(), GAME.fields.dtype)
    for viewer in range(players):
        seen = s.variant.masked_view(whole, viewer)
        for name in OPEN:
            assert (seen[name] == s.record[name]).all()
        for name in HELD:
            for seat in range(players):
                expected = s.record[name][seat] if seat == viewer else HIDDEN
                assert (seen[name][seat] == expected).all()


@pytest.mark.rule("SC-INF-1")
def test_with_open_visibility_a_seat_sees_all():
    s = random_position(4, seed=1, visibility="open")
    whole = np.frombuffer(s.record.tobytes(), GAME.fields.dtype)
    for viewer in range(4):
        assert s.variant.masked_view(whole, viewer).tobytes() == whole.tobytes()


@pytest.mark.rule("SC-INF-1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_redeal_keeps_all_that_is_known(players):
    for seed in range(20):
        s = random_position(players, seed)
        for viewer in range(players):
            other = redeal(s, viewer, seed)
            for name in OPEN:
                assert (other.record[name] == s.record[name]).all(), name
            for name in HELD:
                assert (other.record[name][viewer] == s.record[name][viewer]).all(), name
            assert (other.goods.sum(axis=0) == s.goods.sum(axis=0)).all()
            assert (other.goods >= 0).all() and (other.pesos >= 0).all() and (other.points >= 0).all()
            check(other)


@pytest.mark.rule("SC-INF-1")
def test_a_redeal_may_put_every_hidden_good_peso_and_point_anywhere():
    s = board(3, goods=[{"rum": 1}, {"rum": 2, "wood": 1}, {"fruit": 1}])
    determinized = [redeal(s, 0, seed) for seed in range(60)]
    assert {tuple(w.goods[1:, 2]) for w in determinized} == {(0, 2), (1, 1), (2, 0)}
    assert {tuple(w.goods[1:, 4]) for w in determinized} == {(0, 1), (1, 0)}
    assert {tuple(w.goods[1:, 5]) for w in determinized} == {(0, 1), (1, 0)}
    for seat in (1, 2):
        assert len({int(w.pesos[seat]) for w in determinized}) > 5
        assert len({int(w.points[seat]) for w in determinized}) > 5


@pytest.mark.rule("SC-INF-1")
def test_with_one_opponent_the_goods_are_known():
    s = board(2, goods=[{"rum": 1}, {"rum": 2, "wood": 1}])
    for seed in range(10):
        assert redeal(s, 0, seed).held(1) == {"rum": 2, "wood": 1}


@pytest.mark.rule("SC-INF-1")
def test_with_open_visibility_a_determinization_changes_nothing():
    s = random_position(4, seed=3, visibility="open")
    for viewer in range(4):
        assert redeal(s, viewer, seed=viewer).record.tobytes() == s.record.tobytes()


@pytest.mark.rule("SC-INF-1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_neither_the_vector_nor_the_mask_of_a_seat_shows_what_it_cannot_know(players):
    for seed in range(30):
        s = random_position(players, seed)
        for viewer in range(players):
            other = redeal(s, viewer, seed)
            assert (vector(other, viewer) == vector(s, viewer)).all()
            if s.seat == viewer:
                GAME.kernels["legal"](other.record, other.mask)
                assert (other.mask == s.mask).all()


@pytest.mark.rule("SC-INF-1", "SC-CUB-4")
def test_a_determinization_leaves_the_seat_to_move_a_real_decision():
    s = board(2, before="El Zorro", pesos=[3, 1], points=[2, 1])
    drive(s, "El Zorro")
    assert (s.decides, s.seat) == (Phase.EL_ZORRO, 1)
    for seed in range(40):
        other = copy_of(s)
        GAME.loops.redeal_state(other.record, 0, other.mask, new_tape(seed))
        GAME.kernels["legal"](other.record, other.mask)
        assert len(legal(other)) >= 2
