"""PR-NO: nobles, and what the buildings of Nobles do with a colonist, with a noble, and with nobody."""

import pytest

from tradewinds.envs.puerto_rico.rules.builder import building_price
from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import EMPTY

from .board import BUILDINGS, Position, legal, pass_until, play, player
from .board import board as any_board

OPEN = {"corn": 1, "sugar": 2, "coffee": 1}
FULL = [("coffee", 4), ("tobacco", 5), ("sugar", 6)]


def board(*seats: dict, **more: object) -> Position:
    return any_board(*seats, nobles=True, **more)  # type: ignore[arg-type]


def staffed(building: str, who: str, **more: object) -> dict:
    """A player with a building in which a colonist, a noble or nobody is."""
    buildings = {building: 0 if who == "nobody" else 1, **more.pop("buildings", {})}  # type: ignore[dict-item]
    nobles = {**more.pop("nobles", {}), **({building: 1} if who == "noble" else {})}  # type: ignore[dict-item]
    return player(buildings=buildings, nobles=nobles, **more)  # type: ignore[arg-type]


# Nobles themselves


@pytest.mark.rule("PR-NO-2", "PR-MAYOR-1")
def test_whoever_takes_from_the_ship_chooses_a_colonist_or_a_noble() -> None:
    s = board(player(), player(), player())
    play(s, "role: mayor", "pass")
    assert s.decides == Phase.FROM_SHIP and s.seat == 0
    assert legal(s) == {"people: a colonist", "people: a noble"}
    play(s, "people: a colonist", "people: a noble")
    assert [s.nobles_there(seat, "windrose") for seat in range(3)] == [0, 1, 0]
    assert [s.at(seat, "windrose") for seat in range(3)] == [1, 1, 1]


@pytest.mark.rule("PR-NO-2", "PR-MAYOR-3")
def test_at_each_refill_one_noble_takes_the_place_of_a_colonist_while_any_are_left() -> None:
    s = board(player(), player(), player())
    play(s, "role: mayor", "pass", "people: a noble")
    assert (s.ship_nobles, s.ship_colonists, s.nobles_left) == (1, 2, 18)
    s = board(player(), player(), player(), nobles_left=0)
    play(s, "role: mayor", "pass", "people: a noble")
    assert (s.ship_nobles, s.ship_colonists) == (0, 3)


@pytest.mark.rule("PR-NO-1")
def test_running_out_of_colonists_does_not_end_the_game() -> None:
    s = board(player(), player(), player(), colonists_left=1, nobles_left=0, ship_nobles=0)
    play(s, "role: mayor", "pass")
    assert not s.last_round
    assert s.ship_colonists == 1


@pytest.mark.rule("PR-NO-2", "PR-MAYOR-2")
def test_placing_asks_how_many_and_how_many_of_them_are_nobles() -> None:
    s = board(player(tiles={"corn": 2}, buildings={"chapel": 0}, windrose=1, nobles={"windrose": 1}), player(), player(), ship_nobles=0)
    play(s, "role: mayor", "pass")
    # A noble and a colonist, three slots.
    play(s, "mayor: 1 on the chapel")
    assert legal(s) == {"mayor: 0 nobles among them", "mayor: 1 noble among them"}
    play(s, "mayor: 0 nobles among them")
    assert s.nobles_there(0, "chapel") == 0
    assert s.nobles_there(0, "corn") == 1  # the rest is certain
    assert s.at(0, "corn") == 1


@pytest.mark.rule("PR-NO-2", "PR-B-HOSPICE", "PR-B-UNIVERSITY")
def test_hospice_and_university_take_colonists_of_the_supply_and_anybody_of_the_ship() -> None:
    s = board(player(buildings={"hospice": 1}), player(), player(), face_up=OPEN)
    play(s, "role: settler", "settler: take corn")
    assert legal(s) == {"people: a colonist", "pass"}
    s = board(player(buildings={"hospice": 1}), player(), player(), face_up=OPEN, colonists_left=0)
    play(s, "role: settler", "settler: take corn")
    assert legal(s) == {"people: a colonist", "people: a noble", "pass"}
    play(s, "people: a noble")
    assert s.nobles_there(0, "corn") == 1
    assert s.ship_nobles == 0
    s = board(player(doubloons=9, buildings={"university": 1}), player(), player(), colonists_left=0, colonist_ship=0)
    play(s, "role: builder", "builder: build the chapel")
    assert legal(s) == {"people: a noble", "pass"}


