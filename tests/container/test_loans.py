"""Loans, interest and what is seized."""

import pytest

from tradewinds.envs.container.rules.loans import FROM_NOWHERE, seized_from
from tradewinds.envs.container.state import Phase

from .table import begin_turn, bid, legal, play, table

TAKE, REPAY = "loan: take $10", "loan: repay $10"


@pytest.mark.rule("CT-INT-1")
@pytest.mark.parametrize(("loans", "paid"), [(0, 0), (1, 1), (2, 2)])
def test_each_loan_costs_a_dollar_at_the_start_of_the_turn(loans, paid):
    s = table(loans=[loans, 2])
    begin_turn(s)
    assert s.money.tolist() == [20 - paid, 20, 20, 20]


@pytest.mark.rule("CT-INT-1")
def test_one_who_cannot_pay_must_take_another_loan_which_bears_no_interest_in_this_turn():
    s = table(money=[0], loans=[1])
    begin_turn(s)
    assert (s.money[0], s.loans[0], s.fresh[0]) == (9, 2, 1)
    assert s.decides == Phase.ACTION


@pytest.mark.rule("CT-INT-1")
def test_one_who_can_pay_gets_no_loan():
    s = table(money=[1], loans=[1])
    begin_turn(s)
    assert (s.money[0], s.loans[0]) == (0, 1)


@pytest.mark.rule("CT-INT-2")
def test_with_two_loans_and_one_dollar_it_is_paid_and_one_container_is_seized():
    s = table(money=[1], loans=[2], island=[{"grey": 2}])
    begin_turn(s)
    assert (s.money[0], s.held("island", 0), s.held("removed")) == (0, {"grey": 1}, {"grey": 1})
    assert (s.seat, s.decides) == (0, Phase.ACTION)


@pytest.mark.rule("CT-INT-2")
def test_the_bank_takes_from_the_island_then_the_ship_the_bank_harbour_the_harbour_store_and_the_factory_store():
    s = table(
        money=[0],
        loans=[2],
        island=[{"black": 1}],
        cargo=[{"brown": 1}],
        bank_harbour=[{"purple": 1}],
        harbour=[{"beige": [2]}],
        factory=[{"grey": [4]}],
        investment_bank=True,
    )
    for expected in (["black", "brown"], ["purple", "beige"], ["grey"], []):
        before = s.removed.copy()
        begin_turn(s)
        taken = [name for name, count in zip(("black", "brown", "purple", "beige", "grey"), s.removed - before, strict=True) if count]
        assert sorted(taken) == sorted(expected)
        assert (s.seat, s.decides) == (0, Phase.ACTION)
    assert s.loans[0] == 2


@pytest.mark.rule("CT-INT-2")
def test_the_player_on_the_right_chooses_the_colour_and_each_seizure_walks_the_order_again():
    s = table(active=1, money=[20, 0], loans=[0, 2], island=[{}, {"black": 1, "grey": 1}], cargo=[{}, {"purple": 2, "brown": 1}])
    begin_turn(s)
    assert (s.seat, s.active, s.decides) == (0, 1, Phase.SEIZE)
    assert legal(s, "seize:") == {"black", "grey"}
    play(s, "seize: grey")
    # The black one is alone on the island, so it goes without a question.
    assert s.held("removed") == {"grey": 1, "black": 1}
    assert s.held("cargo", 1) == {"purple": 2, "brown": 1}
    assert (s.seat, s.decides) == (1, Phase.ACTION)


@pytest.mark.rule("CT-INT-2")
def test_after_the_island_is_empty_the_second_container_comes_from_the_ship():
    s = table(active=2, money=[20, 20, 0], loans=[0, 0, 2], island=[{}, {}, {"black": 1}], cargo=[{}, {}, {"purple": 2, "brown": 1}])
    begin_turn(s)
    assert (s.seat, s.held("removed")) == (1, {"black": 1})
    assert legal(s, "seize:") == {"purple", "brown"}
    play(s, "seize: purple")
    assert s.held("cargo", 2) == {"purple": 1, "brown": 1}


@pytest.mark.rule("CT-INT-2")
def test_in_a_store_the_price_is_chosen_too():
    s = table(active=0, money=[1], loans=[2], harbour=[{"black": [3, 6], "grey": [2]}], warehouses=[3], factory=[{"brown": [1]}])
    begin_turn(s)
    assert s.seat == 3
    assert legal(s, "seize:") == {"black at $3", "black at $6", "grey at $2"}
    play(s, "seize: black at $6")
    assert s.store("harbour", 0) == {"black": [3], "grey": [2]}
    s = table(active=0, money=[1], loans=[2], factory=[{"black": [1, 4]}])
    begin_turn(s)
    assert legal(s, "seize:") == {"black at $1", "black at $4"}


