"""The Investment Bank."""

import itertools

import pytest

from tradewinds.envs.container.state import Phase

from .table import begin_turn, bid, legal, play, table

CONTAINERS = [f"call: bid for the containers of broker {broker}" for broker in ("I", "II", "III")]
MONEY = [f"call: bid for the money of broker {broker}" for broker in ("I", "II", "III")]


def bank(**more):
    more.setdefault("boxes", [{"black": 1, "grey": 1}, {"beige": 1}, {"brown": 1}])
    more.setdefault("box_money", [1, 2, 3])
    return table(investment_bank=True, **more)


@pytest.mark.rule("CT-IB-PREP-1")
def test_the_holder_of_the_payment_card_wins_containers_and_pays_before_the_interest():
    s = bank(active=2, payer=2, marked=0, bid=4, loans=[0, 0, 1], money=[20, 20, 0])
    begin_turn(s)
    # Won and paid, and then a forced loan for the interest, which goes to broker I.
    assert s.held("bank_harbour", 2) == {"black": 1, "grey": 1}
    assert (s.payer, s.marked, s.payment_money) == (-1, -1, 0)
    assert s.box_money.tolist() == [1 + 2 + 1, 2 + 1, 3 + 1]
    assert (s.money[2], s.loans[2]) == (9, 2)


@pytest.mark.rule("CT-IB-PREP-1")
def test_money_that_is_won_can_pay_the_interest():
    s = bank(active=1, payer=1, marked=5, bid=({}, {"grey": 1}), loans=[0, 1], money=[20, 0])
    begin_turn(s)
    assert (s.money[1], s.loans[1]) == (2, 1)
    assert s.held("box_containers", 0) == {"black": 1, "grey": 2}


@pytest.mark.rule("CT-IB-PREP-1")
def test_others_turns_change_nothing_in_an_open_auction():
    s = bank(active=1, payer=2, marked=0, bid=4)
    begin_turn(s)
    assert (s.payer, s.marked, s.payment_money, s.held("bank_harbour", 2)) == (2, 0, 4, {})


@pytest.mark.rule("CT-IB-PREP-2")
@pytest.mark.parametrize(("amount", "boxes"), [(1, [1, 0, 0]), (2, [1, 1, 0]), (3, [1, 1, 1]), (4, [2, 1, 1]), (8, [3, 3, 2])])
def test_a_money_bid_is_paid_a_dollar_at_a_time_from_broker_one_on(amount, boxes):
    s = bank(payer=0, marked=1, bid=amount, box_money=[])
    begin_turn(s)
    assert s.box_money.tolist() == boxes


@pytest.mark.rule("CT-IB-PREP-2")
def test_a_container_bid_is_paid_in_an_order_the_payer_chooses_every_way_once():
    paid = []

    def go_on(s):
        saved = s.saved()
        if s.decides != Phase.PAY:
            paid.append(str([s.held("box_containers", broker) for broker in range(3)]))
            return
        for name in legal(s, "pay:"):
            play(s, f"pay: {name}")
            go_on(s)
            s.restore(saved)

    s = bank(boxes=[], payer=0, marked=3, bid=({"black": 2}, {"brown": 1, "grey": 1}), warehouses=[2])
    begin_turn(s)
    assert (s.seat, s.decides) == (0, Phase.PAY)
    go_on(s)
    possible = set()
    for first, fourth, second, third in itertools.permutations(["black", "black", "brown", "grey"]):
        one = {colour: [first, fourth].count(colour) for colour in sorted({first, fourth}, key=["black", "brown", "grey"].index)}
        possible.add(str([one, {second: 1}, {third: 1}]))
    assert set(paid) == possible
    assert len(paid) == len(possible)


@pytest.mark.rule("CT-IB-PREP-2")
def test_every_payment_starts_at_broker_one_and_the_winner_takes_what_came_in_meanwhile():
    s = bank(active=1, payer=2, marked=3, bid=({}, {"grey": 1}), loans=[0, 1], box_money=[5, 0, 0])
    begin_turn(s)  # seat 1 pays a dollar of interest to broker I
    assert s.box_money.tolist() == [6, 0, 0]
    play(s, "turn: end")
    assert (s.money[2], s.box_money.tolist()) == (26, [0, 0, 0])
    assert s.held("box_containers", 0) == {"black": 1, "grey": 2}


