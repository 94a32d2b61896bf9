"""PR-END-2 and the bonuses of the large buildings."""

import pytest

from .board import board, player, result


def score(**held: object) -> int:
    """The final score of one player who holds this; the other two have nothing."""
    expansions = {name: bool(held.pop(name)) for name in ("new_buildings", "nobles_game") if name in held}
    s = board(
        player(**held),  # type: ignore[arg-type]
        player(),
        player(),
        new_buildings=expansions.get("new_buildings", False),
        nobles=expansions.get("nobles_game", False),
    )
    return result(s)[0][0]


@pytest.mark.rule("PR-END-2")
def test_chips_and_printed_points_count_whether_occupied_or_not() -> None:
    assert score(points=7) == 7
    assert score(buildings={"small market": 0, "office": 1, "wharf": 0}) == 1 + 2 + 3
    assert score(buildings=dict.fromkeys(["guild hall", "residence", "fortress", "customs house", "city hall"], 0)) == 5 * 4


@pytest.mark.rule("PR-END-1", "PR-END-2")
def test_noted_points_count_like_chips() -> None:
    s = board(player(points=3), player(), player())
    s.record["noted"][0] = 4
    assert result(s)[0][0] == 7


@pytest.mark.rule("PR-END-2")
def test_ties_are_broken_by_doubloons_and_goods_and_then_shared() -> None:
    s = board(player(points=3, doubloons=2), player(points=3, doubloons=1, goods={"corn": 2}), player(points=3, goods={"corn": 2}))
    assert result(s) == ([3, 3, 3], [2, 1, 2])


@pytest.mark.rule("PR-B-GUILD-HALL")
@pytest.mark.parametrize(("occupied", "bonus"), [(1, 6), (0, 0)])
def test_a_guild_hall_counts_small_and_large_production_buildings(occupied: int, bonus: int) -> None:
    plants = {"small sugar mill": 1, "sugar mill": 0, "small indigo plant": 0, "coffee roaster": 0}
    assert score(buildings={**plants, "guild hall": occupied}) == 1 + 2 + 1 + 3 + 4 + bonus


@pytest.mark.rule("PR-B-RESIDENCE")
@pytest.mark.parametrize(("tiles", "bonus"), [(0, 4), (9, 4), (10, 5), (11, 6), (12, 7)])
def test_a_residence_counts_island_tiles(tiles: int, bonus: int) -> None:
    island = {"indigo": min(tiles, 8), "quarry": max(0, tiles - 8)}
    assert score(buildings={"residence": 1}, tiles=island) == 4 + bonus
    assert score(buildings={"residence": 0}, tiles=island) == 4


@pytest.mark.rule("PR-B-FORTRESS")
def test_a_fortress_counts_all_colonists_on_the_board() -> None:
    # 1 in the fortress, 3 on tiles, 2 in a roaster, 14 on the windrose: 20.
    held = {"tiles": {"corn": (3, 3)}, "windrose": 14}
    assert score(buildings={"fortress": 1, "coffee roaster": 2}, **held) == 4 + 3 + 6
    assert score(buildings={"fortress": 0, "coffee roaster": 2}, **held) == 4 + 3


@pytest.mark.rule("PR-B-CUSTOMS-HOUSE")
def test_a_customs_house_counts_chips_by_four() -> None:
    assert score(buildings={"customs house": 1}, points=23) == 4 + 23 + 5
    assert score(buildings={"customs house": 0}, points=23) == 4 + 23


@pytest.mark.rule("PR-B-CITY-HALL")
def test_a_city_hall_counts_violet_buildings_itself_included() -> None:
    violet = dict.fromkeys(["hacienda", "harbour", "office", "construction hut", "large warehouse", "residence"], 0)
    printed = 1 + 3 + 2 + 1 + 2 + 4
    assert score(buildings={**violet, "small sugar mill": 0, "city hall": 1}) == printed + 1 + 4 + 7
    assert score(buildings={**violet, "small sugar mill": 0, "city hall": 0}) == printed + 1 + 4


@pytest.mark.rule("PR-NB-STATUE")
def test_a_statue_is_worth_eight() -> None:
    assert score(buildings={"statue": 0}, new_buildings=True) == 8


@pytest.mark.rule("PR-NB-CLOISTER")
def test_a_cloister_counts_sets_of_three_like_tiles() -> None:
    island = {"forest": 6, "quarry": 3, "corn": 2, "coffee": 1}
    assert score(buildings={"cloister": 1}, tiles=island, new_buildings=True) == 4 + 6
    assert score(buildings={"cloister": 1}, tiles={"forest": 6, "quarry": 3, "corn": 3}, new_buildings=True) == 4 + 10
    assert score(buildings={"cloister": 1}, tiles={"corn": 5}, new_buildings=True) == 4 + 1
    assert score(buildings={"cloister": 1}, tiles={"corn": 3, "sugar": 4}, new_buildings=True) == 4 + 3
    assert score(buildings={"cloister": 0}, tiles=island, new_buildings=True) == 4


@pytest.mark.rule("PR-NO-2", "PR-NO-ROYAL-GARDEN")
def test_a_noble_is_worth_a_point_and_two_with_a_royal_garden() -> None:
    nobles = {"windrose": 2, "corn": 1}
    held = {"windrose": 3, "tiles": {"corn": (2, 2)}, "nobles": nobles, "nobles_game": True}
    assert score(**held) == 3
    assert score(buildings={"royal garden": 1}, **held) == 4 + 6
    assert score(buildings={"royal garden": 0}, **held) == 4 + 3


@pytest.mark.rule("PR-NO-JEWELLER", "PR-B-CITY-HALL", "PR-B-GUILD-HALL")
def test_a_jeweller_is_a_large_production_building_and_not_violet() -> None:
    assert score(buildings={"guild hall": 1, "jeweller": 0}, nobles_game=True) == 4 + 3 + 2
    assert score(buildings={"city hall": 1, "jeweller": 0}, nobles_game=True) == 4 + 3 + 1


@pytest.mark.rule("PR-NO-2", "PR-B-FORTRESS")
def test_nobles_are_colonists_for_a_fortress_and_may_occupy_it() -> None:
    assert score(buildings={"fortress": 1}, windrose=5, nobles={"fortress": 1, "windrose": 5}, nobles_game=True) == 4 + 2 + 6


@pytest.mark.rule("PR-END-2")
def test_a_tie_is_broken_by_any_number_of_doubloons_and_goods() -> None:
    s = board(player(doubloons=150, goods={"corn": 3}), player(doubloons=126, goods={"indigo": 2}), player(doubloons=127))
    assert result(s) == ([0, 0, 0], [1, 2, 3])
