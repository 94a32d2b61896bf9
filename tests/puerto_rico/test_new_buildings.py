"""PR-NB: the buildings of New Buildings, each at work and each empty."""

import pytest

from tradewinds.envs.puerto_rico.rules.builder import building_price
from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import EMPTY

from .board import BUILDINGS, Position, legal, pass_until, play, player
from .board import board as any_board


def board(*seats: dict, **more: object) -> Position:
    return any_board(*seats, new_buildings=True, **more)  # type: ignore[arg-type]


def price(s: Position, seat: int, building: str) -> int:
    return int(building_price(s.record, seat, BUILDINGS.index(building), EMPTY))


# Aqueduct


@pytest.mark.rule("PR-NB-AQUEDUCT", "PR-CRAFTSMAN-1")
def test_an_aqueduct_works_with_large_plants_that_make_something() -> None:
    island = {"indigo": (1, 0), "sugar": (1, 1)}
    s = board(player(), player(tiles=island, buildings={"aqueduct": 1, "indigo plant": 1, "small sugar mill": 1}), player())
    play(s, "role: craftsman")
    assert s.held(1) == {"sugar": 1}
    island = {"indigo": (1, 1), "sugar": (3, 3)}
    for occupied in (1, 0):
        s = board(player(), player(tiles=island, buildings={"aqueduct": occupied, "indigo plant": 1, "sugar mill": 3}), player())
        play(s, "role: craftsman")
        assert s.held(1) == {"indigo": 1 + occupied, "sugar": 3 + occupied}


@pytest.mark.rule("PR-NB-AQUEDUCT", "PR-CRAFTSMAN-1")
def test_with_both_plants_the_large_one_is_served_first_and_the_supply_limits_the_aqueduct() -> None:
    plants = {"aqueduct": 1, "indigo plant": 1, "small indigo plant": 1}
    s = board(player(), player(tiles={"indigo": (1, 1)}, buildings=plants), player())
    play(s, "role: craftsman")
    assert s.held(1) == {"indigo": 2}
    s = board(player(), player(tiles={"indigo": (1, 1)}, buildings=plants), player(), goods_left={"indigo": 1})
    play(s, "role: craftsman")
    assert s.held(1) == {"indigo": 1}


# Forest house

OPEN = {"corn": 1, "sugar": 2, "coffee": 1}


@pytest.mark.rule("PR-NB-FOREST-HOUSE")
def test_a_forest_house_lays_an_open_plantation_as_a_forest() -> None:
    s = board(player(buildings={"forest house": 1}), player(buildings={"forest house": 0}), player(), face_up=OPEN)
    play(s, "role: settler")
    assert legal(s, "settler: take") == {
        "corn",
        "sugar",
        "coffee",
        "corn as a forest",
        "sugar as a forest",
        "coffee as a forest",
        "a quarry",
    }
    play(s, "settler: take coffee as a forest")
    assert s.island_of(0) == {"forest": 1}
    assert s.open_tiles() == {"corn": 1, "sugar": 2}
    assert legal(s, "settler: take") == {"corn", "sugar"}


@pytest.mark.rule("PR-NB-FOREST-HOUSE", "PR-BUILDER-2")
def test_six_forests_two_quarries_and_the_privilege_make_a_large_warehouse_free() -> None:
    s = board(player(tiles={"forest": 6, "quarry": (2, 2)}), player(tiles={"forest": 3}), player())
    assert price(s, 0, "large warehouse") == 0
    # Whatever the column, and though nobody is in the forest house; three forests count as two.
    assert price(s, 1, "small market") == 0
    assert price(s, 1, "city hall") == 9


@pytest.mark.rule("PR-NB-FOREST-HOUSE", "PR-B-HACIENDA")
def test_with_a_hacienda_the_drawn_tile_is_seen_before_it_is_laid() -> None:
    both = {"forest house": 1, "hacienda": 1}
    s = board(player(buildings=both), player(), player(), face_up=OPEN)
    play(s, "role: settler")
    play(s, "hacienda: draw a plantation", draws=["tobacco"])
    assert s.drawn[0] == 3
    assert legal(s) == {"settler: lay the drawn tile as a plantation", "settler: lay the drawn tile as a forest"}
    play(s, "settler: lay the drawn tile as a forest")
    assert s.island_of(0) == {"forest": 1}
    assert s.decides == Phase.PICK
    s = board(player(buildings=both), player(), player(), face_up=OPEN)
    play(s, "role: settler")
    play(s, "hacienda: draw a plantation", draws=["tobacco"])
    play(s, "settler: lay the drawn tile as a plantation")
    assert s.island_of(0) == {"tobacco": 1}