@pytest.mark.rule("PR-NO-2", "PR-NB-BLACK-MARKET")
def test_a_noble_may_be_paid_at_the_black_market() -> None:
    owner = player(doubloons=4, buildings={"black market": 1}, windrose=2, nobles={"windrose": 1})
    s = board(player(), owner, player(), new_buildings=True)
    left = int(s.nobles_left)
    play(s, "role: builder", "pass", "builder: build the office")
    assert legal(s) == {"people: a colonist", "people: a noble"}
    play(s, "people: a noble")
    assert s.nobles_left == left + 1
    assert s.nobles_there(1, "windrose") == 0 and s.at(1, "windrose") == 1


@pytest.mark.rule("PR-NO-2", "PR-B-HARBOUR")
def test_a_noble_occupies_like_a_colonist() -> None:
    s = board(player(), staffed("harbour", "noble", goods={"corn": 2}), player())
    play(s, "role: captain", "captain: load corn on ship 1")
    assert s.points(1) == 3


# Land office


@pytest.mark.rule("PR-NO-LAND-OFFICE")
def test_a_land_office_with_a_colonist_buys_a_plantation() -> None:
    s = board(player(), staffed("land office", "colonist", doubloons=2), staffed("land office", "nobody", doubloons=2))
    play(s, "role: trader")
    assert legal(s) == {"land office: buy a plantation", "pass"}
    play(s, "land office: buy a plantation", draws=["coffee"])
    assert s.island_of(1) == {"coffee": 1}
    assert s.doubloons[1] == 1
    assert s.decides == Phase.ROLE  # once a phase; and the third player's is empty


@pytest.mark.rule("PR-NO-LAND-OFFICE")
def test_a_land_office_works_before_or_after_the_sale() -> None:
    s = board(player(), staffed("land office", "colonist", goods={"indigo": 1}), player())
    play(s, "role: trader")
    assert legal(s) == {"trader: sell indigo", "pass"}  # no doubloon yet
    play(s, "trader: sell indigo", "land office: buy a plantation")
    assert s.doubloons[1] == 0
    assert s.island[1] == 1
    s = board(player(), staffed("land office", "colonist", goods={"indigo": 1}, doubloons=1), player())
    play(s, "role: trader", "land office: buy a plantation", "trader: sell indigo")
    assert s.doubloons[1] == 1


@pytest.mark.rule("PR-NO-LAND-OFFICE")
def test_a_land_office_with_a_noble_gives_up_a_plantation_for_a_doubloon() -> None:
    tiles = {"corn": (2, 1), "sugar": (1, 1), "quarry": 1}
    s = board(player(), staffed("land office", "noble", tiles=tiles, nobles={"sugar": 1}), player())
    play(s, "role: trader")
    assert legal(s) == {
        "discard an empty corn plantation",
        "discard a corn plantation with a colonist",
        "discard a sugar plantation with a noble",
        "pass",
    }
    play(s, "discard a sugar plantation with a noble")
    assert s.doubloons[1] == 1
    assert s.island_of(1) == {"corn": 2, "quarry": 1}
    assert s.nobles_there(1, "windrose") == 1
    assert s.discards[2] == 1
    assert s.decides == Phase.ROLE


@pytest.mark.rule("PR-NO-LAND-OFFICE", "PR-NB-FOREST-HOUSE")
def test_a_land_office_buys_a_forest_with_a_forest_house_and_gives_up_none() -> None:
    s = board(player(), staffed("land office", "colonist", doubloons=1, buildings={"forest house": 1}), player(), new_buildings=True)
    play(s, "role: trader", "land office: buy a plantation", "settler: lay the drawn tile as a forest")
    assert s.island_of(1) == {"forest": 1}
    assert s.decides == Phase.ROLE
    s = board(player(), staffed("land office", "noble", tiles={"forest": 2}), player(), new_buildings=True)
    play(s, "role: trader")
    assert s.decides == Phase.ROLE


# Chapel


@pytest.mark.rule("PR-NO-CHAPEL")
@pytest.mark.parametrize(("who", "doubloons", "points"), [("colonist", 1, 0), ("noble", 0, 1), ("nobody", 0, 0)])
def test_a_chapel_pays_in_the_craftsman_phase(who: str, doubloons: int, points: int) -> None:
    s = board(player(), staffed("chapel", who), player())
    play(s, "role: craftsman")
    assert (s.doubloons[1], s.points(1)) == (doubloons, points)


