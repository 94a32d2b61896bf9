"""Prices: every arrangement of a store in exactly one way, and only when the rules let prices change."""

from collections import Counter
from math import comb

import pytest

from .table import Position, legal, play, table


def arrangements(s: Position, of: tuple[str, int], phases: tuple[str, ...]) -> Counter:
    """How often each arrangement of a store is reached by prices."""
    found: Counter = Counter()

    def go_on():
        saved = s.saved()
        for name in legal(s, "price:"):
            play(s, f"price: {name}")
            if s.decides.name in phases:
                go_on()
            else:
                found[str(s.store(*of))] += 1
            s.restore(saved)

    go_on()
    return found


def multisets(count: int, prices: int) -> int:
    return comb(count + prices - 1, count)


@pytest.mark.rule("CT-HARB-3", "CT-TURN-2")
def test_every_arrangement_of_the_harbour_store_is_possible_in_exactly_one_way():
    s = table(warehouses=[4], harbour=[{"black": [6, 2], "grey": [3]}], factory=[{}, {"black": [1]}], loans=[2], fresh=[2])
    play(s, "harbour: buy from the 1st factory on the left")  # the only one there
    found = arrangements(s, ("harbour", 0), ("PRICE_HARBOUR",))
    assert set(found.values()) == {1}
    assert len(found) == multisets(3, 5) * 5


@pytest.mark.rule("CT-PROD-3", "CT-TURN-2")
def test_every_arrangement_of_the_factory_store_is_possible_in_exactly_one_way():
    s = table(machines=[["black", "purple", "grey"]], factory=[{"black": [4], "grey": [1, 1]}])
    play(s, "factory: produce")
    found = arrangements(s, ("factory", 0), ("PRICE_FACTORY",))
    assert set(found.values()) == {1}
    assert len(found) == multisets(2, 4) * 4 * multisets(3, 4)


@pytest.mark.rule("CT-IB-CALL-3", "CT-TURN-2")
def test_one_who_is_outbid_prices_what_comes_back_and_nothing_else():
    s = table(
        active=3,
        investment_bank=True,
        payer=1,
        marked=3,
        bid=({"brown": 2}, {"grey": 1}),
        box_money=[4],
        machines=[["black"], ["brown", "beige"]],
        factory=[{}, {"brown": [4], "beige": [1]}, {}, {"beige": [1, 1]}],
        harbour=[{}, {"grey": [2]}, {}, {"black": [2, 2]}],
        warehouses=[1, 2, 1, 2],
    )
    play(s, "call: outbid")
    assert (s.seat, s.active) == (1, 3)  # all four are needed
    saved = s.saved()
    play(s, "price: $1", "price: $3", "price: $6")
    assert s.store("factory", 1) == {"brown": [1, 3, 4], "beige": [1]}
    assert s.store("harbour", 1) == {"grey": [2, 6]}
    assert (s.seat, s.active, s.actions_left) == (3, 3, 1)
    s.restore(saved)
    found = arrangements(s, ("factory", 1), ("PRICE_FACTORY", "PRICE_HARBOUR"))
    assert set(found.values()) == {5}  # five prices for the grey one
    assert len(found) == multisets(2, 4)


@pytest.mark.rule("CT-HARB-1", "CT-SAIL-2")
@pytest.mark.parametrize("at_sea", [False, True])
def test_every_purchase_is_possible_in_exactly_one_way(at_sea):
    wares = {"black": [2, 2, 3], "purple": [4], "grey": [2, 4]}
    if at_sea:
        del wares["purple"]
        s = table(harbour=[{}, {}, wares], warehouses=[1, 1, 5], money=[11], loans=[2], fresh=[2])
        play(s, "sail: to the 2nd harbour on the left")
        phase, priced = "SHIP", [2, 2, 3, 2, 4]
    else:
        s = table(
            factory=[{}, {}, wares],
            machines=[["black"], ["brown"], ["black", "purple", "grey"]],
            warehouses=[5],
            money=[11],
            loans=[2],
            fresh=[2],
        )
        play(s, "harbour: buy from the 2nd factory on the left")
        phase, priced = "SHOP", [2, 2, 3, 4, 2, 4]
    found: Counter = Counter()

    def go_on():
        saved = s.saved()
        for name in legal(s):
            play(s, name)
            if s.decides.name == phase:
                go_on()
            else:
                found[str(s.store("harbour" if at_sea else "factory", 2))] += 1
            s.restore(saved)

    go_on()
    expected = 0
    for twins in range(3):  # of the two black ones at $2
        for rest in range(2 ** (len(priced) - 2)):
            bought = [priced[2 + i] for i in range(len(priced) - 2) if rest >> i & 1]
            if 2 * twins + sum(bought) <= 11 and (twins + len(bought) > 0 or at_sea) and twins + len(bought) <= 5:
                expected += 1
    assert set(found.values()) == {1}
    assert len(found) == expected