@pytest.mark.rule("PR-NB-FOREST-HOUSE", "PR-B-HOSPICE")
def test_with_a_hospice_a_forest_brings_a_colonist_to_the_windrose() -> None:
    s = board(player(buildings={"forest house": 1, "hospice": 1}), player(), player(), face_up=OPEN)
    play(s, "role: settler", "settler: take corn as a forest", "people: a colonist")
    assert s.at(0, "windrose") == 1


@pytest.mark.rule("PR-NB-FOREST-HOUSE", "PR-NB-LIBRARY")
def test_with_a_library_both_tiles_may_be_forests() -> None:
    s = board(player(buildings={"forest house": 1, "library": 1}), player(), player(), face_up=OPEN)
    play(s, "role: settler", "settler: take corn as a forest", "pass", "pass")
    assert s.decides == Phase.LIBRARY and s.seat == 0
    play(s, "settler: take coffee as a forest")
    assert s.island_of(0) == {"forest": 2}


# Black market


@pytest.mark.rule("PR-NB-BLACK-MARKET")
def test_a_black_market_covers_exactly_what_is_lacking() -> None:
    owner = player(doubloons=6, points=3, goods={"indigo": 1, "corn": 2}, buildings={"black market": 1}, windrose=1)
    s = board(player(), owner, player())
    supply = int(s.colonists_left)
    play(s, "role: builder", "pass", "builder: build the harbour")
    assert legal(s, "black market: hand in") == {"a colonist of the windrose"} | set()
    assert "pass" in legal(s)  # a good and a point would do as well
    play(s, "black market: hand in a colonist of the windrose")
    assert legal(s) == {"black market: hand in 1 indigo", "black market: hand in 1 corn", "pass"}
    play(s, "black market: hand in 1 indigo")
    # A point on top is not possible.
    assert s.decides == Phase.ROLE
    assert s.city_of(1) == {"black market", "harbour"}
    assert s.doubloons[1] == 0
    assert s.points(1) == 3
    assert s.held(1) == {"corn": 2}
    assert s.colonists_left == supply + 1


@pytest.mark.rule("PR-NB-BLACK-MARKET")
def test_a_black_market_takes_three_things_at_most_and_not_its_own_colonist() -> None:
    owner = player(doubloons=5, points=1, goods={"corn": 1}, buildings={"black market": 1}, windrose=1)
    s = board(player(), owner, player())
    play(s, "role: builder", "pass")
    assert "builder: build the harbour" in legal(s)
    assert "builder: build the wharf" not in legal(s)
    play(s, "builder: build the harbour")  # all three, without a choice
    assert (s.doubloons[1], s.points(1), s.held(1), s.at(1, "windrose")) == (0, 0, {}, 0)
    s = board(player(), player(doubloons=7, buildings={"black market": 1}), player())
    play(s, "role: builder", "pass")
    assert "builder: build the harbour" not in legal(s)


@pytest.mark.rule("PR-NB-BLACK-MARKET")
def test_an_empty_black_market_and_one_with_money_enough_hand_in_nothing() -> None:
    held = {"points": 3, "goods": {"corn": 1}, "windrose": 1}
    s = board(player(), player(doubloons=7, buildings={"black market": 0}, **held), player())
    play(s, "role: builder", "pass")
    assert "builder: build the harbour" not in legal(s)
    s = board(player(), player(doubloons=8, buildings={"black market": 1}, **held), player())
    play(s, "role: builder", "pass", "builder: build the harbour")
    assert s.decides == Phase.ROLE
    assert (s.doubloons[1], s.points(1), s.held(1), s.at(1, "windrose")) == (0, 3, {"corn": 1}, 1)