# Hunting lodge


@pytest.mark.rule("PR-NO-HUNTING-LODGE", "PR-SETTLER-3")
def test_a_hunting_lodge_with_a_colonist_discards_a_plantation() -> None:
    s = board(player(), staffed("hunting lodge", "colonist", tiles={"corn": (1, 1), "quarry": 1}), player(), face_up=OPEN)
    play(s, "role: settler", "pass", "pass", "pass")
    assert s.decides == Phase.LODGE and s.seat == 1
    assert legal(s) == {"discard a corn plantation with a colonist", "pass"}
    play(s, "discard a corn plantation with a colonist")
    assert s.island_of(1) == {"quarry": 1}
    assert s.at(1, "windrose") == 1
    s = board(player(), staffed("hunting lodge", "nobody", tiles={"corn": 1}), player(), face_up=OPEN)
    play(s, "role: settler", "pass", "pass", "pass")
    assert s.decides == Phase.ROLE


@pytest.mark.rule("PR-NO-HUNTING-LODGE", "PR-NB-FOREST-HOUSE")
def test_a_hunting_lodge_may_discard_a_forest() -> None:
    s = board(player(), staffed("hunting lodge", "colonist", tiles={"forest": 1}), player(), face_up=OPEN, new_buildings=True)
    play(s, "role: settler", "pass", "pass", "pass")
    choice = next(name for name in legal(s) if name.startswith("discard a forest"))
    discards = int(s.discards.sum())
    play(s, choice)
    assert s.island_of(1) == {}
    assert s.discards.sum() + s.face_up.sum() + s.stack.sum() == 50
    assert discards == 0


@pytest.mark.rule("PR-NO-HUNTING-LODGE")
def test_a_hunting_lodge_with_a_noble_pays_for_strictly_the_most_room() -> None:
    for others, points in (({"corn": 1, "indigo": 2}, 2), ({"corn": 2}, 0), ({}, 0)):
        s = board(player(tiles={"sugar": 3}), staffed("hunting lodge", "noble", tiles={"corn": 2}), player(tiles=others), face_up=OPEN)
        play(s, "role: settler", "pass", "pass", "pass")
        assert s.points(1) == points


@pytest.mark.rule("PR-NO-HUNTING-LODGE")
def test_a_tile_discarded_counts_at_once_for_a_later_lodge() -> None:
    s = board(
        staffed("hunting lodge", "colonist", tiles={"corn": 3}),
        staffed("hunting lodge", "noble", tiles={"sugar": 2}),
        player(tiles={"indigo": 3}),
        face_up=OPEN,
    )
    play(s, "role: settler", "pass", "pass", "pass", "discard an empty corn plantation")
    assert s.points(1) == 0  # now the first player has as much room


# Zoning office


@pytest.mark.rule("PR-NO-ZONING-OFFICE", "PR-BUILDER-2")
@pytest.mark.parametrize(("who", "small", "large"), [("colonist", 1, 0), ("noble", 0, 2), ("nobody", 0, 0)])
def test_a_zoning_office_lowers_prices(who: str, small: int, large: int) -> None:
    s = board(player(), staffed("zoning office", who), player())
    for name, cost in (("office", 5), ("sugar mill", 4), ("jeweller", 8), ("hacienda", 2)):
        assert building_price(s.record, 1, BUILDINGS.index(name), EMPTY) == cost - small
    for name in ("city hall", "royal garden"):
        assert building_price(s.record, 1, BUILDINGS.index(name), EMPTY) == 10 - large


# Royal supplier


@pytest.mark.rule("PR-NO-ROYAL-SUPPLIER", "PR-CAPTAIN-6")
def test_a_royal_supplier_ships_different_goods_one_for_each_noble() -> None:
    goods = {"corn": 2, "indigo": 1, "coffee": 1}
    s = board(player(), staffed("royal supplier", "noble", goods=goods, windrose=1, nobles={"windrose": 1}), player(), ships=FULL)
    play(s, "role: captain")
    assert legal(s) == {"royal supplier: hand in 1 corn", "royal supplier: hand in 1 indigo", "royal supplier: hand in 1 coffee", "pass"}
    play(s, "royal supplier: hand in 1 corn")
    assert "royal supplier: hand in 1 corn" not in legal(s)
    play(s, "royal supplier: hand in 1 coffee")
    assert s.points(1) == 2  # two nobles, so no third good
    assert s.decides == Phase.KEEP
    assert s.held(1) == {"corn": 1, "indigo": 1}