@pytest.mark.rule("CT-INT-2")
def test_if_there_is_nothing_left_the_debt_is_forgiven():
    s = table(money=[0], loans=[2], factory=[{"black": [2]}])
    begin_turn(s)
    assert (s.loans[0], s.money[0], s.seizures) == (2, 0, 0)
    assert s.store("factory", 0) == {}
    assert (s.seat, s.decides) == (0, Phase.ACTION)


@pytest.mark.rule("CT-INT-2")
def test_what_lies_on_the_payment_card_is_neither_seized_nor_pays_interest():
    s = table(investment_bank=True, active=2, money=[20, 20, 0], loans=[0, 0, 2], payer=1, marked=0, bid=9)
    begin_turn(s)
    assert s.payment_money == 9
    s = table(investment_bank=True, money=[20, 20, 0], payer=2, marked=3, bid=({"black": 2}, {}), box_money=[3])
    assert seized_from(s.record, 2) == FROM_NOWHERE


@pytest.mark.rule("CT-LOAN-1")
def test_a_loan_brings_ten_dollars_and_nobody_has_more_than_two():
    s = table()
    play(s, TAKE, TAKE)
    assert (s.money[0], s.loans[0], s.actions_left) == (40, 2, 2)
    assert TAKE not in legal(s)


@pytest.mark.rule("CT-LOAN-1", "CT-LOAN-3")
def test_a_loan_may_be_taken_out_of_turn_at_every_decision():
    s = table(active=1, money=[20, 0], loans=[0, 2], island=[{}, {"black": 1, "grey": 1}])
    begin_turn(s)
    play(s, TAKE)  # by the one who chooses what is seized
    assert (s.money[0], s.loans[0], s.seat) == (30, 1, 0)
    s = table(cargo=[{"grey": 1}])
    play(s, "sail: to the island")
    assert s.seat == 1
    assert TAKE in legal(s)


@pytest.mark.rule("CT-LOAN-3")
def test_loans_may_be_taken_while_buying_pricing_and_choosing():
    s = table(factory=[{}, {"brown": [1, 4]}], warehouses=[2], money=[1])
    play(s, "harbour: buy from the 1st factory on the left", "buy: brown at $1")
    assert legal(s) == {"enough", TAKE}
    play(s, TAKE, "buy: brown at $4")
    assert TAKE in legal(s)
    play(s, TAKE, "price: $2", "price: $2")
    assert (s.money[0], s.loans[0]) == (16, 2)


@pytest.mark.rule("CT-LOAN-3")
def test_a_decision_with_one_answer_is_not_asked_for_the_sake_of_a_loan():
    s = table(harbour=[{"brown": [6, 6]}], warehouses=[2])
    play(s, "harbour: only change prices", "price: $6")  # the second can only be 6 as well
    assert s.decides == Phase.ACTION


@pytest.mark.rule("CT-LOAN-3")
def test_the_digits_of_a_bid_are_one_decision():
    s = table(cargo=[{"grey": 1}], money=[20, 20])
    play(s, "sail: to the island", "bid: 1 x $10")
    assert legal(s) == {f"bid: {digit} x $1" for digit in range(10)}


@pytest.mark.rule("CT-LOAN-2")
def test_a_loan_is_repaid_for_ten_dollars_without_using_an_action():
    s = table(loans=[2])
    play(s, REPAY)
    assert (s.money[0], s.loans[0], s.actions_left) == (10, 1, 2)
    play(s, REPAY)
    assert (s.money[0], s.loans[0]) == (0, 0)
    assert REPAY not in legal(s)


@pytest.mark.rule("CT-LOAN-2")
def test_a_loan_is_not_repaid_in_the_turn_it_was_taken():
    s = table()
    play(s, TAKE)
    assert REPAY not in legal(s)
    play(s, *["turn: end"] * 4)
    assert (s.seat, s.money[0]) == (0, 29)
    play(s, REPAY)
    assert (s.money[0], s.loans[0]) == (19, 0)


@pytest.mark.rule("CT-LOAN-2")
def test_of_an_old_and_a_new_loan_only_one_can_be_repaid():
    s = table(loans=[1])
    play(s, TAKE, REPAY)
    assert (s.loans[0], s.fresh[0]) == (1, 1)
    assert REPAY not in legal(s)


@pytest.mark.rule("CT-LOAN-2")
def test_nobody_repays_with_less_than_ten_dollars():
    s = table(money=[9], loans=[1])
    assert REPAY not in legal(s)


@pytest.mark.rule("CT-LOAN-2")
def test_nobody_repays_out_of_turn():
    s = table(loans=[0, 1], cargo=[{"grey": 1}])
    play(s, "sail: to the island")
    assert s.seat == 1
    assert REPAY not in legal(s)


