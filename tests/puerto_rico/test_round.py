"""PR-RND, PR-PROSPECTOR, PR-END-1 and PR-STALL: rounds, roles and how a game ends."""

from typing import Any

import numpy as np
import pytest

from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.puerto_rico.state import Phase

from .board import GAME, ROLES, board, legal, new_game, pass_until, play, player, step
from .test_referee import OPTION_SETS, Match

# Fields that a role uses and leaves as they were.
NONE = ("place", "guest_to", "good", "pending", "drawn")
ZERO = (
    "amount",
    "done",
    "tile_taken",
    "quarry_taken",
    "second",
    "privilege",
    "made",
    "sold",
    "land_used",
    "turns",
    "idle",
    "wharf_used",
    "small_wharf_used",
)


def four(**first: int) -> list[dict]:
    return [player(**first), player(), player(), player()]


@pytest.mark.rule("PR-PROSPECTOR-1", "PR-RND-1")
def test_a_prospector_with_two_doubloons_on_it_brings_three() -> None:
    s = board(*four(), on_roles={"prospector": 2})
    play(s, "role: prospector")
    assert s.doubloons[0] == 3
    assert s.doubloons[1:].sum() == 0
    assert s.seat == 1


@pytest.mark.rule("PR-RND-1")
def test_a_role_that_was_taken_is_gone_for_this_round() -> None:
    s = board(*four())
    play(s, "role: prospector")
    assert legal(s, "role:") == {"settler", "mayor", "builder", "craftsman", "trader", "captain"}


@pytest.mark.rule("PR-RND-2", "PR-RND-1")
def test_after_four_roles_a_doubloon_lies_on_each_of_the_other_three_and_the_governor_moves_on() -> None:
    s = board(*four())
    play(s, "role: prospector", "role: craftsman", "role: trader", "role: captain")
    on = dict(zip(ROLES, s.role_doubloons.tolist(), strict=True))
    assert on == {**dict.fromkeys(ROLES, 0), "settler": 1, "mayor": 1, "builder": 1}
    assert (s.governor, s.seat, s.rounds) == (1, 1, 1)
    assert len(legal(s, "role:")) == 7


@pytest.mark.rule("PR-RND-1", "PR-RND-2")
def test_two_players_take_three_roles_each_in_turn() -> None:
    s = board(player(), player())
    takers = []
    for role in ("prospector", "craftsman", "trader", "captain", "builder"):
        takers.append(int(s.seat))
        play(s, f"role: {role}")
        pass_until(s, Phase.ROLE)
    takers.append(int(s.seat))
    assert takers == [0, 1, 0, 1, 0, 1]
    play(s, "role: mayor")
    pass_until(s, Phase.ROLE)
    assert s.rounds == 1
    assert s.governor == s.seat == 1
    assert s.role_doubloons[ROLES.index("settler")] == 1
    assert s.role_doubloons.sum() == 1


@pytest.mark.rule("PR-RND-1", "PR-RND-4")
def test_five_players_have_two_prospectors_told_apart_by_what_lies_on_them() -> None:
    s = board(*four(), player())
    assert "second prospector" not in legal(s, "role:")
    play(s, "role: prospector")
    assert "second prospector" in legal(s, "role:")
    s = board(*four(), player(), on_roles={"second prospector": 1})
    assert {"prospector", "second prospector"} <= legal(s, "role:")
    play(s, "role: second prospector")
    assert s.doubloons[0] == 2


@pytest.mark.rule("PR-RND-3")
def test_taking_a_role_is_a_must_and_its_action_is_not() -> None:
    s = board(player(doubloons=9), player(), player())
    assert "pass" not in legal(s)
    play(s, "role: builder")
    assert "pass" in legal(s)
    play(s, "pass")
    assert s.doubloons[0] == 9
    assert s.decides == Phase.ROLE


@pytest.mark.rule("PR-END-1")
def test_the_twelfth_city_place_ends_the_game_after_the_round() -> None:
    small = ["small market", "hacienda", "construction hut", "small warehouse", "hospice", "office", "large market", "large warehouse"]
    full = dict.fromkeys([*small, "factory", "university", "harbour"], 0)
    s = board(player(doubloons=2, buildings=full), player(), player())
    play(s, "role: builder", "builder: build the small indigo plant")
    assert s.last_round
    play(s, "role: craftsman")
    assert not s.is_over
    play(s, "role: captain")
    assert s.is_over
    assert s.status == Status.ENDED


@pytest.mark.rule("PR-END-1")
def test_the_last_chip_ends_the_game_and_more_points_are_noted_down() -> None:
    s = board(player(goods={"corn": 4}), player(), player(), chips_left=3)
    play(s, "role: captain", "captain: load corn on ship 1")
    assert s.last_round
    assert (s.chips[0], s.noted[0]) == (3, 2)
    assert s.chips_left == 0
    assert not s.is_over


@pytest.mark.rule("PR-END-1", "PR-MAYOR-3")
def test_a_ship_that_cannot_be_filled_ends_the_game_and_an_exact_fill_does_not() -> None:
    for left, ends in ((3, False), (2, True)):
        s = board(player(), player(), player(), colonists_left=left + 1)
        play(s, "role: mayor", "people: a colonist")
        assert s.decides == Phase.ROLE
        assert bool(s.last_round) == ends
        assert s.ship_colonists == left
        assert s.colonists_left == 0


@pytest.mark.slow
@pytest.mark.rule("PR-STALL-1")
def test_a_game_in_which_nobody_does_anything_is_cut_off() -> None:
    s = new_game(4)
    idle = ["role: prospector", "role: trader", "role: captain", "role: craftsman"]
    decisions = 0
    while not s.is_over:
        name = next((name for name in [*idle, "pass"] if name in legal(s)), None)
        assert name is not None
        step(s, GAME.actions.parse(name))
        decisions += 1
    assert s.status == Status.TRUNCATED
    assert s.rounds == 400
    assert decisions >= 1600


@pytest.mark.rule("PR-RND-1")
@pytest.mark.parametrize("options", OPTION_SETS)
def test_a_role_leaves_nothing_behind_but_what_it_did(options: dict[str, Any]) -> None:
    match = Match(5, True, players=3, **options)
    for _ in range(250):
        if match.is_over:
            break
        match.play(str(match.rng.choice(match.names())))
        if match.record["phase"] == Phase.ROLE:
            left = [name for name in NONE if np.any(match.record[name] != -1)] + [name for name in ZERO if np.any(match.record[name])]
            assert not left
