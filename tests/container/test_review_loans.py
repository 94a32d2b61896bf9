"""Loans where a decision has one answer, and before the interest."""

import pytest

from tradewinds.envs.container.state import Phase

from .table import begin_turn, bid, legal, play, table

TAKE, REPAY = "loan: take $10", "loan: repay $10"


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
