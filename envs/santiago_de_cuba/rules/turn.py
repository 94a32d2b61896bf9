"""A turn from beginning to end (SC-CAR-7): what follows from an action."""

from ...core.engine.kernel import kernel
from ...core.spec.fields import Status
from ..state import Exchange, Phase
from ..tables import EMPTY, MOST_TURNS, PORT, Cuban
from .cubans import begin_alonso, begin_next_gift, begin_pablo, do_visit
from .pawn import begin_pawn, do_pay_owner
from .port import begin_deliveries, begin_next_delivery, end_deliveries
from .ship import begin_roll


@kernel
def arrive(s, stream):  # SC-CAR-4, SC-CAR-5
    if s.car == PORT:
        if s.in_port:
            begin_deliveries(s)
        else:
            end_turn(s, stream)
        return
    cuban = s.street[s.car - 1]
    if s.inactive[cuban]:
        end_turn(s, stream)
    elif cuban == Cuban.PABLO:
        if not begin_pablo(s):
            enter_building(s, stream)
    elif cuban == Cuban.EL_ZORRO:
        if not begin_next_gift(s):
            use_building_again(s, stream)
    elif cuban == Cuban.ALONSO:
        if not begin_alonso(s):
            enter_building(s, stream)
    else:
        do_visit(s, cuban)
        enter_building(s, stream)


@kernel
def enter_building(s, stream):  # SC-BLD-1, SC-BLD-2
    if not begin_pawn(s):
        use_building_again(s, stream)


@kernel
def use_building_again(s, stream):  # SC-CUB-5, SC-BLD-2
    """The pawn stays where it is."""
    s.seat = s.active
    building = s.pawn[s.active]
    if building == EMPTY:
        end_turn(s, stream)
    else:
        begin_use(s, building, 0)


@kernel
def begin_use(s, building, by_alonso):  # SC-BLD-3
    s.phase = Phase.BUILDING
    s.building = building
    s.by_alonso = by_alonso


@kernel
def end_use(s, stream):
    by_alonso = s.by_alonso
    s.building = EMPTY
    s.by_alonso = 0
    s.exchange = Exchange.NONE
    if by_alonso:
        enter_building(s, stream)  # SC-CUB-6: then part B follows
    else:
        end_turn(s, stream)


@kernel
def go_on_delivering(s, stream):  # SC-PORT-5
    if s.status != Status.RUNNING:
        return
    if s.in_port:
        if begin_next_delivery(s):
            return
        end_deliveries(s)
        if s.status != Status.RUNNING:
            return
    end_turn(s, stream)


@kernel
def end_turn(s, stream):  # SC-CAR-7: the owner's point, then the roll
    s.passed[:] = 0
    do_pay_owner(s)
    if s.in_port:
        begin_next_turn(s)
    else:
        begin_roll(s, stream)


@kernel
def begin_next_turn(s):
    s.turn += 1
    s.active = (s.active + 1) % s.players
    s.seat = s.active
    s.phase = Phase.CAR
    if s.turn >= MOST_TURNS:  # SC-STALL-1
        s.status = Status.TRUNCATED
