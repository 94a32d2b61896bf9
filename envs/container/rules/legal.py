"""What the seat to move may do: every action of the phase that its own predicate allows."""

import numpy as np

from ...core.engine.kernel import kernel
from ..actions import OUTBID, Kind, first_of
from ..state import Phase
from ..tables import BOXES, COLOURS, FACTORY_PRICE, FACTORY_PRICES, HARBOUR_PRICE, HARBOUR_PRICES, MOST_PRICE
from .auction import can_refuse, can_refuse_with_loans, can_void
from .bank import CELLS, can_call, can_offer, can_pay, in_cell, in_cells_from, may_call, still_to_offer
from .bidding import can_bid, highest_bid, lowest_bid
from .buying import can_buy, can_buy_machine, can_buy_warehouse, can_reprice, can_shop, can_stop_shopping, has_dearer
from .loans import can_repay, can_seize, can_take_loan, seized_from
from .producing import can_make, can_produce
from .sailing import can_buy_cargo, can_leave_sea, can_load, can_sail_to_island, can_sail_to_sea
from .seats import left_of
from .stores import can_price, harbour_room

LOAN = first_of(Kind.LOAN)
REPAY = first_of(Kind.REPAY)
PASS = first_of(Kind.PASS)
MACHINE = first_of(Kind.MACHINE)
WAREHOUSE = first_of(Kind.WAREHOUSE)
SHOP = first_of(Kind.SHOP)
REPRICE = first_of(Kind.REPRICE)
PRODUCE = first_of(Kind.PRODUCE)
TO_SEA = first_of(Kind.TO_SEA)
TO_ISLAND = first_of(Kind.TO_ISLAND)
TO_HARBOUR = first_of(Kind.TO_HARBOUR)
TO_BANK = first_of(Kind.TO_BANK)
CALL = first_of(Kind.CALL)
BUY = first_of(Kind.BUY)
ENOUGH = first_of(Kind.ENOUGH)
MAKE = first_of(Kind.MAKE)
PRICE = first_of(Kind.PRICE)
DIGIT = first_of(Kind.DIGIT)
VOID = first_of(Kind.VOID)
ACCEPT = first_of(Kind.ACCEPT)
REFUSE = first_of(Kind.REFUSE)
SEIZE = first_of(Kind.SEIZE)
LOAD = first_of(Kind.LOAD)
OFFER = first_of(Kind.OFFER)
PAY = first_of(Kind.PAY)


@kernel
def allow(mask, action, allowed):
    mask[action] = allowed
    return 1 if allowed else 0


@kernel
def allow_actions(s, me, mask):  # CT-TURN-1
    mask[PASS] = True
    count = 1
    for colour in range(COLOURS):
        count += allow(mask, MACHINE + colour, can_buy_machine(s, me, colour))
    count += allow(mask, WAREHOUSE, can_buy_warehouse(s, me))
    room = harbour_room(s, me)
    at_sea = can_leave_sea(s, me)
    for left in range(1, np.int64(s.players)):
        count += allow(mask, SHOP + left - 1, can_shop(s, me, left_of(s, me, left), room))
        count += allow(mask, TO_HARBOUR + left - 1, at_sea)
    count += allow(mask, REPRICE, can_reprice(s, me))
    count += allow(mask, PRODUCE, can_produce(s, me))
    count += allow(mask, TO_SEA, can_sail_to_sea(s, me))
    count += allow(mask, TO_ISLAND, can_sail_to_island(s, me))
    if s.investment_bank:
        count += allow(mask, TO_BANK, at_sea)
        if may_call(s):
            for choice in range(BOXES + 1):
                count += allow(mask, CALL + choice, can_call(s, me, choice))
    return count


@kernel
def allow_shopping(s, me, mask):  # CT-HARB-1
    count = allow(mask, ENOUGH, can_stop_shopping(s))
    for colour in range(COLOURS):
        for price in range(FACTORY_PRICE, FACTORY_PRICE + FACTORY_PRICES):
            count += allow(mask, BUY + colour * MOST_PRICE + price - 1, can_buy(s, me, colour, price))
    return count


@kernel
def allow_cargo(s, me, mask):  # CT-SAIL-2
    mask[ENOUGH] = True
    count = 1
    for colour in range(COLOURS):
        for price in range(HARBOUR_PRICE, HARBOUR_PRICE + HARBOUR_PRICES):
            count += allow(mask, BUY + colour * MOST_PRICE + price - 1, can_buy_cargo(s, me, colour, price))
    return count