@pytest.mark.rule("CT-IB-PREP-2")
def test_the_own_bid_comes_after_the_win():
    s = bank(payer=0, marked=3, bid=({"black": 1}, {}), box_money=[5, 0, 0], loans=[2])
    begin_turn(s)
    assert (s.money[0], s.box_money.tolist()) == (20 + 5 - 2, [1, 1, 0])
    s = bank(payer=0, marked=0, bid=2)
    begin_turn(s)
    assert (s.held("bank_harbour", 0), s.held("box_containers", 0)) == ({"black": 1, "grey": 1}, {})


@pytest.mark.rule("CT-IB-PREP-3")
@pytest.mark.parametrize(("loans", "money", "boxes"), [(1, 20, [1, 0, 0]), (2, 20, [1, 1, 0]), (2, 1, [1, 0, 0])])
def test_interest_goes_to_the_brokers(loans, money, boxes):
    s = bank(loans=[loans], money=[money], box_money=[])
    begin_turn(s)
    assert s.box_money.tolist() == boxes


@pytest.mark.rule("CT-IB-PREP-3")
def test_machines_warehouses_and_repayments_go_to_the_ordinary_bank():
    s = bank(loans=[1], money=[40])
    play(s, "loan: repay $10", "machine: buy a brown one", "warehouse: buy one")
    assert s.box_money.tolist() == [1, 2, 3]
    assert s.issued == 40 + 60 + 6 - 10 - 6 - 4


@pytest.mark.rule("CT-IB-CALL-1")
def test_a_broker_is_called_once_a_turn():
    s = bank()
    play(s, CONTAINERS[0])
    bid(s, 3)
    assert (s.decides, s.actions_left, legal(s, "call:")) == (Phase.ACTION, 1, set())


@pytest.mark.rule("CT-IB-CALL-1")
def test_no_broker_is_called_in_a_turn_that_began_by_winning():
    s = bank(payer=0, marked=1, bid=2)
    begin_turn(s)
    assert (s.won, legal(s, "call:")) == (1, set())
    play(s, "turn: end")
    assert legal(s, "call:") != set()


@pytest.mark.rule("CT-IB-CALL-1")
def test_no_broker_is_called_in_the_turn_in_which_the_game_ends():
    s = bank(supply={"black": 1, "brown": 0})
    assert legal(s, "call:") != set()
    play(s, "factory: produce", "price: $1")
    assert legal(s, "call:") == set()


@pytest.mark.rule("CT-IB-CALL-1")
def test_after_a_call_producing_that_would_end_the_game_is_not_possible():
    s = bank(supply={"black": 1, "brown": 0})
    assert "factory: produce" in legal(s)
    play(s, CONTAINERS[0])
    bid(s, 1)
    assert "factory: produce" not in legal(s)
    s = bank(supply={"black": 1})
    play(s, CONTAINERS[0])
    bid(s, 1)
    assert "factory: produce" in legal(s)


@pytest.mark.rule("CT-IB-CALL-1", "CT-PROD-2")
def test_after_a_call_one_who_chooses_what_to_produce_chooses_what_does_not_end_the_game():
    s = bank(machines=[["black", "brown", "purple"]], factory=[{"black": [1] * 4}], supply={"black": 1, "brown": 1})
    play(s, CONTAINERS[0])
    bid(s, 1)
    play(s, "factory: produce")
    assert legal(s, "produce:") == {"black", "brown"}  # two of the three, but not both of these
    play(s, "produce: black")
    assert s.held("pile", 0) == {"black": 5, "purple": 1}


@pytest.mark.rule("CT-IB-CALL-2")
@pytest.mark.parametrize("broker", range(3))
def test_each_container_box_is_bid_for_with_money_in_public(broker):
    s = bank()
    play(s, CONTAINERS[broker])
    assert "bid: 0 x $1" not in legal(s)
    bid(s, 12)
    assert (s.payer, s.marked, s.payment_money, s.money[0]) == (0, broker, 12, 8)
    won = s.held("box_containers", broker)
    play(s, *["turn: end"] * 4)
    assert s.held("bank_harbour", 0) == won
    assert s.box_money.tolist() == [1 + 4, 2 + 4, 3 + 4]


