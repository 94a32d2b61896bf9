"""A turn from beginning to end (CT-TURN-1): its actions, and what follows when one is over."""

import numpy as np

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ...core.spec.fields import Status
from ..actions import FIRST, Kind
from ..state import Phase
from ..tables import COLOURS, COLOURS_OUT, EMPTY
from .bank import allow_calls, begin_win, do_close
from .buying import can_buy_machine, can_buy_warehouse, can_reprice, can_shop
from .producing import can_produce
from .sailing import can_leave_sea, can_sail_to_island, can_sail_to_sea
from .scoring import colours_out
from .seats import left_of
from .stores import harbour_room


@kernel
def allow_actions(s, me, mask):  # CT-TURN-1
    count = allow(mask, FIRST[Kind.PASS], True)
    for colour in range(COLOURS):
        count += allow(mask, FIRST[Kind.MACHINE] + colour, can_buy_machine(s, me, colour))
    count += allow(mask, FIRST[Kind.WAREHOUSE], can_buy_warehouse(s, me))
    room = harbour_room(s, me)
    at_sea = can_leave_sea(s, me)
    for left in range(1, np.int64(s.players)):
        count += allow(mask, FIRST[Kind.SHOP] + left - 1, can_shop(s, me, left_of(s, me, left), room))
        count += allow(mask, FIRST[Kind.TO_HARBOUR] + left - 1, at_sea)
    count += allow(mask, FIRST[Kind.REPRICE], can_reprice(s, me))
    count += allow(mask, FIRST[Kind.PRODUCE], can_produce(s, me))
    count += allow(mask, FIRST[Kind.TO_SEA], can_sail_to_sea(s, me))
    count += allow(mask, FIRST[Kind.TO_ISLAND], can_sail_to_island(s, me))
    if s.investment_bank:
        count += allow(mask, FIRST[Kind.TO_BANK], at_sea)
        count += allow_calls(s, me, mask)
    return count


@kernel
def do_pass(s):  # CT-TURN-1
    """What is left of the turn is forgone."""
    s.actions_left = 0
    s.phase = Phase.DONE


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