@pytest.mark.rule("CT-LOAN-2")
def test_one_taken_for_a_bid_is_repaid_only_after_the_next_interest():
    s = table(cargo=[{"grey": 1}])
    play(s, "sail: to the island")
    bid(s, 0)
    bid(s, 1, loans=1)
    bid(s, 0)
    play(s, "auction: accept the bid of the 2nd on the left")
    assert (s.loans[2], s.fresh[2], s.money[2]) == (1, 1, 29)
    play(s, "turn: end")
    assert (s.active, s.loans[2], s.fresh[2], s.money[2]) == (2, 1, 0, 28)
    play(s, REPAY)
    assert (s.loans[2], s.money[2]) == (0, 18)


@pytest.mark.rule("CT-LOAN-2", "CT-LOAN-3")
def test_money_that_a_begun_purchase_needs_does_not_go_into_a_repayment():
    s = table(money=[12], loans=[1], factory=[{}, {"brown": [3, 4]}])
    play(s, "harbour: buy from the 1st factory on the left")
    assert REPAY not in legal(s)
    s = table(money=[13], loans=[1], factory=[{}, {"brown": [3, 4]}])
    play(s, "harbour: buy from the 1st factory on the left", REPAY)
    assert legal(s) == {"buy: brown at $3", TAKE}


@pytest.mark.rule("CT-LOAN-2", "CT-IB-CALL-2")
def test_money_that_a_begun_bid_needs_does_not_go_into_a_repayment():
    s = table(investment_bank=True, money=[21], loans=[1], payer=2, marked=0, bid=11, boxes=[{"grey": 1}])
    play(s, "call: outbid")
    assert REPAY not in legal(s)
    s = table(investment_bank=True, money=[23], loans=[1], payer=2, marked=0, bid=11, boxes=[{"grey": 1}])
    play(s, "call: outbid", REPAY)
    bid(s, 13)
    assert (s.money[0], s.payment_money) == (0, 13)


@pytest.mark.rule("CT-LOAN-2", "CT-IB-PREP-1")
def test_a_loan_taken_while_a_won_bid_is_paid_bears_interest_but_is_not_repaid_in_that_turn():
    s = table(investment_bank=True, payer=0, marked=3, bid=({"black": 1}, {"grey": 1}), box_money=[3, 0, 0], loans=[1], fresh=[1])
    begin_turn(s)
    assert s.decides == Phase.PAY
    assert REPAY not in legal(s)
    play(s, TAKE, "pay: grey")
    assert (s.loans[0], s.money[0]) == (2, 20 + 3 + 10 - 2)
    play(s, REPAY)  # the old one
    assert REPAY not in legal(s)


@pytest.mark.rule("CT-LOAN-3")
def test_the_only_container_of_a_factory_store_is_bought_unasked_by_one_who_can_pay():
    s = table(factory=[{}, {"brown": [3]}])
    play(s, "harbour: buy from the 1st factory on the left")
    assert s.decides == Phase.PRICE_HARBOUR
    s = table(factory=[{}, {"brown": [3, 4]}], money=[3])
    play(s, "harbour: buy from the 1st factory on the left")
    assert legal(s) == {"buy: brown at $3", TAKE}  # a loan would pay for the other one


@pytest.mark.rule("CT-LOAN-3", "CT-AUC-4")
@pytest.mark.parametrize(("loans", "highest", "asked"), [(0, 22, True), (0, 23, True), (0, 24, False), (1, 13, True), (1, 14, False)])
def test_one_who_could_not_refuse_even_with_loans_is_not_asked(loans, highest, asked):
    s = table(cargo=[{"grey": 1}], money=[3, 30, 30, 30], loans=[loans])
    play(s, "sail: to the island")
    for amount in (highest, 1, 2):
        bid(s, amount)
    if asked:
        assert legal(s) == {"auction: accept the bid of the 1st on the left", TAKE}
        while "auction: refuse all bids" not in legal(s):
            play(s, TAKE)
    else:
        assert (s.decides, s.active, s.money[0]) == (Phase.ACTION, 1, 3 + 2 * highest)


@pytest.mark.rule("CT-LOAN-2", "CT-INT-1", "CT-IB-PREP-1")
def test_a_loan_taken_while_a_broker_is_paid_bears_interest_at_once_and_is_repaid_in_the_next_turn():
    s = table(active=1, investment_bank=True, payer=1, marked=3, bid=({"brown": 1, "grey": 1}, {}), box_money=[4])
    begin_turn(s)
    assert (s.decides, s.seat, REPAY in legal(s)) == (Phase.PAY, 1, False)
    play(s, TAKE, "pay: grey")
    assert (s.decides, s.money[1], s.loans[1], s.fresh[1]) == (Phase.ACTION, 20 + 4 + 10 - 1, 1, 1)
    assert REPAY not in legal(s)
    play(s, *["turn: end"] * 4)
    assert (s.active, s.fresh[1], REPAY in legal(s)) == (1, 0, True)
