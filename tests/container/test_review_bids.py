"""Bids: every amount in exactly one way, first and second bids, void ones and bids for a broker's box."""

from collections import Counter
from itertools import permutations

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
