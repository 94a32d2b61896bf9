"""What an action does: each kind has its chapter's `do_*`; turn.py goes on when an action is over."""

from ...core.engine.kernel import kernel
from ..actions import ARGUMENTS, KIND, Kind
from ..state import Phase
from .auction import begin_auction, do_accept, do_refuse, do_void, end_bid
from .bank import do_bid_money, do_call, do_offer, do_pay_container, end_offer
from .bidding import do_bid
from .buying import begin_shopping, do_buy, do_buy_machine, do_buy_warehouse, end_shopping
from .loans import begin_interest, do_repay, do_seize, do_take_loan
from .producing import do_make, do_produce
from .sailing import do_buy_cargo, do_land, do_load, do_sail_to_bank, do_sail_to_harbour, do_sail_to_sea
from .seats import left_of
from .stores import do_price
from .turn import do_pass, end_action


@kernel
def apply(s, action, stream):
    """Play one action, and what follows from it without a decision. Chance plays no part after the setup."""
    kind = KIND[action]
    me = int(s.seat)
    first = ARGUMENTS[action, 0]
    second = ARGUMENTS[action, 1]
    if kind == Kind.LOAN:
        do_take_loan(s, me)
    elif kind == Kind.REPAY:
        do_repay(s, me)
    elif kind <= Kind.CALL:
        apply_action(s, kind, me, first)
    elif kind == Kind.ENOUGH:
        do_stop(s, me)
    elif kind == Kind.OFFER:
        do_offer(s, me, first, second, ARGUMENTS[action, 2])
    else:
        apply_part(s, kind, me, first, second)
    if s.phase == Phase.DONE:
        end_action(s)
    if s.phase == Phase.INTEREST:
        begin_interest(s)


@kernel
def apply_action(s, kind, me, first):  # CT-TURN-1
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
    else:
        do_pass(s)


@kernel
def do_stop(s, me):
    if s.phase == Phase.SHOP:
        end_shopping(s, me)
    elif s.phase == Phase.CALL_CONTAINERS:
        end_offer(s, me)
    else:
        s.phase = Phase.DONE


@kernel
def apply_part(s, kind, me, first, second):
    """The next part of an action, or of a payment."""
    if kind == Kind.BUY:
        if s.phase == Phase.SHOP:
            do_buy(s, me, first, second)
        else:
            do_buy_cargo(s, me, first, second)
    elif kind == Kind.PRICE:
        do_price(s, me, first)
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
