"""A turn from beginning to end (CT-TURN-1): what an action leads to."""

import numpy as np

from ...core.engine.kernel import kernel
from ...core.spec.fields import Status
from ..actions import ARGUMENTS, KIND, Kind
from ..state import Phase
from ..tables import COLOURS_OUT, EMPTY
from .auction import begin_auction, do_accept, do_refuse, do_void, end_bid
from .bank import begin_win, do_bid_money, do_call, do_close, do_offer, do_pay_container, end_offer
from .bidding import do_bid
from .buying import begin_shopping, do_buy, do_buy_machine, do_buy_warehouse, end_shopping
from .loans import begin_interest, do_repay, do_seize, do_take_loan
from .producing import do_make, do_produce
from .sailing import do_buy_cargo, do_land, do_load, do_sail_to_bank, do_sail_to_harbour, do_sail_to_sea
from .scoring import colours_out
from .seats import left_of
from .stores import do_price


@kernel
def apply(s, action, stream):
    """Play one action, and what follows from it without a decision. Chance plays no part after the setup."""
    kind = KIND[action]
    me = np.int64(s.seat)
    first = ARGUMENTS[action, 0]
    second = ARGUMENTS[action, 1]
    if kind == Kind.LOAN:
        do_take_loan(s, me)
    elif kind == Kind.REPAY:
        do_repay(s, me)
    elif kind <= Kind.CALL:
        begin_action(s, kind, me, first)
    elif kind == Kind.ENOUGH:
        do_stop(s, me)
    elif kind == Kind.OFFER:
        do_offer(s, me, first, second, ARGUMENTS[action, 2])
    else:
        go_on(s, kind, me, first, second)
    if s.phase == Phase.DONE:
        end_action(s)
    if s.phase == Phase.INTEREST:
        begin_interest(s)


@kernel
def begin_action(s, kind, me, first):  # CT-TURN-1
    s.actions_left -= 1
    if kind == Kind.MACHINE:
        do_buy_machine(s, me, first)
    elif kind == Kind.WAREHOUSE:
        do_buy_warehouse(s, me)
    elif kind == Kind.SHOP:
        begin_shopping(s, left_of(s, me, first))
    elif kind == Kind.REPRICE:
        end_shopping(s, me)  # CT-HARB-3: as after a purchase of nothing
    elif kind == Kind.PRODUCE:
        do_produce(s, me)
    elif kind == Kind.TO_SEA:
        do_sail_to_sea(s, me)
    elif kind == Kind.TO_ISLAND:
        do_land(s, me)
        begin_auction(s)
    elif kind == Kind.TO_HARBOUR:
        do_sail_to_harbour(s, me, left_of(s, me, first))
    elif kind == Kind.TO_BANK:
        do_sail_to_bank(s, me)
    elif kind == Kind.CALL:
        do_call(s, me, first)
    else:  # CT-TURN-1: what is left of the turn is forgone
        s.actions_left = 0
        s.phase = Phase.DONE


@kernel
def do_stop(s, me):
    if s.phase == Phase.SHOP:
        end_shopping(s, me)
    elif s.phase == Phase.CALL_CONTAINERS:
        end_offer(s, me)
    else:
        s.phase = Phase.DONE


@kernel
def go_on(s, kind, me, first, second):
    """The next part of an action, or of a payment."""
    if kind == Kind.BUY:
        if s.phase == Phase.SHOP:
            do_buy(s, me, first, second)
        else:
            do_buy_cargo(s, me, first, second)
    elif kind == Kind.PRICE:
        do_price(s, first)
    elif kind == Kind.MAKE:
        do_make(s, me, first)
    elif kind == Kind.DIGIT or kind == Kind.VOID:
        if kind == Kind.DIGIT:
            do_bid(s, me, first, second)
        else:
            do_void(s, me)
        if s.bid_digits[me] == 0:
            if s.phase == Phase.CALL_MONEY:
                do_bid_money(s, me)
            else:
                end_bid(s)
    elif kind == Kind.ACCEPT:
        do_accept(s, left_of(s, me, first))
    elif kind == Kind.REFUSE:
        do_refuse(s)
    elif kind == Kind.SEIZE:
        do_seize(s, first, second)
    elif kind == Kind.LOAD:
        do_load(s, me, first)
    else:
        do_pay_container(s, first)


@kernel
def end_action(s):
    s.trader = EMPTY
    s.cursor = 0
    s.seat = s.active
    s.phase = Phase.ACTION
    if s.actions_left == 0:
        end_turn(s)


@kernel
def end_turn(s):  # CT-END-1, CT-END-1b, CT-STALL-1
    s.turn += 1
    if colours_out(s) >= COLOURS_OUT:
        s.status = Status.ENDED
    elif s.turn >= s.max_turns:
        s.status = Status.TRUNCATED
    if s.status != Status.RUNNING:
        do_close(s)
        s.phase = Phase.ACTION
        return
    s.active = left_of(s, np.int64(s.active), 1)
    s.seat = s.active
    s.fresh[s.active] = 0  # CT-LOAN-2: this turn's interest is paid on them before anything can be repaid
    s.produced = 0
    s.called = 0
    s.won = 0
    s.phase = Phase.INTEREST
    if s.payer == s.active:  # CT-IB-PREP-1: before the interest
        s.won = 1
        begin_win(s)
