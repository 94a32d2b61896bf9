"""PR-CAPTAIN, with harbour, wharf and warehouses."""

import pytest

from tradewinds.envs.puerto_rico.state import Phase

from .board import board, legal, pass_until, play, player


@pytest.mark.rule("PR-CAPTAIN-1", "PR-CAPTAIN-2", "PR-CAPTAIN-3", "PR-CAPTAIN-4", "PR-CAPTAIN-5")
def test_the_rulebook_s_captain_phase() -> None:
    s = board(
        player(goods={"corn": 2, "sugar": 6}),
        player(goods={"sugar": 2, "tobacco": 3}),
        player(goods={"corn": 2, "tobacco": 1}),
        player(goods={"corn": 1, "indigo": 5}),
        ships=[None, ("corn", 3), None],
    )
    play(s, "role: captain")
    assert legal(s) == {"captain: load corn on ship 2", "captain: load sugar on ship 3"}
    play(s, "captain: load sugar on ship 3")
    assert s.points(0) == 7
    assert legal(s) == {"captain: load sugar on ship 3", "captain: load tobacco on ship 1"}
    play(s, "captain: load sugar on ship 3")
    assert s.points(1) == 1
    assert legal(s) == {"captain: load corn on ship 2", "captain: load tobacco on ship 1"}
    play(s, "captain: load tobacco on ship 1")
    # The rest had no choice: corn by the fourth and the first player, tobacco by the second.
    assert [s.points(seat) for seat in range(4)] == [9, 4, 1, 1]
    assert [s.held(seat) for seat in range(4)] == [{}, {"sugar": 1}, {"corn": 2}, {"indigo": 5}]
    assert [s.ship(number) for number in (1, 2, 3)] == [("tobacco", 4), ("corn", 6), ("sugar", 7)]
    assert s.decides == Phase.KEEP
    assert legal(s) == {"captain: keep 0 sugar", "captain: keep 1 sugar"}
    play(s, "captain: keep 1 sugar")
    assert legal(s) == {"captain: keep 0 corn", "captain: keep 1 corn"}
    play(s, "captain: keep 1 corn", "captain: keep 1 indigo")
    assert [s.held(seat) for seat in range(4)] == [{}, {"sugar": 1}, {"corn": 1}, {"indigo": 1}]
    assert [s.ship(number) for number in (1, 2, 3)] == [("tobacco", 4), (None, 0), (None, 0)]
    assert s.left("corn") == 10 - 1
    assert s.left("sugar") == 11 - 1


@pytest.mark.rule("PR-CAPTAIN-1")
def test_a_kind_goes_only_to_the_ship_that_carries_it_and_a_full_ship_takes_nothing() -> None:
    s = board(player(goods={"corn": 3, "indigo": 2}), player(), player(), ships=[("corn", 2), ("coffee", 5), None])
    play(s, "role: captain")
    assert legal(s) == {"captain: load corn on ship 1", "captain: load indigo on ship 3"}
    play(s, "captain: load corn on ship 1")
    assert s.ship(1) == ("corn", 4)
    # Now the corn ship is full: the third corn may not go to the empty ship; the indigo has to.
    assert s.ship(3) == ("indigo", 2)
    assert s.held(0) == {"corn": 1}
    assert s.points(0) == 2 + 1 + 2


@pytest.mark.rule("PR-CAPTAIN-2")
def test_among_empty_ships_that_hold_as_many_the_choice_is_free() -> None:
    s = board(player(goods={"corn": 5, "coffee": 1}), player(), player())
    play(s, "role: captain")
    # Three players: ships of 4, 5 and 6. Five corn fit the second and the third; one coffee fits anywhere.
    assert legal(s, "captain: load corn") == {"on ship 2", "on ship 3"}
    assert legal(s, "captain: load coffee") == {"on ship 1", "on ship 2", "on ship 3"}
    s = board(player(goods={"corn": 7}), player(), player())
    play(s, "role: captain")
    assert s.ship(3) == ("corn", 6)


@pytest.mark.rule("PR-CAPTAIN-3")
def test_the_captain_s_extra_point_comes_once_and_only_with_a_loading() -> None:
    s = board(player(goods={"corn": 1, "indigo": 1}), player(), player())
    play(s, "role: captain", "captain: load corn on ship 1", "captain: load indigo on ship 2")
    assert s.points(0) == 3
    s = board(player(), player(goods={"corn": 1}), player())
    play(s, "role: captain", "captain: load corn on ship 1")
    assert (s.points(0), s.points(1)) == (0, 1)


