"""Every worked example of the rulebook, and the numbers that follow from its text."""

import pytest

from tradewinds.envs.container.state import Phase

from .table import begin_turn, bid, legal, play, result, table

BLUE, RED = 0, 1


@pytest.mark.rule("CT-BUY-1")
def test_the_third_machine_costs_9_dollars_paid_to_the_bank():
    s = table(machines=[["black", "brown"]])
    play(s, "machine: buy a grey one")
    assert (s.money.tolist(), s.issued) == ([11, 20, 20, 20], 80 - 9)


@pytest.mark.rule("CT-HARB-2")
def test_with_3_warehouses_and_1_container_at_most_2_are_bought():
    s = table(warehouses=[3], harbour=[{"grey": [4]}], factory=[{}, {"brown": [1, 1]}, {"purple": [1, 1]}])
    play(s, "harbour: buy from the 1st factory on the left", "buy: brown at $1")  # the first is the only choice
    assert s.decides == Phase.PRICE_HARBOUR
    play(s, *["price: $4"] * 3)
    assert legal(s, "harbour: buy") == set()


@pytest.mark.rule("CT-HARB-1", "CT-HARB-3")
def test_blue_buys_purple_and_beige_from_red_for_3_dollars_and_reprices_its_beige_one():
    s = table(
        warehouses=[3], harbour=[{"beige": [6]}], machines=[["black"], ["purple", "beige"]], factory=[{}, {"purple": [1], "beige": [2]}]
    )
    play(s, "harbour: buy from the 1st factory on the left", "buy: purple at $1", "buy: beige at $2")
    assert s.money.tolist() == [17, 23, 20, 20]
    play(s, "price: $5", "price: $3", "price: $4")
    assert s.store("harbour", BLUE) == {"purple": [5], "beige": [3, 4]}
    assert s.store("factory", RED) == {}
    assert legal(s, "harbour:") == {"only change prices"}  # full: one more warehouse is needed


@pytest.mark.rule("CT-AUC-3")
def test_a_highest_bid_of_12_costs_the_buyer_12_and_brings_the_seller_24():
    s = table(cargo=[{"grey": 1}])
    play(s, "sail: to the island")
    for amount in (12, 11, 0):
        bid(s, amount)
    play(s, "auction: accept the bid of the 1st on the left")
    assert s.money.tolist() == [44, 8, 20, 20]


@pytest.mark.rule("CT-AUC-4", "CT-IB-AUC-1")
@pytest.mark.parametrize("investment_bank", [False, True])
def test_refusing_12_costs_the_seller_12_and_with_the_bank_the_boxes_get_4_each(investment_bank):
    s = table(cargo=[{"grey": 1}], investment_bank=investment_bank)
    play(s, "sail: to the island")
    for amount in (12, 11, 0):
        bid(s, amount)
    play(s, "auction: refuse all bids")
    assert s.money.tolist() == [8, 20, 20, 20]
    assert s.box_money.tolist() == [4, 4, 4] if investment_bank else [0, 0, 0]


@pytest.mark.rule("CT-AUC-6")
def test_25_dollars_with_a_bluff_card_count_nothing():
    s = table(3, cargo=[{"grey": 1}], money=[20, 40, 40], void_bids=True)
    play(s, "sail: to the island")
    bid(s, 20)
    bid(s, 20)
    play(s, "bid: void it")
    bid(s, 5)
    assert s.shown_bid.tolist() == [0, 0, 25]
    s = table(3, cargo=[{"grey": 1}], money=[20, 40, 40], void_bids=True)
    play(s, "sail: to the island")
    bid(s, 25)
    bid(s, 25)
    play(s, "bid: void it", "bid: void it")
    assert s.shown_bid.tolist() == [0, 0, 0]


@pytest.mark.rule("CT-LOAN-1", "CT-LOAN-2", "CT-INT-1", "CT-END-4")
def test_a_loan_brings_10_bears_1_is_repaid_for_10_and_costs_11_at_the_end():
    s = table()
    play(s, "loan: take $10")
    assert s.money[0] == 30
    assert result(s)[0][0] == 30 - 11
    play(s, *["turn: end"] * 4)
    assert s.money[0] == 29
    play(s, "loan: repay $10")
    assert (s.money[0], s.loans[0]) == (19, 0)


@pytest.mark.rule("CT-INT-1")
def test_one_loan_and_no_money_becomes_two_loans_and_9_dollars():
    s = table(money=[0], loans=[1])
    begin_turn(s)
    assert (s.money[0], s.loans[0]) == (9, 2)


@pytest.mark.rule("CT-IB-PREP-2")
def test_a_bid_of_4_dollars_fills_the_boxes_with_2_1_and_1():
    s = table(investment_bank=True, payer=0, marked=0, bid=4, boxes=[{"grey": 1}])
    begin_turn(s)
    assert s.box_money.tolist() == [2, 1, 1]


@pytest.mark.rule("CT-IB-PREP-2")
def test_a_bid_of_4_containers_fills_the_boxes_with_2_1_and_1():
    s = table(investment_bank=True, payer=0, marked=3, bid=({"black": 4}, {}), box_money=[3], machines=[["black", "brown"]])
    begin_turn(s)
    assert s.box_containers.sum(axis=1).tolist() == [2, 1, 1]


@pytest.mark.rule("CT-IB-PREP-3")
@pytest.mark.parametrize(("loans", "boxes"), [(1, [1, 0, 0]), (2, [1, 1, 0])])
def test_interest_to_the_investment_bank(loans, boxes):
    s = table(investment_bank=True, loans=[loans])
    begin_turn(s)
    assert s.box_money.tolist() == boxes


@pytest.mark.rule("CT-END-3")
def test_one_of_each_colour_is_worth_22_and_a_full_set_with_a_double_5_10_is_worth_32():
    s = table(money=[0, 0, 0, 0], island=[dict.fromkeys(("black", "brown", "purple", "beige", "grey"), 1)])
    assert result(s)[0][0] == 22
    s = table(money=[0, 0, 0, 0], island=[{"black": 3, "brown": 2, "purple": 1, "beige": 1, "grey": 1}])
    assert result(s)[0][0] == 32
