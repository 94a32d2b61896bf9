"""The auction at the island (CT-AUC).

Until all bids are in, each bid and the loans for it are visible to their owner only. The number of cards in a bid is never shown, so bluff
cards are not modelled (CT-AUC-5).
"""

import numpy as np

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, Kind
from ..state import Phase
from ..tables import COLOURS, LOAN, MOST_LOANS
from .bank import do_fill_money_boxes
from .bidding import allow_digits, begin_digits, is_at_first_digit
from .money import do_pay, do_pay_bank, do_receive
from .seats import left_of


@kernel
def begin_auction(s):  # CT-AUC-1
    s.seller = s.active
    s.shown_bid[:] = 0
    for seat in range(np.int64(s.players)):
        s.standing[seat] = 1 if seat != s.seller else 0
    s.phase = Phase.BID
    begin_bids(s)


@kernel
def begin_bids(s):
    """Ask everyone still in the auction, from the seller's left on. All bids begin together, so that nobody can tell who is to move."""
    for seat in range(np.int64(s.players)):
        if s.standing[seat]:
            begin_digits(s, seat)
    s.seat = s.seller
    begin_next_bid(s)


@kernel
def begin_next_bid(s):
    """The next seat that bids; False when all have."""
    while True:
        s.seat = left_of(s, np.int64(s.seat), 1)
        if s.seat == s.seller:
            return False
        if s.standing[s.seat]:
            return True


@kernel
def can_void(s, seat):  # CT-AUC-6
    """Only in the second round, before the first digit, by a seat whose first bid was above 0: otherwise it would be a bid of 0."""
    return s.void_bids > 0 and s.phase == Phase.SECOND_BID and s.shown_bid[seat] > 0 and is_at_first_digit(s, seat)


@kernel
def allow_bid(s, me, mask):  # CT-AUC-1, CT-AUC-6
    return allow_digits(s, me, mask) + allow(mask, FIRST[Kind.VOID], can_void(s, me))


@kernel
def do_void(s, seat):  # CT-AUC-6
    s.bid[seat] = -s.shown_bid[seat]
    s.bid_digits[seat] = 0


@kernel
def end_bid(s):
    """One bid is in. When all are, they are shown."""
    if begin_next_bid(s):
        return
    do_show_bids(s)
    if do_find_highest(s) > 1 and s.phase == Phase.BID:  # CT-AUC-2
        s.phase = Phase.SECOND_BID
        begin_bids(s)
    else:
        s.phase = Phase.SALE
        s.seat = s.seller


@kernel
def do_show_bids(s):  # CT-AUC-1, CT-AUC-2
    for seat in range(np.int64(s.players)):
        s.shown_bid[seat] += s.bid[seat]
        s.bid[seat] = 0
        do_receive(s, seat, LOAN * s.bid_loans[seat])
        s.loans[seat] += s.bid_loans[seat]
        s.fresh[seat] += s.bid_loans[seat]
        s.bid_loans[seat] = 0


@kernel
def highest_shown(s):
    """Of those still in the auction."""
    highest = 0
    for seat in range(np.int64(s.players)):
        if s.standing[seat]:
            highest = max(highest, s.shown_bid[seat] + 0)
    return highest


@kernel
def do_find_highest(s):  # CT-AUC-2
    """Only the highest bids stay in the auction; returns how many they are."""
    highest = highest_shown(s)
    count = 0
    for seat in range(np.int64(s.players)):
        if s.standing[seat] and s.shown_bid[seat] == highest:
            count += 1
        else:
            s.standing[seat] = 0
    return count


@kernel
def can_refuse(s, seat):  # CT-AUC-4
    return highest_shown(s) <= s.money[seat]


@kernel
def can_refuse_with_loans(s, seat):  # CT-AUC-4
    return highest_shown(s) <= s.money[seat] + LOAN * (MOST_LOANS - s.loans[seat])


@kernel
def allow_sale(s, me, mask):  # CT-AUC-2, CT-AUC-3, CT-AUC-4
    count = allow(mask, FIRST[Kind.REFUSE], can_refuse(s, me))
    for left in range(1, np.int64(s.players)):
        count += allow(mask, FIRST[Kind.ACCEPT] + left - 1, s.standing[left_of(s, me, left)] > 0)
    return count


@kernel
def do_accept(s, buyer):  # CT-AUC-3
    seller = np.int64(s.seller)
    amount = highest_shown(s)
    do_pay(s, buyer, seller, amount)
    do_receive(s, seller, amount)
    do_unload(s, seller, buyer)


@kernel
def do_refuse(s):  # CT-AUC-4, CT-IB-AUC-1
    seller = np.int64(s.seller)
    amount = highest_shown(s)
    do_pay_bank(s, seller, amount)
    if s.investment_bank:
        s.issued += amount
        do_fill_money_boxes(s, amount)
    do_unload(s, seller, seller)


@kernel
def do_unload(s, seller, owner):
    for colour in range(COLOURS):
        s.island[owner, colour] += s.cargo[seller, colour]
        s.cargo[seller, colour] = 0
    s.standing[:] = 0
    s.phase = Phase.DONE
