"""Choices that are made in small steps: every outcome of the rulebook is reached, and each in one way only."""

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tradewinds.envs.puerto_rico import GAME
from tradewinds.envs.puerto_rico.state import Phase

from .board import Position, board, play, player, settle, step

FULL = [("coffee", 4), ("tobacco", 5), ("sugar", 6)]


def outcomes(s: Position, phases: set[Phase], seat: int, read: Callable[[Position], Any]) -> Counter[Any]:
    """How often each outcome is reached when everything is tried while `seat` decides in these phases."""
    if s.is_over or s.decides not in phases or s.seat != seat:
        return Counter([read(s)])
    found: Counter[Any] = Counter()
    before = s.record.tobytes()
    for action in np.flatnonzero(s.mask).tolist():
        step(s, action)
        found += outcomes(s, phases, seat, read)
        restore(s, before)
    return found


def restore(s: Position, raw: bytes) -> None:
    for name in GAME.fields.dtype.names or ():
        s.record[name] = np.frombuffer(raw, GAME.fields.dtype)[0][name]
    settle(s)


PLACES = {"indigo plant": 3, "office": 1, "corn": 2, "indigo": 1}


def placed(s: Position) -> tuple[int, ...]:
    return tuple(s.at(0, place) for place in (*PLACES, "windrose"))


@pytest.mark.rule("PR-MAYOR-2")
@pytest.mark.parametrize("people", [0, 1, 3, 5, 7, 9])
def test_every_way_to_place_colonists_is_reached_once(people: int) -> None:
    s = board(
        player(tiles={"corn": 2, "indigo": 1}, buildings={"indigo plant": 0, "office": 0}, windrose=people),
        player(),
        player(),
        colonist_ship=0,
    )
    play(s, "role: mayor", "pass")
    found = outcomes(s, {Phase.PLACE}, 0, placed)
    slots = sum(PLACES.values())
    expected = {
        (*choice, people - sum(choice))
        for choice in itertools.product(*(range(most + 1) for most in PLACES.values()))
        if sum(choice) == min(people, slots)
    }
    assert set(found) == expected
    assert set(found.values()) == {1}


@pytest.mark.rule("PR-MAYOR-2", "PR-NO-2")
@pytest.mark.parametrize(("people", "nobles"), [(2, 1), (3, 2), (4, 2), (6, 3), (4, 4)])
def test_every_way_to_place_colonists_and_nobles_is_reached_once(people: int, nobles: int) -> None:
    places = {"chapel": 1, "corn": 2, "indigo": 1}
    s = board(
        player(tiles={"corn": 2, "indigo": 1}, buildings={"chapel": 0}, windrose=people, nobles={"windrose": nobles}),
        player(),
        player(),
        nobles=True,
        colonist_ship=0,
        ship_nobles=0,
    )
    play(s, "role: mayor", "pass")
    found = outcomes(
        s, {Phase.PLACE, Phase.PLACE_NOBLES}, 0, lambda s: tuple((s.at(0, place), s.nobles_there(0, place)) for place in places)
    )
    expected = set()
    for choice in itertools.product(*(range(most + 1) for most in places.values())):
        if sum(choice) == min(people, sum(places.values())):
            for among in itertools.product(*(range(count + 1) for count in choice)):
                colonists = sum(choice) - sum(among)
                if sum(among) <= nobles and colonists <= people - nobles:
                    expected.add(tuple(zip(choice, among, strict=True)))
    assert set(found) == expected
    assert set(found.values()) == {1}


@pytest.mark.rule("PR-CAPTAIN-4", "PR-B-SMALL-WAREHOUSE", "PR-B-LARGE-WAREHOUSE", "PR-NB-STOREHOUSE")
@pytest.mark.parametrize(
    ("buildings", "kinds", "singles"),
    [({}, 0, 1), ({"small warehouse": 1}, 1, 1), ({"large warehouse": 1}, 2, 1), ({"storehouse": 1, "small warehouse": 1}, 1, 4)],
)
def test_every_way_to_store_goods_is_reached_once(buildings: dict[str, int], kinds: int, singles: int) -> None:
    goods = {"corn": 3, "indigo": 2, "tobacco": 3}
    s = board(player(goods=goods, buildings=buildings), player(), player(), ships=FULL, new_buildings=True)
    play(s, "role: captain")
    found = outcomes(s, {Phase.KEEP}, 0, lambda s: tuple(s.held(0).get(good, 0) for good in goods))
    expected = set()
    for kept in itertools.product(*(range(count + 1) for count in goods.values())):
        for whole in itertools.combinations(range(len(goods)), min(kinds, len(goods))):
            if sum(count for i, count in enumerate(kept) if i not in whole) <= singles:
                expected.add(kept)
    assert set(found) == expected
    assert set(found.values()) == {1}


@pytest.mark.rule("PR-NB-SMALL-WHARF")
def test_every_shipment_of_a_small_wharf_is_reached_once() -> None:
    goods = {"corn": 2, "indigo": 1, "coffee": 1}
    s = board(player(), player(goods=goods, buildings={"small wharf": 1}), player(), ships=FULL, new_buildings=True)
    play(s, "role: captain", "small wharf: use it")
    found = outcomes(s, {Phase.SMALL_WHARF}, 1, lambda s: tuple(count - s.held(1).get(good, 0) for good, count in goods.items()))
    assert set(found) == set(itertools.product(range(3), range(2), range(2))) - {(0, 0, 0)}
    assert set(found.values()) == {1}


@pytest.mark.rule("PR-NB-BLACK-MARKET")
@pytest.mark.parametrize("doubloons", [5, 6, 7])
def test_every_payment_at_the_black_market_is_reached_once(doubloons: int) -> None:
    """A harbour for 8: from the windrose, an office, an occupied quarry (which makes it dearer by one), goods and points."""
    held = {"goods": {"corn": 2, "coffee": 1}, "points": 4, "tiles": {"quarry": (1, 1)}, "windrose": 1}
    s = board(player(), player(doubloons=doubloons - 1, buildings={"black market": 1, "office": 1}, **held), player(), new_buildings=True)
    play(s, "role: builder", "pass", "builder: build the harbour")

    def handed(s: Position) -> tuple[str, str, int]:
        who = next((place for place in ("windrose", "office", "quarry") if s.at(1, place) == 0), "")
        good = next((good for good, count in held["goods"].items() if s.held(1).get(good, 0) < count), "")
        return who, good, 4 - s.points(1)

    found = outcomes(s, {Phase.PAY_COLONIST, Phase.PAY_GOOD, Phase.PAY_POINT}, 1, handed)
    expected = set()
    for who, good, point in itertools.product(("", "windrose", "office", "quarry"), ("", "corn", "coffee"), (0, 1)):
        price = 8 - (1 if who != "quarry" else 0)
        if bool(who) + bool(good) + point == price - (doubloons - 1):
            expected.add((who, good, point))
    assert set(found) == expected
    assert set(found.values()) == {1}
