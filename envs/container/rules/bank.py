"""The Investment Bank: calling a broker, outbidding, winning and paying (CT-IB)."""

import numpy as np

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, OUTBID, Kind
from ..state import Phase
from ..tables import (
    BOXES,
    BROKERS,
    COLOURS,
    COLOURS_OUT,
    EMPTY,
    FACTORY,
    FACTORY_PRICE,
    FACTORY_PRICES,
    HARBOUR,
    HARBOUR_PRICE,
    HARBOUR_PRICES,
    MOST_BID,
    STORES,
)
from .bidding import begin_digits
from .scoring import colours_out
from .stores import begin_pricing, factory_size, harbour_size, total

FACTORY_CELLS = COLOURS * FACTORY_PRICES
CELLS = FACTORY_CELLS + COLOURS * HARBOUR_PRICES


@kernel
def do_fill_money_boxes(s, amount):  # CT-IB-PREP-2: one dollar at a time to I, II, III, I, ...
    for broker in range(BROKERS):
        s.box_money[broker] += amount // BROKERS + (1 if broker < amount % BROKERS else 0)


@kernel
def box_is_empty(s, box):
    if box < BROKERS:
        return total(s.box_containers[box]) == 0
    return s.box_money[box - BROKERS] == 0


@kernel
def payment_size(s):
    return total(s.payment[FACTORY]) + total(s.payment[HARBOUR])


@kernel
def may_call(s):  # CT-IB-CALL-1
    return s.investment_bank > 0 and not s.called and not s.won and colours_out(s) < COLOURS_OUT


@kernel
def can_call(s, seat, choice):
    """Box `choice`, or OUTBID: whether there is one to bid for, and enough to bid."""
    box = choice
    if choice == OUTBID:  # CT-IB-CALL-3
        if s.payer == EMPTY:
            return False
        box = np.int64(s.marked)
    elif s.payer != EMPTY or box_is_empty(s, box):  # CT-IB-CALL-2
        return False
    if box < BROKERS:
        return min(s.money[seat] + 0, MOST_BID) > s.payment_money
    return factory_size(s, seat) + harbour_size(s, seat) > payment_size(s)


@kernel
def allow_calls(s, me, mask):  # CT-IB-CALL-1, CT-IB-CALL-2, CT-IB-CALL-3
    count = 0
    if may_call(s):
        for choice in range(BOXES + 1):
            count += allow(mask, FIRST[Kind.CALL] + choice, can_call(s, me, choice))
    return count


@kernel
def do_call(s, seat, choice):  # CT-IB-CALL-2, CT-IB-CALL-3
    s.called = 1
    if choice != OUTBID:
        s.marked = choice
    if s.marked < BROKERS:
        s.phase = Phase.CALL_MONEY
        begin_digits(s, seat)
    else:
        s.phase = Phase.CALL_CONTAINERS
        s.cursor = 0


@kernel
def do_bid_money(s, seat):  # CT-IB-CALL-2, CT-IB-CALL-3
    """The bid is complete: it goes to the payment card, and what lay there back to its owner."""
    if s.payer != EMPTY:
        s.money[s.payer] += s.payment_money
    s.payment_money = s.bid[seat]
    s.money[seat] -= s.payment_money
    s.bid[seat] = 0
    s.payer = seat
    s.phase = Phase.DONE


@kernel
def cell_of(store, colour, price):
    """Factory store, then harbour store, by colour, then price: the order in which containers are bid."""
    if store == FACTORY:
        return colour * FACTORY_PRICES + price - FACTORY_PRICE
    return FACTORY_CELLS + colour * HARBOUR_PRICES + price - HARBOUR_PRICE


