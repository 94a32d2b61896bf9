"""PR-CRAFTSMAN, with the factory."""

import pytest

from tradewinds.envs.puerto_rico.state import Phase

from .board import board, legal, play, player


@pytest.mark.rule("PR-CRAFTSMAN-1")
def test_the_rulebook_s_island_produces_two_corn_one_tobacco_and_three_sugar() -> None:
    island = {"corn": (3, 2), "tobacco": (2, 2), "sugar": (4, 3)}
    s = board(player(), player(tiles=island, buildings={"tobacco storage": 1, "sugar mill": 3}), player())
    play(s, "role: craftsman")
    assert s.held(1) == {"corn": 2, "tobacco": 1, "sugar": 3}


@pytest.mark.rule("PR-CRAFTSMAN-1")
def test_small_and_large_plants_add_up_and_empty_ones_make_nothing() -> None:
    plants = {"small indigo plant": 1, "indigo plant": 1}
    s = board(
        player(),
        player(tiles={"indigo": (4, 4)}, buildings=plants),
        player(tiles={"indigo": (2, 2), "coffee": (1, 0)}, buildings={"indigo plant": 0, "coffee roaster": 2}),
    )
    play(s, "role: craftsman")
    assert s.held(1) == {"indigo": 2}
    assert s.held(2) == {}


@pytest.mark.rule("PR-CRAFTSMAN-1")
def test_what_the_supply_lacks_is_not_made_and_the_craftsman_comes_first() -> None:
    s = board(player(tiles={"corn": (3, 3)}), player(tiles={"corn": (3, 3)}), player(tiles={"corn": (3, 3)}), goods_left={"corn": 4})
    play(s, "role: craftsman")
    assert [s.held(seat) for seat in range(3)] == [{"corn": 3}, {"corn": 1}, {}]
    assert s.decides == Phase.ROLE  # nothing is left for the privilege


@pytest.mark.rule("PR-CRAFTSMAN-2")
def test_the_craftsman_takes_one_more_of_a_kind_made() -> None:
    s = board(
        player(tiles={"corn": (1, 1), "sugar": (1, 1), "coffee": (1, 1)}, buildings={"small sugar mill": 1}),
        player(tiles={"indigo": (1, 1)}, buildings={"small indigo plant": 1}),
        player(),
    )
    play(s, "role: craftsman")
    assert legal(s) == {"craftsman: take 1 more corn", "craftsman: take 1 more sugar", "pass"}
    play(s, "craftsman: take 1 more sugar")
    assert s.held(0) == {"corn": 1, "sugar": 2}
    assert s.decides == Phase.ROLE


@pytest.mark.rule("PR-CRAFTSMAN-2")
def test_one_who_made_nothing_has_no_privilege() -> None:
    s = board(player(tiles={"corn": 1}), player(tiles={"corn": (1, 1)}), player())
    play(s, "role: craftsman")
    assert s.held(0) == {}
    assert s.decides == Phase.ROLE


FACTORY = {"factory": 1, "small sugar mill": 1, "sugar mill": 2, "tobacco storage": 1}


@pytest.mark.rule("PR-B-FACTORY", "PR-CRAFTSMAN-1")
def test_a_factory_pays_for_kinds_really_made() -> None:
    island = {"corn": (3, 3), "sugar": (3, 3), "tobacco": (1, 1)}
    for occupied, doubloons in ((1, 1), (0, 0)):
        s = board(
            player(),
            player(tiles=island, buildings={**FACTORY, "factory": occupied}),
            player(),
            goods_left={"corn": 0, "sugar": 2},
        )
        play(s, "role: craftsman")
        assert s.held(1) == {"sugar": 2, "tobacco": 1}
        assert s.doubloons[1] == doubloons


@pytest.mark.rule("PR-B-FACTORY")
@pytest.mark.parametrize(("kinds", "doubloons"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 5)])
def test_a_factory_pays_by_kinds(kinds: int, doubloons: int) -> None:
    plants = {"factory": 1, "small indigo plant": 1, "small sugar mill": 1, "tobacco storage": 1, "coffee roaster": 1}
    island = dict.fromkeys(["corn", "indigo", "sugar", "tobacco", "coffee"][:kinds], (1, 1))
    s = board(player(), player(tiles=island, buildings=plants), player())
    play(s, "role: craftsman")
    assert s.doubloons[1] == doubloons
