"""The auction at the island."""

import numpy as np
import pytest

from tradewinds.envs.container import GAME
from tradewinds.envs.container.state import Phase

from .table import bid, legal, look, play, table

ACCEPT = "auction: accept the bid of the"


def auction(money=(20, 20, 20, 20), **more):
    s = table(len(money), cargo=[{"grey": 2, "black": 1}], money=money, **more)
    play(s, "sail: to the island")
    return s


@pytest.mark.rule("CT-AUC-1")
def test_all_others_bid_clockwise_from_the_seller():
    s = table(active=2, cargo=[{}, {}, {"grey": 1}])
    play(s, "sail: to the island")
    order = []
    for amount in (3, 2, 1):
        order.append(int(s.seat))
        bid(s, amount)
    assert order == [3, 0, 1]
    assert (s.decides, s.seat, s.shown_bid.tolist()) == (Phase.SALE, 2, [2, 1, 0, 3])


@pytest.mark.rule("CT-AUC-1")
@pytest.mark.parametrize("money", [1, 9, 10, 23, 100, 123])
def test_every_amount_from_nothing_to_all_that_the_bidder_holds_is_possible_in_exactly_one_way(money):
    reached = []

    def go_on(s):
        saved = s.saved()
        for name in legal(s, "bid:"):
            play(s, f"bid: {name}")
            if s.seat == 1:
                go_on(s)
            else:
                reached.append(int(s.bid[1]))
            s.restore(saved)

    s = auction((20, money, 20, 20), loans=[0, 2])
    go_on(s)
    assert sorted(reached) == list(range(money + 1))


@pytest.mark.rule("CT-AUC-1")
def test_a_bid_has_at_most_five_digits():
    s = auction((20, 123_456, 5, 5))
    assert legal(s, "bid:") == {f"{digit} x $10000" for digit in range(10)}
    bid(s, 99_999)
    bid(s, 0)
    bid(s, 0)
    assert s.shown_bid[1] == 99_999


@pytest.mark.rule("CT-AUC-1")
def test_loans_for_a_bid_show_together_with_it_and_stay_even_if_it_loses():
    s = auction()
    bid(s, 27, loans=1)
    assert (s.loans.tolist(), s.money.tolist()) == ([0] * 4, [20] * 4)
    bid(s, 40, loans=2)
    bid(s, 5)
    assert (s.loans.tolist(), s.fresh.tolist()) == ([0, 1, 2, 0], [0, 1, 2, 0])
    assert (s.money.tolist(), s.shown_bid.tolist()) == ([20, 30, 40, 20], [0, 27, 40, 5])
    play(s, f"{ACCEPT} 2nd on the left")
    assert (s.money[2], s.loans[2]) == (0, 2)
    assert s.money[1] == 29  # its interest has been paid: seat 1's turn has begun


@pytest.mark.rule("CT-AUC-1")
def test_no_more_than_two_loans_in_all_can_be_taken_for_a_bid():
    s = auction(loans=[0, 1])
    play(s, "loan: take $10")
    assert "loan: take $10" not in legal(s)


@pytest.mark.rule("CT-AUC-1")
def test_one_without_money_or_loans_left_bids_nothing_unasked():
    s = auction((20, 0, 7, 0), loans=[0, 2, 0, 2])
    assert s.seat == 2
    bid(s, 4)
    assert (s.decides, s.shown_bid.tolist()) == (Phase.SALE, [0, 0, 4, 0])


@pytest.mark.rule("CT-AUC-2")
def test_only_the_tied_bid_a_second_time_and_that_is_added():
    s = auction()
    for amount in (5, 3, 5):
        bid(s, amount)
    assert (s.decides, s.shown_bid.tolist()) == (Phase.SECOND_BID, [0, 5, 3, 5])
    order = [int(s.seat)]
    bid(s, 2)
    order.append(int(s.seat))
    bid(s, 4)
    assert order == [1, 3]
    assert (s.decides, s.shown_bid.tolist()) == (Phase.SALE, [0, 7, 3, 9])
    assert legal(s, ACCEPT) == {"3rd on the left"}


@pytest.mark.rule("CT-AUC-2")
def test_a_second_bid_is_at_most_what_is_left_with_loans():
    s = auction((20, 12, 12, 3))
    for amount in (5, 5, 0):
        bid(s, amount)
    assert legal(s, "bid:") == {f"{digit} x $1" for digit in range(8)}
    bid(s, 17, loans=1)
    bid(s, 0)
    assert s.shown_bid.tolist() == [0, 22, 5, 0]
    assert (s.money[1], s.loans[1]) == (22, 1)


@pytest.mark.rule("CT-AUC-2")
def test_if_it_is_still_tied_the_seller_says_who_is_highest_and_there_is_no_third_round():
    s = auction()
    for amount in (5, 5, 5):
        bid(s, amount)
    for amount in (2, 1, 2):
        bid(s, amount)
    assert s.decides == Phase.SALE
    assert legal(s, ACCEPT) == {"1st on the left", "3rd on the left"}
    play(s, f"{ACCEPT} 3rd on the left")
    assert s.held("island", 3) == {"grey": 2, "black": 1}
    assert s.money.tolist() == [34, 20, 20, 13]


