"""PR-MAYOR: who comes, and where they go."""

import pytest

from tradewinds.envs.puerto_rico.state import Phase

from .board import board, legal, play, player


@pytest.mark.rule("PR-MAYOR-1")
def test_six_colonists_of_the_ship_go_round_after_the_privilege() -> None:
    s = board(player(), player(), player(), player(), colonist_ship=6)
    play(s, "role: mayor", "people: a colonist")
    assert [s.at(seat, "windrose") for seat in range(4)] == [3, 2, 1, 1]


@pytest.mark.rule("PR-MAYOR-1")
def test_the_privilege_may_be_declined_and_needs_a_supply() -> None:
    s = board(player(), player(), player())
    play(s, "role: mayor", "pass")
    assert [s.at(seat, "windrose") for seat in range(3)] == [1, 1, 1]
    s = board(player(), player(), player(), colonists_left=0)
    play(s, "role: mayor")
    assert s.decides == Phase.ROLE
    assert [s.at(seat, "windrose") for seat in range(3)] == [1, 1, 1]


@pytest.mark.rule("PR-MAYOR-2")
def test_colonists_may_be_rearranged_over_all_slots() -> None:
    s = board(player(tiles={"corn": (1, 1), "indigo": 2}, buildings={"indigo plant": 0}, windrose=0), player(), player(), colonist_ship=1)
    play(s, "role: mayor", "pass")
    # Two colonists, six slots, place by place: the plant first.
    assert legal(s) == {"mayor: 0 on the indigo plant", "mayor: 1 on the indigo plant", "mayor: 2 on the indigo plant"}
    play(s, "mayor: 1 on the indigo plant")
    assert legal(s) == {"mayor: 0 on the corn plantations", "mayor: 1 on the corn plantations"}
    play(s, "mayor: 0 on the corn plantations")  # the last one must then go to indigo
    assert (s.at(0, "indigo plant"), s.at(0, "corn"), s.at(0, "indigo"), s.at(0, "windrose")) == (1, 0, 1, 0)


@pytest.mark.rule("PR-MAYOR-2")
def test_nobody_waits_on_the_windrose_while_a_slot_is_empty() -> None:
    s = board(player(tiles={"corn": 1, "indigo": 1}, buildings={"indigo plant": 0}, windrose=3), player(), player(), colonist_ship=1)
    play(s, "role: mayor", "pass")
    # Four colonists for five slots: the plant may go short of one, not of more.
    assert legal(s) == {"mayor: 2 on the indigo plant", "mayor: 3 on the indigo plant"}
    play(s, "mayor: 2 on the indigo plant")
    assert s.at(0, "windrose") == 0
    assert (s.at(0, "corn"), s.at(0, "indigo")) == (1, 1)


@pytest.mark.rule("PR-MAYOR-2")
def test_more_colonists_than_slots_are_not_asked_for_and_wait() -> None:
    s = board(player(tiles={"corn": 1}, windrose=5), player(), player())
    play(s, "role: mayor", "people: a colonist")
    assert s.decides == Phase.ROLE
    assert (s.at(0, "corn"), s.at(0, "windrose")) == (1, 6)


@pytest.mark.rule("PR-MAYOR-2")
def test_players_place_in_turn_from_the_mayor_on() -> None:
    two = {"corn": 1, "sugar": 1}
    s = board(player(tiles=two), player(tiles=two), player(tiles=two), governor=1)
    play(s, "role: mayor", "pass")
    seats = []
    while s.decides == Phase.PLACE:
        seats.append(int(s.seat))
        play(s, "mayor: 1 on the corn plantations")
    assert seats == [1, 2, 0]


@pytest.mark.rule("PR-MAYOR-3")
def test_the_ship_is_filled_for_empty_slots_of_buildings_and_at_least_one_a_player() -> None:
    s = board(player(buildings={"sugar mill": 0, "office": 0}, tiles={"corn": 4}), player(buildings={"coffee roaster": 0}), player())
    supply = int(s.colonists_left)
    play(s, "role: mayor", "pass")
    play(s, "mayor: 0 on the sugar mill", "mayor: 0 on the office")
    # Empty: 3 in the mill, 1 in the office, 1 in the roaster; plantations do not count.
    assert s.at(1, "coffee roaster") == 1
    assert s.ship_colonists == 5
    assert s.colonists_left == supply - 5
    s = board(player(), player(), player())
    play(s, "role: mayor", "pass")
    assert s.ship_colonists == 3