@pytest.mark.rule("PR-CAPTAIN-4")
def test_one_keeps_one_good_of_any_kind_or_none() -> None:
    full = [("coffee", 4), ("tobacco", 5), ("sugar", 6)]
    s = board(player(goods={"corn": 2, "indigo": 1}), player(), player(), ships=full)
    play(s, "role: captain")
    assert legal(s) == {"captain: keep 0 corn", "captain: keep 1 corn"}
    play(s, "captain: keep 0 corn")
    assert legal(s) == {"captain: keep 0 indigo", "captain: keep 1 indigo"}
    play(s, "captain: keep 1 indigo")
    assert s.held(0) == {"indigo": 1}
    s = board(player(goods={"corn": 2, "indigo": 1}), player(), player(), ships=full)
    play(s, "role: captain", "captain: keep 1 corn")
    assert s.held(0) == {"corn": 1}


@pytest.mark.rule("PR-CAPTAIN-4")
def test_storage_is_settled_in_turn_from_the_captain_on() -> None:
    full = [("coffee", 4), ("tobacco", 5), ("sugar", 6)]
    corn = player(goods={"corn": 2})
    s = board(corn, corn, corn, ships=full, governor=2)
    play(s, "role: captain")
    seats = []
    while s.decides == Phase.KEEP:
        seats.append(int(s.seat))
        play(s, "captain: keep 1 corn")
    assert seats == [2, 0, 1]


def kept(buildings: dict[str, int], goods: dict[str, int], most: dict[str, int], **more: bool) -> bool:
    """Whether these holdings may be kept whole."""
    s = board(player(goods=goods, buildings=buildings), player(), player(), ships=[("coffee", 4), ("tobacco", 5), ("sugar", 6)], **more)
    play(s, "role: captain")
    for good in goods:
        name = f"captain: keep {most.get(good, 0)} {good}"
        if s.decides != Phase.KEEP:
            break
        if name not in legal(s):
            return False
        play(s, name)
    return s.held(0) == {good: count for good, count in most.items() if count}


@pytest.mark.rule("PR-B-SMALL-WAREHOUSE", "PR-CAPTAIN-4")
def test_a_small_warehouse_keeps_one_kind_besides_one_good() -> None:
    goods = {"corn": 4, "indigo": 3}
    assert kept({"small warehouse": 1}, goods, {"corn": 4, "indigo": 1})
    assert kept({"small warehouse": 1}, goods, {"corn": 1, "indigo": 3})
    assert not kept({"small warehouse": 1}, goods, {"corn": 4, "indigo": 2})
    assert not kept({"small warehouse": 0}, goods, {"corn": 2, "indigo": 0})
    assert kept({"small warehouse": 0}, goods, {"corn": 1, "indigo": 0})


@pytest.mark.rule("PR-B-LARGE-WAREHOUSE", "PR-B-SMALL-WAREHOUSE")
def test_a_large_warehouse_keeps_two_kinds_and_both_keep_three() -> None:
    goods = {"corn": 4, "indigo": 3, "sugar": 3, "coffee": 2}
    assert kept({"large warehouse": 1}, goods, {"corn": 4, "indigo": 0, "sugar": 3, "coffee": 1})
    assert not kept({"large warehouse": 1}, goods, {"corn": 4, "indigo": 2, "sugar": 3, "coffee": 0})
    assert not kept({"large warehouse": 0}, goods, {"corn": 4, "indigo": 0, "sugar": 0, "coffee": 0})
    both = {"small warehouse": 1, "large warehouse": 1}
    assert kept(both, goods, {"corn": 4, "indigo": 3, "sugar": 3, "coffee": 1})
    assert not kept(both, goods, {"corn": 4, "indigo": 3, "sugar": 3, "coffee": 2})


@pytest.mark.rule("PR-NB-STOREHOUSE")
def test_a_storehouse_keeps_three_goods_of_any_kinds_besides() -> None:
    goods = {"corn": 4, "indigo": 3, "sugar": 3, "coffee": 2}
    assert kept({"storehouse": 1}, goods, {"corn": 1, "indigo": 1, "sugar": 1, "coffee": 1}, new_buildings=True)
    assert not kept({"storehouse": 1}, goods, {"corn": 2, "indigo": 1, "sugar": 1, "coffee": 1}, new_buildings=True)
    assert not kept({"storehouse": 0}, goods, {"corn": 1, "indigo": 1, "sugar": 0, "coffee": 0}, new_buildings=True)
    both = {"storehouse": 1, "large warehouse": 1}
    assert kept(both, goods, {"corn": 4, "indigo": 3, "sugar": 3, "coffee": 1}, new_buildings=True)
    assert kept(both, goods, {"corn": 4, "indigo": 2, "sugar": 3, "coffee": 2}, new_buildings=True)
    assert not kept(both, goods, {"corn": 4, "indigo": 3, "sugar": 3, "coffee": 2}, new_buildings=True)


