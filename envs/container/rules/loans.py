"""Loans, interest and seizures (CT-LOAN, CT-INT)."""

import numpy as np

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, Kind
from ..state import Phase
from ..tables import (
    ACTIONS_A_TURN,
    COLOURS,
    FACTORY_PRICE,
    FACTORY_PRICES,
    HARBOUR_PRICE,
    HARBOUR_PRICES,
    INTEREST,
    LOAN,
    MOST_LOANS,
    MOST_PRICE,
)
from .auction import can_refuse_with_loans
from .bidding import begin_digits, is_at_first_digit, lowest_bid
from .buying import can_afford_one, can_stop_shopping, has_unaffordable
from .money import do_pay_bank, do_receive
from .seats import right_of
from .stores import factory_size, harbour_size, total

# CT-INT-2: where the bank takes a container, in this order.
FROM_ISLAND, FROM_SHIP, FROM_BANK_HARBOUR, FROM_HARBOUR, FROM_FACTORY, FROM_NOWHERE = 0, 1, 2, 3, 4, 5


@kernel
def is_secret(s):  # CT-AUC-1
    return s.phase == Phase.BID or s.phase == Phase.SECOND_BID


@kernel
def gives_digits(s):
    return is_secret(s) or s.phase == Phase.CALL_MONEY


@kernel
def can_take_loan(s, seat):  # CT-LOAN-1, CT-LOAN-3
    if s.loans[seat] + s.bid_loans[seat] >= MOST_LOANS:
        return False
    return not gives_digits(s) or is_at_first_digit(s, seat)


@kernel
def do_take_loan(s, seat):  # CT-LOAN-1
    if is_secret(s):  # CT-AUC-1: it shows together with the bid
        s.bid_loans[seat] += 1
    else:
        do_receive(s, seat, LOAN)
        s.loans[seat] += 1
        s.fresh[seat] += 1
    if gives_digits(s):
        begin_digits(s, seat)


@kernel
def is_spendable(s, seat, amount):
    """Whether a seat in the middle of a purchase or a bid can spend that much and still complete it."""
    left = s.money[seat] - amount
    if s.phase == Phase.CALL_MONEY:
        return left >= lowest_bid(s) and is_at_first_digit(s, seat)
    if s.phase == Phase.SHOP and not can_stop_shopping(s):
        return can_afford_one(s, np.int64(s.trader), left)
    return left >= 0


@kernel
def can_repay(s, seat):  # CT-LOAN-2
    return (
        seat == s.active
        and s.phase != Phase.PAY  # the interest is still to come (CT-IB-PREP-1)
        and s.loans[seat] > s.fresh[seat]
        and is_spendable(s, seat, LOAN)
    )


@kernel
def may_add_answers(s, seat):  # CT-LOAN-3
    """Whether a loan can add an action. Such a decision is asked even if only one action is legal without a loan."""
    phase = s.phase
    if phase == Phase.SHOP:
        return has_unaffordable(s, seat)
    if phase == Phase.SALE:
        return can_refuse_with_loans(s, seat)
    return phase == Phase.ACTION or phase == Phase.SHIP or gives_digits(s)


@kernel
def allow_loans(s, me, mask, others):  # CT-LOAN-3
    """Loans, beside the `others` legal actions."""
    if others <= 1 and not may_add_answers(s, me):
        return 0
    return allow(mask, FIRST[Kind.LOAN], can_take_loan(s, me)) + allow(mask, FIRST[Kind.REPAY], can_repay(s, me))


@kernel
def do_repay(s, seat):  # CT-LOAN-2
    do_pay_bank(s, seat, LOAN)
    s.loans[seat] -= 1
    if s.phase == Phase.CALL_MONEY:
        begin_digits(s, seat)


@kernel
def begin_interest(s):  # CT-INT-1
    """Pay what is owed, with a forced loan if that helps; what is left unpaid is seized."""
    me = np.int64(s.active)
    owed = INTEREST * np.int64(s.loans[me])
    if s.money[me] < owed and s.loans[me] < MOST_LOANS:
        do_receive(s, me, LOAN)
        s.loans[me] += 1
        s.fresh[me] += 1
    paid = min(owed, s.money[me] + 0)
    do_pay_bank(s, me, paid)
    if s.investment_bank:  # CT-IB-PREP-3: to the brokers instead, one dollar each from I on
        s.issued += paid
        for broker in range(paid):
            s.box_money[broker] += 1
    s.seizures = owed - paid
    go_on_seizing(s)


@kernel
def seized_from(s, seat):  # CT-INT-2
    if total(s.island[seat]) > 0:
        return FROM_ISLAND
    if total(s.cargo[seat]) > 0:
        return FROM_SHIP
    if total(s.bank_harbour[seat]) > 0:
        return FROM_BANK_HARBOUR
    if harbour_size(s, seat) > 0:
        return FROM_HARBOUR
    if factory_size(s, seat) > 0:
        return FROM_FACTORY
    return FROM_NOWHERE


@kernel
def go_on_seizing(s):  # CT-INT-2
    """Ask the player on the right of the active one what is taken next; begin the actions when nothing is."""
    if s.seizures > 0 and seized_from(s, np.int64(s.active)) != FROM_NOWHERE:
        s.phase = Phase.SEIZE
        s.seat = right_of(s, np.int64(s.active))
        return
    s.seizures = 0
    s.phase = Phase.ACTION
    s.seat = s.active
    s.actions_left = ACTIONS_A_TURN


@kernel
def can_seize(s, source, colour, price):  # CT-INT-2
    """Price 0 stands for places without prices."""
    debtor = s.active
    if source == FROM_HARBOUR:
        at = price - HARBOUR_PRICE
        return at >= 0 and at < HARBOUR_PRICES and s.harbour[debtor, colour, at] > 0
    if source == FROM_FACTORY:
        at = price - FACTORY_PRICE
        return at >= 0 and at < FACTORY_PRICES and s.factory[debtor, colour, at] > 0
    if price != 0:
        return False
    if source == FROM_ISLAND:
        return s.island[debtor, colour] > 0
    if source == FROM_SHIP:
        return s.cargo[debtor, colour] > 0
    return s.bank_harbour[debtor, colour] > 0


@kernel
def allow_seizure(s, mask):  # CT-INT-2
    source = seized_from(s, np.int64(s.active))
    count = 0
    for colour in range(COLOURS):
        for price in range(MOST_PRICE + 1):
            count += allow(mask, FIRST[Kind.SEIZE] + colour * (MOST_PRICE + 1) + price, can_seize(s, source, colour, price))
    return count


@kernel
def do_seize(s, colour, price):  # CT-INT-2
    debtor = np.int64(s.active)
    source = seized_from(s, debtor)
    if source == FROM_HARBOUR:
        s.harbour[debtor, colour, price - HARBOUR_PRICE] -= 1
    elif source == FROM_FACTORY:
        s.factory[debtor, colour, price - FACTORY_PRICE] -= 1
    elif source == FROM_ISLAND:
        s.island[debtor, colour] -= 1
    elif source == FROM_SHIP:
        s.cargo[debtor, colour] -= 1
    else:
        s.bank_harbour[debtor, colour] -= 1
    s.removed[colour] += 1
    s.seizures -= 1
    go_on_seizing(s)