@pytest.mark.rule("PR-NB-BLACK-MARKET")
def test_price_and_occupancy_are_judged_after_the_colonist_left() -> None:
    # Office 5, one quarry, 3 doubloons: 1 short; with the quarry's colonist gone 2 short, so a second payment is due.
    held = {"doubloons": 3, "tiles": {"quarry": (1, 1)}, "buildings": {"black market": 1}}
    s = board(player(), player(**held), player())
    play(s, "role: builder", "pass")
    assert "builder: build the office" not in legal(s)
    s = board(player(), player(**held, goods={"corn": 1}), player())
    play(s, "role: builder", "pass", "builder: build the office")
    assert legal(s) == {"black market: hand in a colonist of the quarries", "pass"}
    play(s, "black market: hand in a colonist of the quarries")
    assert s.decides == Phase.ROLE
    assert (s.held(1), s.at(1, "quarry"), s.doubloons[1]) == ({}, 0, 0)


@pytest.mark.rule("PR-NB-BLACK-MARKET", "PR-B-UNIVERSITY")
def test_a_university_whose_colonist_is_handed_in_sends_nobody() -> None:
    s = board(player(), player(doubloons=4, buildings={"black market": 1, "university": 1}), player())
    play(s, "role: builder", "pass", "builder: build the office")
    assert s.decides == Phase.ROLE
    assert (s.at(1, "university"), s.at(1, "office")) == (0, 0)


@pytest.mark.rule("PR-NB-BLACK-MARKET", "PR-NB-LIBRARY")
def test_a_library_whose_colonist_is_handed_in_no_longer_doubles() -> None:
    # Office 5, builder with library: 3. With 2 doubloons 1 short; without the library 2 short.
    s = board(player(doubloons=2, goods={"corn": 1}, buildings={"black market": 1, "library": 1}), player(), player())
    play(s, "role: builder", "builder: build the office", "black market: hand in a colonist of the library")
    assert (s.held(0), s.at(0, "library"), s.doubloons[0]) == ({}, 0, 0)


@pytest.mark.rule("PR-NB-BLACK-MARKET", "PR-END-1")
def test_a_noted_point_may_be_handed_in_and_nothing_undoes_an_end() -> None:
    s = board(player(), player(doubloons=4, points=0, buildings={"black market": 1}), player(), chips_left=0)
    s.record["noted"][1] = 2
    s.record["last_round"] = 1
    play(s, "role: builder", "pass", "builder: build the office")
    assert s.points(1) == 1
    assert s.chips_left == 0
    assert s.last_round
    s = board(player(), player(doubloons=4, points=1, buildings={"black market": 1}), player(), chips_left=0)
    s.record["last_round"] = 1
    play(s, "role: builder", "pass", "builder: build the office")
    assert s.chips_left == 1
    assert s.last_round


# Trading post


@pytest.mark.rule("PR-NB-TRADING-POST", "PR-B-SMALL-MARKET", "PR-B-OFFICE")
def test_a_trading_post_sells_anything_without_the_markets() -> None:
    owner = player(goods={"tobacco": 1}, buildings={"trading post": 1, "small market": 1, "large market": 1})
    s = board(player(), owner, player(goods={"tobacco": 1}, buildings={"trading post": 0}), house=["tobacco"])
    left = s.left("tobacco")
    play(s, "role: trader")
    assert legal(s) == {"trading post: sell tobacco", "pass"}
    play(s, "trading post: sell tobacco")
    assert s.doubloons[1] == 3
    assert s.left("tobacco") == left + 1
    assert s.house_holds() == {"tobacco": 1}
    assert s.decides == Phase.ROLE  # the third player's post is empty


@pytest.mark.rule("PR-NB-TRADING-POST")
def test_a_trading_post_works_though_the_house_is_full_and_adds_the_privilege() -> None:
    owner = player(goods={"coffee": 1}, buildings={"trading post": 1})
    s = board(owner, player(), player(), house=["tobacco", "corn", "sugar"])
    play(s, "role: trader")
    assert legal(s) == {"trader: sell coffee", "trading post: sell coffee", "pass"}
    play(s, "trading post: sell coffee")
    assert s.doubloons[0] == 5
    s = board(player(goods={"indigo": 1}), owner, player(), house=["tobacco", "corn", "sugar"])
    play(s, "role: trader", "trader: sell indigo", "trading post: sell coffee")
    assert s.doubloons[1] == 4


