"""Determinization: sample what a seat cannot know (CT-INF-1).

Who sees which field is declared in state.py. Value cards and unshown bids are unknown to others under either visibility, money only under
visibility="rules".
"""

import numpy as np

from ..core.engine.kernel import kernel
from ..core.engine.rng import below
from ..core.spec.fields import Visibility
from .rules.auction import can_void, do_void
from .rules.bidding import begin_digits, can_bid, do_bid, highest_bid, lowest_bid
from .rules.loans import can_repay, can_take_loan
from .rules.seats import left_of
from .state import Phase
from .tables import BROKERS, COLOURS, MAX_PLAYERS, MOST_BID, MOST_LOANS

# The prior over the others' money and bids: roughly what good players hold and bid.
SUPPOSED_MONEY = 24  # dollars run from 0 to this ...
SUPPOSED_TURNS = 2  # ... plus one for each SUPPOSED_TURNS turns
SUPPOSED_BID = 4  # dollars for each container run from 0 to this
ODD_BIDS = 8  # one bid in this many is arbitrary: any that the seat can make


@kernel
def a_few(stream):
    """A geometric number with mean 2."""
    count = 0
    while below(stream, 3) and count < MOST_BID:
        count += 1
    return count


@kernel
def least_money(s, seat):
    """A public lower bound on a seat's money."""
    if s.phase == Phase.SECOND_BID or s.phase == Phase.SALE:
        return s.shown_bid[seat] + 0
    if s.phase == Phase.CALL_MONEY and seat == s.active:
        return s.payment_money + 1
    return 0


@kernel
def redeal_money(s, viewer, stream):
    """Money for a viewer without perfect recall: sampled from the prior, and never less than the known lower bound."""
    for seat in range(MAX_PLAYERS):
        if seat == viewer:
            continue
        s.money[seat] = 0
        if seat < s.players and not (s.phase == Phase.SEIZE and seat == s.active):  # CT-INT-2: all that there was has been paid
            supposed = below(stream, SUPPOSED_MONEY + s.turn // SUPPOSED_TURNS + 1)
            s.money[seat] = max(supposed, least_money(s, seat) + a_few(stream))


@kernel
def count_issued(s):
    """Set `issued` to what the players, the boxes and the payment card hold."""
    s.issued = s.payment_money
    for seat in range(MAX_PLAYERS):
        s.issued += s.money[seat]
    for broker in range(BROKERS):
        s.issued += s.box_money[broker]


@kernel
def redeal_cards(s, viewer, stream):
    """Shuffle the other cards, those nobody holds included."""
    own = np.int64(s.value_card[viewer])
    for place in range(COLOURS - 1):
        seat = place + 1 if place >= viewer else place
        s.value_card[seat] = place + 1 if place >= own else place
    for last in range(COLOURS - 2, 0, -1):
        drawn = below(stream, last + 1)
        here = last + 1 if last >= viewer else last
        there = drawn + 1 if drawn >= viewer else drawn
        s.value_card[here], s.value_card[there] = s.value_card[there], s.value_card[here]


@kernel
def clear_bids(s, viewer):
    """Remove the others' unshown bids."""
    for seat in range(MAX_PLAYERS):
        if seat != viewer:
            s.bid[seat] = 0
            s.bid_digits[seat] = 0
            s.bid_loans[seat] = 0


@kernel
def supposed_bid(s, stream):
    if s.phase == Phase.SECOND_BID:
        return a_few(stream)
    amount = 0
    for colour in range(COLOURS):
        for _ in range(s.cargo[s.seller, colour]):
            amount += below(stream, SUPPOSED_BID + 1)
    return amount


@kernel
def redeal_bid(s, seat, stream):
    """A bid from the prior; one in ODD_BIDS is any that the seat could have made, with loans for it, or a void one."""
    is_odd = below(stream, ODD_BIDS) == 0
    if is_odd:
        s.bid_loans[seat] = below(stream, MOST_LOANS - s.loans[seat] + 1)
    begin_digits(s, seat)
    highest = highest_bid(s, seat)
    if not is_odd:
        s.bid[seat] = min(supposed_bid(s, stream), highest)
        s.bid_digits[seat] = 0
        return
    drawn = below(stream, highest + 2) if can_void(s, seat) else below(stream, highest + 1)
    if drawn > highest:
        do_void(s, seat)
    else:
        s.bid[seat] = drawn
        s.bid_digits[seat] = 0


@kernel
def redeal_bids(s, viewer, stream):
    """Seats asked before the seat to move have bid; that seat and the later ones have not begun."""
    asked = True
    for offset in range(1, np.int64(s.players)):
        seat = left_of(s, np.int64(s.seller), offset)
        asked = asked and seat != s.seat
        if seat != viewer and s.standing[seat]:
            if asked:
                redeal_bid(s, seat, stream)
            else:
                begin_digits(s, seat)


@kernel
def redeal_call(s, seat):
    """Restart a bid for a broker's box at the first digit with more than one choice: forced digits are never asked."""
    begin_digits(s, seat)
    if can_take_loan(s, seat) or can_repay(s, seat):
        return
    lowest, highest = lowest_bid(s), highest_bid(s, seat)
    while s.bid_digits[seat] > 1:
        place = s.bid_digits[seat] - 1
        possible, last = 0, 0
        for digit in range(10):
            if can_bid(s, seat, place, digit, lowest, highest):
                possible += 1
                last = digit
        if possible > 1:
            return
        do_bid(s, seat, place, last)


@kernel
def redeal(s, viewer, stream):
    """Determinize `s` for a viewer. Reads nothing hidden from the viewer, so `s` may be the viewer's masked view."""
    redeal_cards(s, viewer, stream)
    if s.visibility == Visibility.RULES:
        redeal_money(s, viewer, stream)
    count_issued(s)
    clear_bids(s, viewer)
    if s.phase == Phase.BID or s.phase == Phase.SECOND_BID:
        redeal_bids(s, viewer, stream)
    elif s.phase == Phase.CALL_MONEY and s.seat != viewer:
        redeal_call(s, np.int64(s.seat))