@pytest.mark.rule("CT-IB-CALL-2")
@pytest.mark.parametrize("broker", range(3))
def test_each_money_box_is_bid_for_with_containers_from_the_stores(broker):
    s = bank(factory=[{"black": [1, 3]}], harbour=[{"grey": [2]}], loans=[0, 0, 0, 0])
    play(s, MONEY[broker])
    assert legal(s, "bid:") == {
        "black at $1 from the factory store",
        "black at $3 from the factory store",
        "grey at $2 from the harbour store",
    }
    play(s, "bid: black at $3 from the factory store")
    assert "enough" in legal(s)
    play(s, "bid: grey at $2 from the harbour store")
    assert (s.payer, s.marked) == (0, 3 + broker)
    assert (s.held("payment", 0), s.held("payment", 1)) == ({"black": 1}, {"grey": 1})
    assert (s.store("factory", 0), s.store("harbour", 0)) == ({"black": [1]}, {})
    play(s, *["turn: end"] * 4)
    assert (s.seat, s.decides, s.money[0]) == (0, Phase.PAY, 20 + 1 + broker)
    play(s, "pay: grey")
    assert s.held("box_containers", 0) == {"black": 1, "grey": 2}
    assert s.held("box_containers", 1) == {"black": 1, "beige": 1}


@pytest.mark.rule("CT-IB-CALL-2")
def test_an_empty_box_is_not_bid_for_and_a_bid_is_at_least_one():
    s = bank(boxes=[{"black": 1}], box_money=[0, 2, 0], factory=[{"black": [1]}])
    assert legal(s, "call:") == {"bid for the containers of broker I", "bid for the money of broker II"}
    s = bank(money=[0])
    assert legal(s, "call:") == set()
    play(s, "loan: take $10")  # loans may be taken for it
    assert len(legal(s, "call:")) == 3


@pytest.mark.rule("CT-IB-CALL-2")
def test_loans_may_be_taken_while_the_bid_is_made():
    s = bank(money=[5])
    play(s, CONTAINERS[0])
    bid(s, 14, loans=1)
    assert (s.money[0], s.loans[0], s.payment_money) == (1, 1, 14)


@pytest.mark.rule("CT-IB-CALL-2")
def test_every_set_of_containers_can_be_bid_in_exactly_one_way():
    ends = []

    def go_on(s, row):
        saved = s.saved()
        if s.decides != Phase.CALL_CONTAINERS:
            ends.append(row)
            return
        if "enough" in legal(s):
            ends.append(row)
        for name in legal(s, "bid:"):
            play(s, f"bid: {name}")
            go_on(s, tuple(sorted((*row, name))))
            s.restore(saved)

    s = bank(factory=[{"black": [1, 1]}], harbour=[{"black": [4], "grey": [2]}], warehouses=[2])
    play(s, MONEY[0])
    go_on(s, ())
    assert len(ends) == len(set(ends)) == 3 * 2 * 2 - 1


@pytest.mark.rule("CT-IB-CALL-3")
def test_an_opponent_s_money_bid_is_outbid_by_at_least_a_dollar_and_goes_back():
    s = bank(active=1, payer=3, marked=0, bid=8, money=[20, 20, 20, 2])
    assert legal(s, "call:") == {"outbid"}
    play(s, "call: outbid")
    play(s, "bid: 0 x $10")
    assert (s.payment_money, s.payer, s.marked) == (9, 1, 0)  # 9 is the only one-digit bid above 8
    assert s.money.tolist() == [20, 11, 20, 10]
    assert legal(bank(payer=3, marked=0, bid=20), "call:") == set()


@pytest.mark.rule("CT-IB-CALL-3")
def test_a_container_bid_is_outbid_by_one_container_of_any_colour():
    s = bank(payer=3, marked=3, bid=({"beige": 1}, {}), factory=[{"black": [1]}], harbour=[{"brown": [2], "grey": [2]}], warehouses=[2])
    play(s, "call: outbid")
    # Two are needed, so the last in order cannot be the first.
    assert legal(s) == {"bid: black at $1 from the factory store", "bid: brown at $2 from the harbour store", "loan: take $10"}
    play(s, "bid: black at $1 from the factory store")
    assert "enough" not in legal(s)
    play(s, "bid: brown at $2 from the harbour store")
    assert legal(s, "enough") == {""}
    assert legal(bank(payer=3, marked=3, bid=({"beige": 1}, {}), factory=[{"black": [1]}]), "call:") == set()