# Church


@pytest.mark.rule("PR-NB-CHURCH")
@pytest.mark.parametrize(("building", "points"), [("hacienda", 0), ("hospice", 1), ("harbour", 1), ("city hall", 2)])
def test_a_church_pays_by_the_column_of_what_is_built(building: str, points: int) -> None:
    for occupied in (1, 0):
        s = board(player(), player(doubloons=10, buildings={"church": occupied}), player())
        play(s, "role: builder", "pass", f"builder: build the {building}")
        assert s.points(1) == points * occupied


@pytest.mark.rule("PR-NB-CHURCH", "PR-B-UNIVERSITY")
def test_a_church_pays_nothing_for_itself() -> None:
    s = board(player(), player(doubloons=10, buildings={"university": 1}), player())
    play(s, "role: builder", "pass", "builder: build the church", "people: a colonist")
    assert s.at(1, "church") == 1
    assert s.points(1) == 0


@pytest.mark.rule("PR-NB-STATUE", "PR-B-UNIVERSITY", "PR-NB-CHURCH")
def test_nobody_moves_into_a_statue() -> None:
    s = board(player(), player(doubloons=10, buildings={"university": 1, "church": 1}), player())
    play(s, "role: builder", "pass", "builder: build the statue")
    assert s.decides == Phase.ROLE
    assert s.points(1) == 2


# Small wharf


@pytest.mark.rule("PR-NB-SMALL-WHARF", "PR-B-HARBOUR")
def test_a_small_wharf_ships_any_goods_for_a_point_per_two() -> None:
    owner = player(goods={"corn": 3, "coffee": 2}, buildings={"small wharf": 1, "harbour": 1})
    s = board(player(), owner, player())
    play(s, "role: captain")
    assert "small wharf: use it" in legal(s)
    play(s, "small wharf: use it")
    assert legal(s) == {f"small wharf: ship {count} corn" for count in range(4)}
    play(s, "small wharf: ship 2 corn", "small wharf: ship 1 coffee")
    assert s.points(1) == 3 // 2 + 1
    assert s.held(1) == {"corn": 1, "coffee": 1}
    assert "small wharf: use it" not in legal(s)
    assert s.decides == Phase.LOAD and s.seat == 1


@pytest.mark.rule("PR-NB-SMALL-WHARF")
def test_a_small_wharf_ships_at_least_one_good_and_is_never_forced() -> None:
    full = [("coffee", 4), ("tobacco", 5), ("sugar", 6)]
    s = board(player(), player(goods={"corn": 3, "indigo": 1}, buildings={"small wharf": 1}), player(), ships=full)
    play(s, "role: captain")
    assert legal(s) == {"small wharf: use it", "pass"}
    play(s, "small wharf: use it", "small wharf: ship 0 corn")
    assert s.held(1) == {"corn": 3}
    assert s.points(1) == 0
    s = board(player(), player(goods={"corn": 3}, buildings={"small wharf": 0}), player(), ships=full)
    play(s, "role: captain")
    assert s.decides == Phase.KEEP


@pytest.mark.rule("PR-NB-SMALL-WHARF", "PR-B-WHARF", "PR-CAPTAIN-3")
def test_both_wharves_may_be_used_and_the_captain_s_point_comes_with_the_first() -> None:
    full = [("coffee", 4), ("tobacco", 5), ("sugar", 6)]
    s = board(player(goods={"corn": 3, "indigo": 2}, buildings={"small wharf": 1, "wharf": 1}), player(), player(), ships=full)
    play(s, "role: captain", "small wharf: use it", "small wharf: ship 3 corn", "small wharf: ship 0 indigo")
    assert s.points(0) == 1 + 1
    play(s, "wharf: ship indigo")
    assert s.points(0) == 2 + 2


# Lighthouse


