"""PR-BUILDER, with quarries and university."""

import pytest

from tradewinds.envs.puerto_rico.rules.builder import building_price
from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import EMPTY

from .board import BUILDINGS, Position, board, legal, play, player


def price(s: Position, seat: int, building: str) -> int:
    return int(building_price(s.record, seat, BUILDINGS.index(building), EMPTY))


@pytest.mark.rule("PR-BUILDER-2")
def test_three_quarries_take_off_as_much_as_the_column_allows() -> None:
    s = board(player(), player(tiles={"quarry": (3, 3)}), player())
    assert [price(s, 1, name) for name in ("construction hut", "office", "harbour", "city hall")] == [1, 3, 5, 7]


@pytest.mark.rule("PR-BUILDER-2")
def test_quarries_work_only_when_occupied_and_no_price_is_below_nothing() -> None:
    s = board(player(tiles={"quarry": (4, 1)}), player(), player())
    assert price(s, 0, "city hall") == 8  # one quarry, and the builder's own privilege
    assert price(s, 0, "small market") == 0
    assert price(s, 1, "city hall") == 10


@pytest.mark.rule("PR-BUILDER-1")
def test_the_builder_pays_one_less_and_each_kind_is_built_once() -> None:
    s = board(player(doubloons=1, buildings={"small market": 0}), player(doubloons=2), player())
    play(s, "role: builder")
    assert legal(s, "builder: build the") == {"small indigo plant", "hacienda", "construction hut", "small sugar mill", "pass"} - {"pass"}
    play(s, "builder: build the hacienda")
    assert s.doubloons[0] == 0
    assert s.city_of(0) == {"small market", "hacienda"}
    assert legal(s, "builder: build the") == {
        "small indigo plant",
        "small sugar mill",
        "small market",
        "hacienda",
        "construction hut",
    }
    play(s, "builder: build the hacienda")
    assert s.buildings_left[BUILDINGS.index("hacienda")] == 0
    assert s.doubloons[1] == 0
    assert s.decides == Phase.ROLE  # the third player has no doubloon


@pytest.mark.rule("PR-BUILDER-1")
def test_a_large_building_needs_two_places_and_a_full_city_takes_nothing() -> None:
    names = ["small indigo plant", "small sugar mill", "indigo plant", "sugar mill", "tobacco storage", "coffee roaster", "small market"]
    eleven = dict.fromkeys([*names, "hacienda", "construction hut", "small warehouse", "hospice"], 0)
    ten = dict.fromkeys(list(eleven)[:10], 0)
    s = board(player(doubloons=20, buildings=eleven), player(doubloons=20, buildings=ten), player(doubloons=20))
    play(s, "role: builder")
    assert "builder: build the city hall" not in legal(s)
    assert "builder: build the office" in legal(s)
    play(s, "builder: build the office", "builder: build the city hall")
    assert s.city.tolist()[:2] == [12, 12]
    assert "builder: build the city hall" not in legal(s)  # the only copy is gone


@pytest.mark.rule("PR-B-UNIVERSITY")
def test_a_university_sends_one_colonist_to_a_new_building() -> None:
    s = board(player(doubloons=10, buildings={"university": 1}), player(doubloons=10, buildings={"university": 0}), player())
    supply = int(s.colonists_left)
    play(s, "role: builder", "builder: build the tobacco storage")
    assert legal(s) == {"people: a colonist", "pass"}
    play(s, "people: a colonist")
    assert s.at(0, "tobacco storage") == 1
    assert s.colonists_left == supply - 1
    play(s, "builder: build the office")
    assert s.at(1, "office") == 0
    assert s.decides == Phase.ROLE


@pytest.mark.rule("PR-B-UNIVERSITY")
def test_a_university_takes_from_the_ship_when_the_supply_is_empty_and_may_rest() -> None:
    s = board(player(doubloons=10, buildings={"university": 1}), player(), player(), colonists_left=0)
    play(s, "role: builder", "builder: build the office", "people: a colonist")
    assert s.ship_colonists == 2
    s = board(player(doubloons=10, buildings={"university": 1}), player(), player())
    play(s, "role: builder", "builder: build the office", "pass")
    assert s.at(0, "office") == 0
    s = board(player(doubloons=10, buildings={"university": 1}), player(), player(), colonists_left=0, colonist_ship=0)
    play(s, "role: builder", "builder: build the office")
    assert s.decides == Phase.ROLE


@pytest.mark.rule("PR-BUILDER-2")
def test_a_new_building_does_not_help_its_own_purchase() -> None:
    s = board(player(doubloons=7, buildings={}), player(), player())
    play(s, "role: builder", "builder: build the university")
    assert s.decides == Phase.ROLE
    assert s.at(0, "university") == 0
