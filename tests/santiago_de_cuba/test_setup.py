"""Setup: the board, what everyone starts with, and the first ship."""

import numpy as np
import pytest

from tests.santiago_de_cuba.board import BUILDINGS, CUBANS, GOODS, Position, begin, board, drive_name, legal, new_game, play
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.santiago_de_cuba.state import Phase
from tradewinds.envs.santiago_de_cuba.tables import DICE, FLOWER_OF_CUBAN

ZEROS = (0, 0, 0, 0, 0)


def games(players: int, count: int) -> list[Position]:
    """Games from as many seeds."""
    started = []
    for seed in range(count):
        s = Position(players, seed=seed)
        begin(s)
        started.append(s)
    return started


@pytest.mark.rule("SC-SET-1")
def test_three_of_the_twelve_buildings_lie_under_each_flower():
    for s in games(4, 20):
        assert sorted(s.sites) == list(range(12))
        for flower in range(4):
            assert set(s.sites[3 * flower : 3 * flower + 3]) == set(np.flatnonzero(s.flower == flower))


@pytest.mark.rule("SC-SET-1")
def test_every_building_may_lie_on_every_site_and_every_cuban_stand_at_every_stop():
    started = games(2, 150)
    assert {(site, int(b)) for s in started for site, b in enumerate(s.sites)} == {(i, b) for i in range(12) for b in range(12)}
    assert {(stop, int(c)) for s in started for stop, c in enumerate(s.street)} == {(i, c) for i in range(9) for c in range(9)}


@pytest.mark.rule("SC-SET-1", "SC-SET-2")
def test_the_nine_cubans_stand_along_the_street_once_each():
    for s in games(3, 20):
        assert sorted(s.street) == list(range(9))
        assert not s.inactive.any()


@pytest.mark.rule("SC-SET-2")
def test_the_street_is_a_ring_of_the_port_and_nine_cubans():
    assert new_game(2).car_at == "port"
    order = ["Maria", "El Zorro", "Pablo", "Pedro", "Alonso", "José", "Martinez", "Conchita", "Miguel"]
    seen = []
    for stops in range(1, 12):
        s = board(street=order, car_at="port", pesos=[11])
        play(s, drive_name(stops))
        seen.append(s.car_at)
    assert seen == [*order, "port", "Maria"]


@pytest.mark.rule("SC-SET-3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_starts_with_three_pesos_two_points_and_three_goods(players):
    s = new_game(players)
    assert s.pesos.tolist() == [3] * players
    assert s.points.tolist() == [2] * players
    assert all(s.held(seat) == {"sugar": 1, "tobacco": 1, "fruit": 1} for seat in range(players))
    assert s.markers.tolist() == [3] * players
    assert s.pawn.tolist() == [-1] * players
    assert (s.owner == -1).all()
    assert {good: s.left(good) for good in GOODS} == {
        "sugar": 8 - players,
        "tobacco": 8 - players,
        "rum": 8,
        "cigars": 8,
        "fruit": 8 - players,
        "wood": 8,
    }


@pytest.mark.rule("SC-SET-4")
def test_the_first_of_seven_ships_comes_in_at_value_two():
    s = new_game(4)
    assert (s.ship, s.value) == (1, 2)
    play(s, "ship: put the rum die aside")
    assert (s.ship, s.value, s.in_port) == (1, 2, 1)


@pytest.mark.rule("SC-SET-5")
@pytest.mark.parametrize(("players", "first"), [(2, 0), (2, 1), (3, 0), (3, 2), (4, 0), (4, 3)])
def test_the_player_to_the_right_of_the_first_chooses_four_dice(players, first):
    s = new_game(players, first, rolls=[(3, 1, 2, 0, 4)])
    assert s.decides == Phase.DICE
    assert s.seat == (first - 1) % players
    assert s.dice.tolist() == [3, 1, 2, 0, 4]
    play(s, "ship: put the sugar die aside")
    assert s.wanted == {"tobacco": 1, "rum": 2, "fruit": 4}
    assert (s.seat, s.active, s.turn, s.decides) == (first, first, 0, Phase.CAR)


@pytest.mark.rule("SC-SET-5")
def test_any_player_may_go_first():
    for players in (2, 3, 4):
        assert {(int(s.active) + 1) % players for s in games(players, 40)} == set(range(players))


@pytest.mark.rule("SC-SET-5")
def test_each_die_shows_0_1_1_2_2_3_but_the_fruit_die_has_a_four_in_place_of_a_one():
    assert [sorted(die) for die in DICE.tolist()] == [[0, 1, 1, 2, 2, 3]] * 4 + [[0, 1, 2, 2, 3, 4]]
    rolled = np.array([s.dice for s in games(2, 150)])
    for die, faces in enumerate(DICE):
        assert set(rolled[:, die]) == set(faces)


@pytest.mark.rule("SC-SET-5", "SC-NEW-3")
def test_five_zeros_in_the_set_up_send_the_first_ship_away_and_the_same_player_rolls_again():
    s = new_game(3, first=1, rolls=[ZEROS, ZEROS, (1, 1, 1, 1, 1)])
    assert (s.ship, s.seat, s.decides) == (3, 0, Phase.DICE)
    play(s, "ship: put the fruit die aside")
    assert (s.seat, s.turn, s.ship, s.value) == (1, 0, 3, 2)


@pytest.mark.rule("SC-SET-5", "SC-NEW-3")
def test_four_zeros_may_be_chosen_in_the_set_up():
    s = new_game(3, first=1, rolls=[(0, 0, 3, 0, 0)])
    assert legal(s, "ship:") == {"put the sugar die aside", "put the rum die aside"}
    play(s, "ship: put the rum die aside", rolls=[(1, 1, 1, 1, 1)])
    assert (s.ship, s.seat, s.decides, s.turn) == (2, 0, Phase.DICE, -1)


@pytest.mark.rule("SC-NEW-3", "SC-END-1")
def test_seven_rolls_of_five_zeros_end_a_game_before_it_begins():
    s = new_game(2, rolls=[ZEROS] * 7)
    assert s.status == Status.ENDED


@pytest.mark.rule("SC-BLD-1")
def test_the_flowers_group_the_cubans_by_two_and_el_zorros_is_none_of_the_four():
    groups: dict[int, set[str]] = {}
    for cuban, flower in zip(CUBANS, FLOWER_OF_CUBAN.tolist(), strict=True):
        groups.setdefault(flower, set()).add(cuban)
    assert set(map(frozenset, groups.values())) == {
        frozenset({"Pedro", "Alonso"}),
        frozenset({"Miguel", "Conchita"}),
        frozenset({"José", "Martinez"}),
        frozenset({"Pablo", "Maria"}),
        frozenset({"El Zorro"}),
    }
    assert len(BUILDINGS) == 12
