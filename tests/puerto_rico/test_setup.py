"""PR-SET: what each number of players begins with."""

import numpy as np
import pytest

import tradewinds.envs as tw

from .board import BUILDINGS, legal, new_game

# players: doubloons, chips, colonists in the supply, ships, roles, first plantations
NUMBERS = {
    2: (3, 65, 40, [4, 6], 7, ["indigo", "corn"]),
    3: (2, 75, 55, [4, 5, 6], 6, ["indigo", "indigo", "corn"]),
    4: (3, 100, 75, [5, 6, 7], 7, ["indigo", "indigo", "corn", "corn"]),
    5: (4, 122, 95, [6, 7, 8], 8, ["indigo", "indigo", "indigo", "corn", "corn"]),
}


@pytest.mark.rule("PR-SET-1", "PR-SET-3", "PR-SET-4")
@pytest.mark.parametrize("players", NUMBERS)
def test_every_number_of_players_begins_with_its_numbers(players: int) -> None:
    doubloons, chips, colonists, _, roles, first = NUMBERS[players]
    s = new_game(players)
    assert s.doubloons[:players].tolist() == [doubloons] * players
    assert s.chips_left == chips
    assert (s.colonists_left, s.ship_colonists) == (colonists, players)
    assert [s.island_of(seat) for seat in range(players)] == [{tile: 1} for tile in first]
    assert s.face_up.sum() == players + 1
    assert s.seat == s.governor == 0
    assert not s.house.any() and not s.load.any()
    # Two prospectors with nothing on them mean the same, so one of them is offered.
    assert len(legal(s, "role:")) == min(roles, 7)


@pytest.mark.rule("PR-SET-1")
def test_goods_and_tiles_are_those_of_the_box() -> None:
    s = new_game(4)
    assert s.goods_left.tolist() == [10, 11, 11, 9, 9]
    assert (s.stack + s.face_up + s.tiles[:, :5].sum(axis=0)).tolist() == [10, 12, 11, 9, 8]
    assert s.quarries_left == 8


@pytest.mark.rule("PR-SET-2")
def test_two_players_play_with_fewer_pieces() -> None:
    s = new_game(2)
    assert s.goods_left.tolist() == [8, 9, 9, 7, 7]
    assert (s.stack + s.face_up + s.tiles[:, :5].sum(axis=0)).tolist() == [7, 9, 8, 6, 5]
    assert s.quarries_left == 5
    assert s.buildings_left[:6].tolist() == [2] * 6
    assert s.buildings_left[6:23].tolist() == [1] * 17


@pytest.mark.rule("PR-SET-2")
def test_three_and_more_play_with_all_copies() -> None:
    left = new_game(3).buildings_left
    assert left[:6].tolist() == [4, 4, 3, 3, 3, 3]
    assert left[6:18].tolist() == [2] * 12
    assert left[18:23].tolist() == [1] * 5
    assert not left[23:].any()


@pytest.mark.rule("PR-NO-1", "PR-NO-3")
@pytest.mark.parametrize("players", NUMBERS)
def test_nobles_come_with_all_colonists_and_their_own_buildings(players: int) -> None:
    s = new_game(players, nobles=True)
    assert (s.ship_colonists, s.ship_nobles) == (players - 1, 1)
    assert s.colonists_left == 100 - (players - 1)
    assert s.nobles_left == 19
    copies = [1] * 6 + [2, 1] if players == 2 else [2] * 7 + [1]
    assert s.buildings_left[37:].tolist() == copies
    assert s.buildings_left[6:18].tolist() == [1 if players == 2 else 2] * 12


@pytest.mark.rule("PR-NO-3")
def test_with_both_expansions_the_draft_leaves_the_buildings_of_nobles_alone() -> None:
    s = new_game(3, nobles=True, new_buildings=True, draft="random")
    assert (s.buildings_left[6:37] > 0).sum() == 17
    assert (s.buildings_left[37:] > 0).all()


def test_impossible_options_say_what_is_possible() -> None:
    with pytest.raises(ValueError, match="new_buildings=True"):
        tw.make("puerto_rico", draft="random")
    with pytest.raises(ValueError, match="from 2 to 5"):
        tw.make("puerto_rico", players=6)
    with pytest.raises(ValueError, match="False or True"):
        tw.make("puerto_rico", nobles=1)
    with pytest.raises(ValueError, match="'players' or 'random'"):
        tw.make("puerto_rico", new_buildings=True, draft="auction")


def test_the_base_game_sees_nothing_of_the_expansions() -> None:
    base = tw.game("puerto_rico").with_options(players=4).layout
    both = tw.game("puerto_rico").with_options(players=4, new_buildings=True, nobles=True).layout
    assert base.size <= 450
    assert base.slices["buildings"].stop - base.slices["buildings"].start == 4 * 2 * 23
    assert both.slices["buildings"].stop - both.slices["buildings"].start == 4 * 2 * len(BUILDINGS)
    assert not {"nobles", "nobles_at", "guest_to", "pending", "drawn"} & set(base.slices)


def test_a_record_is_small() -> None:
    assert np.dtype(tw.game("puerto_rico").fields.dtype).itemsize < 1500