HARBOUR = {"harbour": 1, "wharf": 1}
TOBACCO_SHIP = [("sugar", 1), ("tobacco", 3), None]


@pytest.mark.rule("PR-B-HARBOUR", "PR-B-WHARF")
def test_harbour_and_wharf_by_the_rulebook() -> None:
    s = board(player(), player(goods={"tobacco": 5, "sugar": 2}, buildings=HARBOUR), player(), player(), ships=TOBACCO_SHIP)
    play(s, "role: captain", "captain: load tobacco on ship 2")
    assert s.points(1) == 3 + 1
    play(s, "captain: load sugar on ship 1")
    assert s.points(1) == 4 + 2 + 1
    assert legal(s) == {"wharf: ship tobacco", "pass"}
    play(s, "wharf: ship tobacco")
    assert s.points(1) == 7 + 2 + 1
    assert s.held(1) == {}
    assert s.ship(2) == (None, 0)  # it was full, and has sailed


@pytest.mark.rule("PR-B-WHARF")
def test_a_wharf_may_take_what_would_have_filled_a_ship() -> None:
    s = board(player(), player(goods={"tobacco": 5, "sugar": 2}, buildings=HARBOUR), player(), player(), ships=TOBACCO_SHIP)
    left = s.left("tobacco")
    play(s, "role: captain", "wharf: ship tobacco")
    assert s.points(1) == 5 + 1 + 2 + 1  # then the sugar had to follow
    assert s.left("tobacco") == left + 5
    assert s.ship(2) == ("tobacco", 3)


@pytest.mark.rule("PR-B-WHARF", "PR-CAPTAIN-6")
def test_a_wharf_works_once_a_phase_is_never_forced_and_may_wait_a_lap() -> None:
    full = [("coffee", 4), ("tobacco", 5), None]
    owner = player(goods={"coffee": 2, "tobacco": 1}, buildings={"wharf": 1})
    s = board(player(goods={"corn": 2}), owner, player(goods={"corn": 2}), ships=full)
    play(s, "role: captain")
    assert s.ship(3) == ("corn", 2)
    assert legal(s) == {"wharf: ship coffee", "wharf: ship tobacco", "pass"}
    play(s, "pass")
    assert s.ship(3) == ("corn", 4)
    assert s.decides == Phase.LOAD and s.seat == 1  # asked again, since the third player has loaded
    play(s, "wharf: ship coffee")
    assert s.points(1) == 2
    assert s.decides == Phase.KEEP
    s = board(player(goods={"corn": 2}), player(goods={"coffee": 2}, buildings={"wharf": 0}), player(), ships=full)
    play(s, "role: captain")
    assert s.decides == Phase.KEEP


@pytest.mark.rule("PR-CAPTAIN-6")
def test_a_full_lap_without_a_loading_ends_the_phase() -> None:
    full = [("coffee", 4), ("tobacco", 5), ("sugar", 6)]
    s = board(player(), player(goods={"corn": 2}, buildings={"wharf": 1}), player(), ships=full)
    play(s, "role: captain", "pass")
    assert s.decides == Phase.KEEP
    assert s.points(1) == 0


@pytest.mark.rule("PR-B-HARBOUR")
def test_an_empty_harbour_brings_nothing() -> None:
    for occupied in (0, 1):
        s = board(player(), player(goods={"corn": 2}, buildings={"harbour": occupied}), player())
        play(s, "role: captain", "captain: load corn on ship 1")
        assert s.points(1) == 2 + occupied


@pytest.mark.rule("PR-CAPTAIN-5")
def test_only_full_ships_sail() -> None:
    s = board(player(goods={"corn": 1}), player(), player(), ships=[("corn", 3), ("indigo", 4), ("sugar", 6)])
    play(s, "role: captain")
    pass_until(s, Phase.ROLE)
    assert [s.ship(number) for number in (1, 2, 3)] == [(None, 0), ("indigo", 4), (None, 0)]