@kernel
def in_cell(s, seat, cell):
    if cell < FACTORY_CELLS:
        return s.factory[seat, cell // FACTORY_PRICES, cell % FACTORY_PRICES]
    place = cell - FACTORY_CELLS
    return s.harbour[seat, place // HARBOUR_PRICES, place % HARBOUR_PRICES]


@kernel
def in_cells_from(s, seat, cell):
    count = 0
    for other in range(cell, CELLS):
        count += in_cell(s, seat, other)
    return count


@kernel
def still_to_offer(s):  # CT-IB-CALL-2, CT-IB-CALL-3
    """How many more containers the bid needs at least."""
    return payment_size(s) + 1 - total(s.pile[FACTORY]) - total(s.pile[HARBOUR])


@kernel
def can_offer(s, seat, cell, needed, left):
    """`left` is what the stores hold from this cell on."""
    return cell >= s.cursor and in_cell(s, seat, cell) > 0 and left >= needed


@kernel
def allow_offers(s, me, mask):  # CT-IB-CALL-2, CT-IB-CALL-3
    needed = still_to_offer(s)
    first = np.int64(s.cursor)
    left = in_cells_from(s, me, first)
    count = allow(mask, FIRST[Kind.ENOUGH], needed <= 0)
    for cell in range(first, CELLS):
        count += allow(mask, FIRST[Kind.OFFER] + cell, can_offer(s, me, cell, needed, left))
        left -= in_cell(s, me, cell)
    return count


@kernel
def do_offer(s, seat, store, colour, price):  # CT-IB-CALL-2
    if store == FACTORY:
        s.factory[seat, colour, price - FACTORY_PRICE] -= 1
    else:
        s.harbour[seat, colour, price - HARBOUR_PRICE] -= 1
    s.pile[store, colour] += 1
    s.cursor = cell_of(store, colour, price)
    if in_cells_from(s, seat, np.int64(s.cursor)) == 0:
        end_offer(s, seat)


@kernel
def end_offer(s, seat):  # CT-IB-CALL-3
    """The bid goes to the payment card; the outbid player prices what lay there again."""
    for store in range(STORES):
        for colour in range(COLOURS):
            offered = s.pile[store, colour]
            s.pile[store, colour] = s.payment[store, colour]
            s.payment[store, colour] = offered
    if s.payer != EMPTY:
        s.seat = s.payer
    s.payer = seat
    begin_pricing(s)


@kernel
def begin_win(s):  # CT-IB-PREP-1
    """The winner takes what the marked box holds, then pays."""
    winner = np.int64(s.payer)
    if s.marked < BROKERS:
        for colour in range(COLOURS):
            s.bank_harbour[winner, colour] += s.box_containers[s.marked, colour]
            s.box_containers[s.marked, colour] = 0
        do_fill_money_boxes(s, s.payment_money + 0)
        s.payment_money = 0
        end_payment(s)
        return
    s.money[winner] += s.box_money[s.marked - BROKERS]
    s.box_money[s.marked - BROKERS] = 0
    for colour in range(COLOURS):  # where they came from no longer matters
        s.payment[FACTORY, colour] += s.payment[HARBOUR, colour]
        s.payment[HARBOUR, colour] = 0
    s.payment_size = total(s.payment[FACTORY])
    s.cursor = 0
    s.phase = Phase.PAY


@kernel
def end_payment(s):  # CT-IB-PREP-1: both cards are free again
    s.payer = EMPTY
    s.marked = EMPTY
    s.payment_size = 0
    s.cursor = 0
    s.phase = Phase.INTEREST


@kernel
def slots_to(s, broker):
    """Containers of the payment that fall to brokers before this one (CT-IB-PREP-2)."""
    count = 0
    for other in range(broker):
        count += (s.payment_size + BROKERS - 1 - other) // BROKERS
    return count


@kernel
def paid_broker(s):
    """The broker whose box is being paid: which containers each gets is decided box by box, within a box in colour order."""
    paid = s.payment_size - total(s.payment[FACTORY])
    broker = 0
    while paid >= slots_to(s, broker + 1):
        broker += 1
    return broker


@kernel
def can_pay(s, colour):  # CT-IB-PREP-2
    if colour < s.cursor or s.payment[FACTORY, colour] == 0:
        return False
    left = 0
    for other in range(colour, COLOURS):
        left += s.payment[FACTORY, other]
    paid = s.payment_size - total(s.payment[FACTORY])
    return left >= slots_to(s, paid_broker(s) + 1) - paid


@kernel
def allow_payment(s, mask):  # CT-IB-PREP-2
    count = 0
    for colour in range(COLOURS):
        count += allow(mask, FIRST[Kind.PAY] + colour, can_pay(s, colour))
    return count


@kernel
def do_pay_container(s, colour):  # CT-IB-PREP-2
    broker = paid_broker(s)
    s.payment[FACTORY, colour] -= 1
    s.box_containers[broker, colour] += 1
    s.cursor = colour
    if total(s.payment[FACTORY]) == 0:
        end_payment(s)
    elif paid_broker(s) != broker:
        s.cursor = 0


@kernel
def do_close(s):  # CT-IB-END-1
    """At the end an open auction is won and paid; the order of the payment no longer matters."""
    if s.payer == EMPTY:
        return
    begin_win(s)
    if s.phase == Phase.PAY:
        for colour in range(COLOURS):
            while s.payment[FACTORY, colour] > 0:
                s.box_containers[paid_broker(s), colour] += 1
                s.payment[FACTORY, colour] -= 1
        end_payment(s)


assert OUTBID == BOXES