@pytest.mark.rule("PR-NB-LIGHTHOUSE", "PR-CAPTAIN-6")
def test_a_lighthouse_pays_for_each_loading_and_for_being_captain() -> None:
    for occupied in (1, 0):
        s = board(player(goods={"corn": 1, "indigo": 1}, buildings={"lighthouse": occupied}), player(), player())
        play(s, "role: captain", "captain: load corn on ship 1", "captain: load indigo on ship 2")
        assert s.doubloons[0] == 3 * occupied
    s = board(player(buildings={"lighthouse": 1}), player(), player())
    play(s, "role: captain")
    assert s.doubloons[0] == 1
    s = board(player(), player(goods={"corn": 1}, buildings={"lighthouse": 1}), player())
    play(s, "role: captain", "captain: load corn on ship 1")
    assert s.doubloons[1] == 1


# Specialty factory


@pytest.mark.rule("PR-NB-SPECIALTY-FACTORY")
def test_a_specialty_factory_pays_for_the_kind_made_most_without_corn() -> None:
    island = {"corn": (4, 4), "sugar": (3, 3), "coffee": (2, 2)}
    plants = {"sugar mill": 3, "coffee roaster": 2}
    for occupied in (1, 0):
        s = board(player(), player(tiles=island, buildings={**plants, "specialty factory": occupied}), player())
        play(s, "role: craftsman")
        assert s.held(1) == {"corn": 4, "sugar": 3, "coffee": 2}
        assert s.doubloons[1] == 2 * occupied


@pytest.mark.rule("PR-NB-SPECIALTY-FACTORY", "PR-NB-AQUEDUCT")
def test_what_the_aqueduct_adds_does_not_count_for_the_specialty_factory() -> None:
    plants = {"indigo plant": 2, "specialty factory": 1, "aqueduct": 1}
    s = board(player(), player(tiles={"indigo": (2, 2)}, buildings=plants), player())
    play(s, "role: craftsman")
    assert s.held(1) == {"indigo": 3}
    assert s.doubloons[1] == 1
    s = board(player(), player(tiles={"corn": (4, 4)}, buildings={"specialty factory": 1}), player())
    play(s, "role: craftsman")
    assert s.doubloons[1] == 0


# Library

LIBRARY = {"library": 1}


@pytest.mark.rule("PR-NB-LIBRARY", "PR-SETTLER-3")
def test_a_library_gives_the_settler_a_second_plantation_after_all_have_chosen() -> None:
    s = board(player(buildings=LIBRARY), player(), player(), face_up=OPEN)
    play(s, "role: settler", "settler: take a quarry", "settler: take coffee", "pass")
    assert s.seat == 0
    assert legal(s) == {"settler: take corn", "settler: take sugar", "pass"}
    play(s, "settler: take sugar")
    assert s.island_of(0) == {"quarry": 1, "sugar": 1}
    s = board(player(buildings={"library": 0}), player(), player(), face_up=OPEN)
    play(s, "role: settler", "settler: take corn", "pass", "pass")
    assert s.decides == Phase.ROLE


@pytest.mark.rule("PR-NB-LIBRARY", "PR-B-HUT")
def test_the_second_tile_is_a_quarry_only_with_a_hut() -> None:
    s = board(player(buildings={"library": 1, "construction hut": 1}), player(), player(), face_up=OPEN)
    play(s, "role: settler", "settler: take a quarry", "pass", "pass", "settler: take a quarry")
    assert s.island_of(0) == {"quarry": 2}


@pytest.mark.rule("PR-NB-LIBRARY", "PR-B-HOSPICE")
def test_with_a_hospice_only_the_first_tile_brings_a_colonist() -> None:
    both = {"library": 1, "hospice": 1}
    s = board(player(buildings=both), player(), player(), face_up=OPEN)
    play(s, "role: settler", "settler: take corn", "people: a colonist", "pass", "pass", "settler: take sugar")
    assert (s.at(0, "corn"), s.at(0, "sugar")) == (1, 0)
    assert s.decides == Phase.ROLE
    s = board(player(buildings=both), player(), player(), face_up=OPEN)
    play(s, "role: settler", "pass", "pass", "pass", "settler: take sugar", "people: a colonist")
    assert s.at(0, "sugar") == 1