@kernel
def allow_digits(s, me, mask):  # CT-AUC-1, CT-AUC-6, CT-IB-CALL-2
    lowest, highest = lowest_bid(s), highest_bid(s, me)
    place = s.bid_digits[me] - 1
    count = allow(mask, VOID, can_void(s, me))
    for digit in range(10):
        count += allow(mask, DIGIT + 10 * place + digit, can_bid(s, me, place, digit, lowest, highest))
    return count


@kernel
def allow_sale(s, me, mask):  # CT-AUC-2, CT-AUC-3, CT-AUC-4
    count = allow(mask, REFUSE, can_refuse(s, me))
    for left in range(1, np.int64(s.players)):
        count += allow(mask, ACCEPT + left - 1, s.standing[left_of(s, me, left)] > 0)
    return count


@kernel
def allow_seizure(s, mask):  # CT-INT-2
    source = seized_from(s, np.int64(s.active))
    count = 0
    for colour in range(COLOURS):
        for price in range(MOST_PRICE + 1):
            count += allow(mask, SEIZE + colour * (MOST_PRICE + 1) + price, can_seize(s, source, colour, price))
    return count


@kernel
def allow_offers(s, me, mask):  # CT-IB-CALL-2, CT-IB-CALL-3
    needed = still_to_offer(s)
    first = np.int64(s.cursor)
    left = in_cells_from(s, me, first)
    count = allow(mask, ENOUGH, needed <= 0)
    for cell in range(first, CELLS):
        count += allow(mask, OFFER + cell, can_offer(s, me, cell, needed, left))
        left -= in_cell(s, me, cell)
    return count


@kernel
def allow_small_choices(s, me, mask):
    count = 0
    if s.phase == Phase.LOAD:  # CT-IB-SAIL-1
        mask[ENOUGH] = True
        count = 1
    for colour in range(COLOURS):
        if s.phase == Phase.MAKE:
            count += allow(mask, MAKE + colour, can_make(s, me, colour))
        elif s.phase == Phase.LOAD:
            count += allow(mask, LOAD + colour, can_load(s, me, colour))
        else:
            count += allow(mask, PAY + colour, can_pay(s, colour))
    return count


@kernel
def allow_prices(s, mask):  # CT-HARB-3, CT-PROD-3, CT-IB-CALL-3
    count = 0
    for price in range(1, MOST_PRICE + 1):
        count += allow(mask, PRICE + price - 1, can_price(s, price))
    return count


@kernel
def may_add_answers(s, me):  # CT-LOAN-3
    """Whether a loan can add an answer: such a decision is asked even if without one there is only one answer."""
    phase = s.phase
    if phase == Phase.SHOP:
        return has_dearer(s, me)
    if phase == Phase.SALE:
        return can_refuse_with_loans(s, me)
    return phase == Phase.ACTION or phase == Phase.SHIP or phase == Phase.BID or phase == Phase.SECOND_BID or phase == Phase.CALL_MONEY


@kernel
def legal(s, mask):
    for action in range(mask.size):  # a plain loop compiles to one memset
        mask[action] = False
    me = np.int64(s.seat)
    phase = s.phase
    if phase == Phase.ACTION:
        count = allow_actions(s, me, mask)
    elif phase == Phase.SHOP:
        count = allow_shopping(s, me, mask)
    elif phase == Phase.PRICE_FACTORY or phase == Phase.PRICE_HARBOUR:
        count = allow_prices(s, mask)
    elif phase == Phase.SHIP:
        count = allow_cargo(s, me, mask)
    elif phase == Phase.BID or phase == Phase.SECOND_BID or phase == Phase.CALL_MONEY:
        count = allow_digits(s, me, mask)
    elif phase == Phase.SALE:
        count = allow_sale(s, me, mask)
    elif phase == Phase.SEIZE:
        count = allow_seizure(s, mask)
    elif phase == Phase.CALL_CONTAINERS:
        count = allow_offers(s, me, mask)
    else:
        count = allow_small_choices(s, me, mask)
    if count > 1 or may_add_answers(s, me):  # CT-LOAN-3
        count += allow(mask, LOAN, can_take_loan(s, me))
        count += allow(mask, REPAY, can_repay(s, me))
    return count


assert OUTBID == BOXES