@pytest.mark.rule("PR-NO-ROYAL-SUPPLIER", "PR-B-HARBOUR", "PR-NB-UNION-HALL")
def test_what_is_supplied_is_no_loading_and_the_union_hall_counts_before() -> None:
    s = board(
        staffed("royal supplier", "noble", goods={"corn": 2}, buildings={"harbour": 1, "union hall": 1}),
        player(),
        player(),
        new_buildings=True,
        ships=FULL,
    )
    play(s, "role: captain", "royal supplier: hand in 1 corn")
    assert s.points(0) == 1 + 1  # union hall and the good: neither harbour nor privilege
    assert s.decides == Phase.KEEP


@pytest.mark.rule("PR-NO-ROYAL-SUPPLIER")
def test_an_empty_supplier_or_one_without_nobles_ships_nothing_and_a_good_supplied_need_not_be_loaded() -> None:
    s = board(player(), staffed("royal supplier", "nobody", goods={"corn": 1}, windrose=1, nobles={"windrose": 1}), player(), ships=FULL)
    play(s, "role: captain")
    assert s.decides == Phase.KEEP
    s = board(player(), staffed("royal supplier", "colonist", goods={"corn": 1}), player(), ships=FULL)
    play(s, "role: captain")
    assert s.decides == Phase.KEEP
    s = board(player(), staffed("royal supplier", "noble", goods={"corn": 1}), player())
    play(s, "role: captain", "royal supplier: hand in 1 corn")
    assert [s.ship(number) for number in (1, 2, 3)] == [(None, 0)] * 3
    assert s.decides == Phase.ROLE


# Villa


@pytest.mark.rule("PR-NO-VILLA")
def test_a_villa_brings_a_noble_of_the_supply_at_the_first_turn() -> None:
    s = board(player(), staffed("villa", "colonist"), staffed("villa", "nobody"))
    left = int(s.nobles_left)
    play(s, "role: mayor", "pass", "people: a noble")
    assert s.decides == Phase.VILLA and s.seat == 1
    assert legal(s) == {"people: a noble", "pass"}
    play(s, "people: a noble")
    pass_until_placed(s)
    assert s.nobles_left == left - 1 - 1  # and one for the ship
    assert s.nobles_at[1].sum() == 1
    assert s.nobles_at[2].sum() == 0


def pass_until_placed(s: Position) -> None:
    """Whatever is first possible, to the end of the mayor phase."""
    while s.decides != Phase.ROLE:
        play(s, sorted(legal(s))[0])


@pytest.mark.rule("PR-NO-VILLA", "PR-MAYOR-1")
def test_the_mayor_takes_privilege_villa_and_ship_and_a_villa_works_though_the_ship_is_empty() -> None:
    s = board(staffed("villa", "colonist"), player(), staffed("villa", "colonist"), colonist_ship=1, ship_nobles=0)
    phases = []
    play(s, "role: mayor")
    while s.decides in (Phase.PRIVILEGED_MAYOR, Phase.VILLA):
        phases.append((s.decides, int(s.seat)))
        play(s, next(name for name in sorted(legal(s)) if name.startswith("people")))
    assert phases == [(Phase.PRIVILEGED_MAYOR, 0), (Phase.VILLA, 0), (Phase.VILLA, 2)]


@pytest.mark.rule("PR-NO-VILLA")
def test_without_nobles_a_villa_brings_a_colonist_and_without_anybody_nothing() -> None:
    s = board(staffed("villa", "colonist"), player(), player(), nobles_left=0, ship_nobles=0)
    play(s, "role: mayor", "pass")
    assert legal(s) == {"people: a colonist", "pass"}
    play(s, "pass")
    pass_until(s, Phase.ROLE)
    s = board(staffed("villa", "colonist"), player(), player(), nobles_left=0, ship_nobles=0, colonists_left=0)
    play(s, "role: mayor")
    assert s.decides == Phase.ROLE


# Jeweller


@pytest.mark.rule("PR-NO-JEWELLER")
def test_a_jeweller_pays_for_each_noble_on_the_board() -> None:
    for who, doubloons in (("noble", 3), ("colonist", 2), ("nobody", 0)):
        s = board(player(), staffed("jeweller", who, windrose=1, tiles={"corn": (1, 1)}, nobles={"windrose": 1, "corn": 1}), player())
        play(s, "role: craftsman")
        assert s.doubloons[1] == doubloons