@pytest.mark.rule("CT-AUC-2")
def test_bids_of_nothing_tie_too():
    s = auction((20, 20, 20))
    bid(s, 0)
    bid(s, 0)
    assert s.decides == Phase.SECOND_BID
    bid(s, 0)
    bid(s, 0)
    assert legal(s, "auction:") == {"accept the bid of the 1st on the left", "accept the bid of the 2nd on the left", "refuse all bids"}
    play(s, f"{ACCEPT} 2nd on the left")
    assert (s.held("island", 2), s.money.tolist()) == ({"grey": 2, "black": 1}, [20, 20, 20])


@pytest.mark.rule("CT-AUC-2")
def test_when_shown_all_bids_are_public_losing_ones_included():
    s = auction()
    for amount in (5, 3, 8):
        bid(s, amount)
    for viewer in range(4):
        shown = look(s, viewer)[s.variant.layout.slices["shown_bid"]] * 20
        assert np.round(shown).tolist() == np.roll([0, 5, 3, 8], -viewer).tolist()


@pytest.mark.rule("CT-AUC-3")
def test_an_accepted_bid_is_paid_and_doubled_by_the_bank():
    s = auction()
    for amount in (12, 3, 8):
        bid(s, amount)
    play(s, f"{ACCEPT} 1st on the left")
    assert s.money.tolist() == [44, 8, 20, 20]
    assert s.held("island", 1) == {"grey": 2, "black": 1}
    assert s.issued == 80 + 12


@pytest.mark.rule("CT-AUC-4")
def test_one_who_refuses_pays_the_highest_bid_to_the_bank_and_keeps_the_containers():
    s = auction()
    for amount in (12, 3, 8):
        bid(s, amount)
    play(s, "auction: refuse all bids")
    assert s.money.tolist() == [8, 20, 20, 20]
    assert s.held("island", 0) == {"grey": 2, "black": 1}
    assert s.issued == 80 - 12


@pytest.mark.rule("CT-AUC-4")
def test_one_who_cannot_pay_cannot_refuse_but_loans_help():
    s = auction((3, 20, 20, 20))
    for amount in (18, 3, 8):
        bid(s, amount)
    assert legal(s) == {f"{ACCEPT} 1st on the left", "loan: take $10"}
    play(s, "loan: take $10")
    assert "auction: refuse all bids" not in legal(s)
    play(s, "loan: take $10", "auction: refuse all bids")
    assert (s.money[0], s.loans[0], s.held("island", 0)) == (5, 2, {"grey": 2, "black": 1})


@pytest.mark.rule("CT-AUC-4")
def test_a_seller_without_loans_left_who_cannot_refuse_accepts():
    s = auction((3, 20, 20, 20), loans=[2])
    for amount in (18, 3, 8):
        bid(s, amount)
    assert (s.active, s.money[0], s.held("island", 1)) == (1, 39, {"grey": 2, "black": 1})


@pytest.mark.rule("CT-AUC-5")
def test_a_bid_is_an_amount_and_nothing_else():
    """No action and no field knows of cards, their denominations or a bluff card, and a seat sees nothing of another's bid."""
    assert not any("card" in name or "bluff" in name for name in GAME.actions.names)
    seen = []
    for first in (0, 1, 19):
        s = auction()
        bid(s, first)
        seen.append([look(s, viewer).tobytes() for viewer in (0, 2, 3)])
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.rule("CT-AUC-6")
def test_with_void_bids_a_tied_bidder_may_void_the_whole_bid():
    s = auction(void_bids=True)
    assert "void it" not in legal(s, "bid:")
    for amount in (5, 3, 5):
        bid(s, amount)
    assert "void it" in legal(s, "bid:")
    play(s, "bid: void it")
    bid(s, 0)
    assert s.shown_bid.tolist() == [0, 0, 3, 5]
    assert legal(s, ACCEPT) == {"3rd on the left"}


@pytest.mark.rule("CT-AUC-6")
def test_when_all_tied_bidders_void_they_are_tied_at_nothing():
    s = auction(void_bids=True)
    for amount in (5, 3, 5):
        bid(s, amount)
    play(s, "bid: void it", "bid: void it")
    assert s.shown_bid.tolist() == [0, 0, 3, 0]
    assert legal(s, ACCEPT) == {"1st on the left", "3rd on the left"}
    play(s, f"{ACCEPT} 1st on the left")
    assert s.money.tolist() == [20, 20, 20, 20]


@pytest.mark.rule("CT-AUC-6")
def test_without_the_option_nothing_is_void():
    s = auction()
    for amount in (5, 5, 5):
        bid(s, amount)
    assert "void it" not in legal(s, "bid:")


@pytest.mark.rule("CT-AUC-6")
def test_a_void_bid_after_a_digit_or_after_nothing_is_not_offered():
    s = auction((20, 30, 30, 30), void_bids=True)
    for amount in (12, 12, 0):
        bid(s, amount)
    play(s, "bid: 1 x $10")
    assert "void it" not in legal(s, "bid:")
    s = auction(void_bids=True)
    for amount in (0, 0, 0):
        bid(s, amount)
    assert s.decides == Phase.SECOND_BID
    assert "void it" not in legal(s, "bid:")
