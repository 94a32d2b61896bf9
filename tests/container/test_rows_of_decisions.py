"""Choices that are made in small steps: every outcome of the rulebook is reached, and each in one way only."""

from collections import Counter
from itertools import permutations
from math import comb

import pytest

from tradewinds.envs.container.state import Phase

from .table import Position, begin_turn, bid, legal, play, table


def ways(s: Position, seat: int, phase: Phase, end: Counter, result, loans: bool = False) -> Counter:
    """How often each result is reached by a row of decisions of one seat in one phase."""
    saved = s.saved()
    for name in sorted(legal(s)):
        if name.startswith("bid:") or (loans and name == "loan: take $10"):
            play(s, name)
            if s.seat == seat and s.decides == phase:
                ways(s, seat, phase, end, result, loans)
            else:
                end[result(s)] += 1
            s.restore(saved)
    return end


def second_round(left: int, **more) -> Position:
    """Seats 1 and 3 are tied at 5; seat 1 has so much left."""
    s = table(cargo=[{"grey": 1}], money=[20, 5 + left, 20, 20], **more)
    play(s, "sail: to the island")
    for amount in (5, 0, 5):
        bid(s, amount)
    assert (s.decides, s.seat) == (Phase.SECOND_BID, 1)
    return s


@pytest.mark.rule("CT-AUC-2", "CT-AUC-6")
@pytest.mark.parametrize("left", [3, 9, 10, 17, 123])
def test_every_second_bid_is_possible_in_exactly_one_way_and_so_is_a_void_one(left):
    s = second_round(left, loans=[0, 2], void_bids=True)
    found = ways(s, 1, Phase.SECOND_BID, Counter(), lambda s: int(s.bid[1]))
    assert found == Counter([-5, *range(left + 1)])


@pytest.mark.rule("CT-AUC-1", "CT-AUC-2", "CT-LOAN-3")
def test_every_second_bid_with_every_number_of_loans_is_possible_in_exactly_one_way():
    s = second_round(4)
    found = ways(s, 1, Phase.SECOND_BID, Counter(), lambda s: (int(s.bid_loans[1]), int(s.bid[1])), loans=True)
    assert found == Counter((loans, amount) for loans in range(3) for amount in range(4 + 10 * loans + 1))


@pytest.mark.rule("CT-AUC-1", "CT-LOAN-3")
def test_every_first_bid_with_every_number_of_loans_is_possible_in_exactly_one_way():
    s = table(cargo=[{"grey": 1}], money=[20, 83], loans=[0, 0])
    play(s, "sail: to the island")
    found = ways(s, 1, Phase.BID, Counter(), lambda s: (int(s.bid_loans[1]), int(s.bid[1])), loans=True)
    assert found == Counter((loans, amount) for loans in range(3) for amount in range(83 + 10 * loans + 1))


@pytest.mark.rule("CT-IB-CALL-2", "CT-IB-CALL-3")
@pytest.mark.parametrize(("money", "least"), [(7, 1), (20, 1), (23, 21), (20, 20), (101, 98), (130, 8)])
def test_every_bid_for_a_container_box_is_possible_in_exactly_one_way(money, least):
    def box(money, **more):
        return table(money=[money], loans=[2], fresh=[2], boxes=[{"grey": 1}], investment_bank=True, **more)

    s = box(money) if least == 1 else box(money, payer=2, marked=0, bid=least - 1)
    name = "call: bid for the containers of broker I" if least == 1 else "call: outbid"
    play(s, name)
    if s.decides == Phase.CALL_MONEY:
        found = ways(s, 0, Phase.CALL_MONEY, Counter(), lambda s: (int(s.payer), int(s.payment_money), int(s.money[0])))
    else:
        found = Counter([(int(s.payer), int(s.payment_money), int(s.money[0]))])
    assert found == Counter((0, amount, money - amount) for amount in range(least, money + 1))


@pytest.mark.rule("CT-IB-CALL-3")
def test_every_bid_of_containers_is_possible_in_exactly_one_way():
    factory, harbour = {"black": [1, 1, 3], "grey": [2]}, {"black": [4], "purple": [6]}
    machines = [["black", "grey"]]
    s = table(
        factory=[factory],
        harbour=[harbour],
        machines=machines,
        warehouses=[2],
        box_money=[5],
        payer=2,
        marked=3,
        bid=({"beige": 1}, {"beige": 1}),
        investment_bank=True,
    )
    play(s, "call: outbid")
    found: Counter = Counter()

    def go_on():
        saved = s.saved()
        for name in legal(s):
            if not name.startswith("loan"):
                play(s, name)
                if s.decides == Phase.CALL_CONTAINERS:
                    go_on()
                else:
                    found[str((s.store("factory", 0), s.store("harbour", 0)))] += 1
                s.restore(saved)

    go_on()
    # 0 to 2 of the two black ones at $1, and each of the four others or not: at least three in all.
    expected = sum(1 for twins in range(3) for rest in range(16) if twins + rest.bit_count() >= 3)
    assert set(found.values()) == {1}
    assert len(found) == expected


@pytest.mark.rule("CT-IB-PREP-2")
def test_every_way_to_share_out_a_payment_is_possible_in_exactly_one_way():
    paid = ({"black": 2, "grey": 1}, {"black": 1, "purple": 1})
    machines, warehouses = [["black"], ["brown", "grey"]], [1, 2]
    s = table(active=1, machines=machines, warehouses=warehouses, box_money=[5], payer=1, marked=3, bid=paid, investment_bank=True)
    begin_turn(s)
    assert (s.decides, s.seat) == (Phase.PAY, 1)
    found: Counter = Counter()

    def go_on():
        saved = s.saved()
        for name in legal(s, "pay:"):
            play(s, f"pay: {name}")
            if s.decides == Phase.PAY:
                go_on()
            else:
                found[s.box_containers.tobytes()] += 1
            s.restore(saved)

    go_on()
    dealt = {tuple(tuple(sorted(order[broker::3])) for broker in range(3)) for order in permutations("bbbgp")}
    assert set(found.values()) == {1}
    assert len(found) == len(dealt)


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


@pytest.mark.slow
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