@pytest.mark.rule("CT-IB-CALL-3")
def test_outbid_containers_go_back_to_their_stores_at_prices_their_owner_chooses_again():
    s = bank(
        payer=3,
        marked=3,
        bid=({"beige": 2}, {"grey": 1}),
        machines=[["black", "brown", "purple"]],
        factory=[{"black": [1, 1, 1, 2, 2]}, {}, {}, {}],
        harbour=[{}, {}, {}, {"grey": [6]}],
        warehouses=[1, 1, 1, 2],
    )
    play(s, "call: outbid", "bid: black at $1 from the factory store", "enough")  # the other three can only be these
    assert (s.seat, s.active, s.decides) == (3, 0, Phase.PRICE_FACTORY)
    play(s, "price: $2")
    assert legal(s, "price:") == {"$2", "$3", "$4"}
    play(s, "price: $4")
    assert s.decides == Phase.PRICE_HARBOUR
    play(s, "price: $3")
    assert (s.store("factory", 3), s.store("harbour", 3)) == ({"beige": [2, 4]}, {"grey": [3, 6]})
    assert (s.payer, s.held("payment", 0), s.marked) == (0, {"black": 4}, 3)
    assert (s.seat, s.decides, s.actions_left) == (0, Phase.ACTION, 1)


@pytest.mark.rule("CT-IB-CALL-3")
def test_only_returned_containers_are_priced_again():
    s = bank(payer=3, marked=3, bid=({"beige": 1}, {}), factory=[{"black": [1, 1]}, {}, {}, {"beige": [4]}])
    play(s, "call: outbid")  # with just the two containers that it takes
    assert (s.seat, s.decides) == (3, Phase.PRICE_FACTORY)
    play(s, "price: $1")
    assert s.store("factory", 3) == {"beige": [1, 4]}


@pytest.mark.rule("CT-IB-CALL-4")
def test_bid_containers_still_take_up_room_and_are_not_for_sale():
    s = bank(payer=1, marked=3, bid=({"brown": 1}, {"grey": 1}), factory=[{"black": [1]}, {"brown": [2]}], warehouses=[2, 1])
    assert legal(s, "harbour: buy from the") == {"1st factory on the left"}
    play(s, "harbour: buy from the 1st factory on the left")
    assert (s.decides, s.store("factory", 1)) == (Phase.PRICE_HARBOUR, {})  # the one for sale was the only choice
    s = bank(active=1, payer=1, marked=3, bid=({"brown": 2}, {"grey": 1}), factory=[{"black": [1]}], warehouses=[1, 1])
    assert legal(s, "harbour:") == set()  # the one place of the harbour store is taken
    play(s, "factory: produce")
    assert (s.store("factory", 1), s.money[1]) == ({}, 19)


@pytest.mark.rule("CT-IB-CALL-4")
def test_bid_money_is_out_of_use():
    s = bank(money=[10])
    play(s, CONTAINERS[0])
    bid(s, 9)
    assert legal(s, "machine:") == set()
    assert legal(s, "warehouse:") == set()


@pytest.mark.rule("CT-IB-AUC-1")
def test_a_refusal_at_the_island_fills_the_money_boxes_with_as_much():
    s = bank(cargo=[{"grey": 1}])
    play(s, "sail: to the island")
    for amount in (12, 3, 5):
        bid(s, amount)
    play(s, "auction: refuse all bids")
    assert s.money.tolist() == [8, 20, 20, 20]
    assert s.box_money.tolist() == [1 + 4, 2 + 4, 3 + 4]
    assert s.held("island", 0) == {"grey": 1}


@pytest.mark.rule("CT-IB-AUC-1")
def test_an_accepted_bid_brings_the_boxes_nothing():
    s = bank(cargo=[{"grey": 1}])
    play(s, "sail: to the island")
    for amount in (12, 3, 5):
        bid(s, amount)
    play(s, "auction: accept the bid of the 1st on the left")
    assert (s.money.tolist(), s.box_money.tolist()) == ([44, 8, 20, 20], [1, 2, 3])