@pytest.mark.rule("PR-NB-LIBRARY", "PR-MAYOR-1")
def test_a_library_gives_the_mayor_two_colonists_if_there_are_two() -> None:
    s = board(player(buildings=LIBRARY), player(), player())
    play(s, "role: mayor", "people: a colonist", "people: a colonist")
    assert s.at(0, "windrose") + s.at(0, "library") == 1 + 2 + 1
    s = board(player(buildings=LIBRARY), player(), player(), colonists_left=1)
    play(s, "role: mayor", "people: a colonist")
    assert s.at(0, "windrose") + s.at(0, "library") == 1 + 1 + 1


@pytest.mark.rule("PR-NB-LIBRARY", "PR-BUILDER-1", "PR-PROSPECTOR-1", "PR-TRADER-1")
def test_a_library_doubles_what_builder_prospector_and_trader_get() -> None:
    s = board(player(buildings=LIBRARY), player(), player(), player())
    assert price(s, 0, "office") == 3
    play(s, "role: prospector")
    assert s.doubloons[0] == 2
    s = board(player(buildings=LIBRARY, goods={"indigo": 1}), player(), player())
    play(s, "role: trader", "trader: sell indigo")
    assert s.doubloons[0] == 3
    s = board(player(), player(buildings=LIBRARY, goods={"indigo": 1}), player())
    play(s, "role: trader", "trader: sell indigo")
    assert s.doubloons[1] == 1  # only for the role one took oneself


@pytest.mark.rule("PR-NB-LIBRARY", "PR-CRAFTSMAN-2")
def test_a_library_gives_the_craftsman_two_goods_alike_or_different() -> None:
    maker = player(tiles={"corn": (1, 1), "sugar": (1, 1)}, buildings={**LIBRARY, "small sugar mill": 1})
    s = board(maker, player(), player())
    play(s, "role: craftsman", "craftsman: take 1 more corn", "craftsman: take 1 more sugar")
    assert s.held(0) == {"corn": 2, "sugar": 2}
    s = board(maker, player(), player())
    play(s, "role: craftsman", "craftsman: take 1 more sugar", "craftsman: take 1 more sugar")
    assert s.held(0) == {"corn": 1, "sugar": 3}
    s = board(maker, player(), player())
    play(s, "role: craftsman", "craftsman: take 1 more sugar")
    assert legal(s) == {"craftsman: take 1 more sugar", "pass"}  # corn after sugar would mean the same as sugar after corn


@pytest.mark.rule("PR-NB-LIBRARY", "PR-CAPTAIN-3", "PR-NB-LIGHTHOUSE")
def test_a_library_doubles_the_captain_s_point_and_not_the_lighthouse() -> None:
    s = board(player(goods={"corn": 1}, buildings={**LIBRARY, "lighthouse": 1}), player(), player())
    play(s, "role: captain", "captain: load corn on ship 1")
    assert s.points(0) == 1 + 2
    assert s.doubloons[0] == 1 + 1


# Union hall


@pytest.mark.rule("PR-NB-UNION-HALL", "PR-CAPTAIN-6")
@pytest.mark.parametrize(("goods", "points"), [({"corn": 3, "indigo": 2, "coffee": 1}, 2), ({"corn": 4, "coffee": 2}, 3)])
def test_a_union_hall_pays_before_the_first_loading_only(goods: dict[str, int], points: int) -> None:
    for occupied in (1, 0):
        s = board(player(), player(goods=goods, buildings={"union hall": occupied}), player())
        play(s, "role: captain")
        assert s.points(1) == points * occupied
        before = s.points(1)
        load = sorted(name for name in legal(s) if "corn" in name)[-1]
        play(s, load)
        assert s.points(1) == before + goods["corn"]


@pytest.mark.rule("PR-CAPTAIN-6", "PR-NB-UNION-HALL")
def test_a_union_hall_pays_though_nothing_can_be_loaded() -> None:
    full = [("coffee", 4), ("tobacco", 5), ("sugar", 6)]
    s = board(player(), player(goods={"corn": 2}, buildings={"union hall": 1}), player(), ships=full)
    play(s, "role: captain")
    assert s.points(1) == 1
    pass_until(s, Phase.KEEP)
