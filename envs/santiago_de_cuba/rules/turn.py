"""A turn from beginning to end (SC-CAR-7): what is legal now, and what an action leads to."""

import numpy as np

from ...core.engine.kernel import kernel
from ...core.spec.fields import Status
from ..actions import ARGUMENTS, FIRST, FIRST_OF_GOOD, KIND, USE, Kind
from ..state import Exchange, Phase
from ..tables import DEMANDED_GOODS, EMPTY, HIGHEST_DIE, MOST_STOPS, MOST_TURNS, PORT, Building, Cuban
from .buildings import can_use, do_use
from .car import do_drive, most_stops
from .cubans import (
    begin_alonso,
    begin_next_gift,
    begin_pablo,
    can_claim,
    can_give,
    can_take,
    can_use_own,
    do_claim,
    do_give,
    do_take_goods,
    do_visit,
)
from .pawn import begin_pawn, can_enter, do_pay_owner, sites_here
from .port import begin_deliveries, begin_next_delivery, do_deliver_goods, do_deliver_wood, end_deliveries, most_goods, most_wood
from .ship import begin_roll, can_put_aside, do_put_aside


@kernel
def can_play(s, kind, first, second):
    """Whether an action of this kind is legal, in a phase that has such actions."""
    if kind == Kind.ASIDE:
        return can_put_aside(s, first)
    if kind == Kind.TAKE:
        return can_take(s, first)
    if kind == Kind.GIVE:
        return can_give(s, s.seat, first)
    if kind == Kind.CLAIM:
        return can_claim(s, first)
    if kind == Kind.USE_OWN:
        return can_use_own(s, first)
    if kind == Kind.NO_USE:  # SC-BLD-3; one who came through Alonso has chosen to use it (SC-CUB-6)
        return not s.by_alonso or s.exchange != Exchange.NONE
    if kind >= USE and kind < Kind.NO_USE:
        return can_use(s, kind - USE, first, second)
    return True  # NO_ALONSO (SC-CUB-6)


@kernel
def allow(s, mask, kind):
    """Set the legal actions of one kind; returns how many."""
    count = 0
    for action in range(FIRST[kind], FIRST[kind + 1]):
        can = can_play(s, kind, ARGUMENTS[action, 0], ARGUMENTS[action, 1])
        mask[np.uintp(action)] = can
        count += can
    return count


@kernel
def allow_first(mask, first, most, count):
    """Set the first of a row of `most` actions that take more and more; returns how many."""
    for k in range(most):  # all of them, since how many is as good as random, and to stop there costs more than it saves
        mask[np.uintp(first + k)] = k < count
    return count


@kernel
def allow_use(s, mask):
    """Set the ways of using the building. Each kind by itself: one look at which it is serves all its actions."""
    building = s.building
    if building == Building.BANK:
        return allow(s, mask, Kind.BANK)
    if building == Building.CHURCH:
        return allow(s, mask, Kind.CHURCH)
    if building == Building.DISTILLERY:
        return allow(s, mask, Kind.DISTILLERY)
    if building == Building.CIGAR_FACTORY:
        return allow(s, mask, Kind.CIGAR_FACTORY)
    if building == Building.BLACK_MARKET:
        return allow(s, mask, Kind.BLACK_MARKET)
    if building == Building.SAWMILL:
        return allow(s, mask, Kind.SAWMILL)
    if building == Building.CAFE:
        return allow(s, mask, Kind.CAFE)
    if building == Building.CUSTOMS_OFFICE:
        return allow(s, mask, Kind.CUSTOMS_OFFICE)
    if building == Building.CASINO:
        return allow(s, mask, Kind.CASINO)
    if building == Building.HARBOUR_AUTHORITY:
        return allow(s, mask, Kind.HARBOUR_AUTHORITY)
    if building == Building.CONTRACTORS_OFFICE:
        return allow(s, mask, Kind.CONTRACTORS_OFFICE)
    return allow(s, mask, Kind.NEWSPAPER)


@kernel
def allow_entering(s, mask):
    count = 0
    first, last = sites_here(s)
    for site in range(first, last):
        building = s.sites[site]
        free = can_enter(s, building)
        mask[np.uintp(FIRST[Kind.ENTER] + building)] = free
        count += free
    return count


@kernel
def allow_delivering(s, mask):
    count = 0
    for good in range(DEMANDED_GOODS):
        first, most = FIRST_OF_GOOD[good], HIGHEST_DIE[good]
        count += allow_first(mask, FIRST[Kind.DELIVER] + first, most, most_goods(s, good))
        count += allow_first(mask, FIRST[Kind.WOOD] + first, most, most_wood(s, good))
    mask[FIRST[Kind.PASS]] = True  # SC-PORT-4
    return count + 1


@kernel
def legal(s, mask):
    for action in range(mask.size):
        mask[action] = False
    phase = s.phase
    if phase == Phase.DICE:
        return allow(s, mask, Kind.ASIDE)
    if phase == Phase.CAR:
        return allow_first(mask, FIRST[Kind.DRIVE], MOST_STOPS, most_stops(s))
    if phase == Phase.PABLO:
        return allow(s, mask, Kind.TAKE)
    if phase == Phase.EL_ZORRO:
        return allow(s, mask, Kind.GIVE)
    if phase == Phase.ALONSO:
        return allow(s, mask, Kind.CLAIM) + allow(s, mask, Kind.USE_OWN) + allow(s, mask, Kind.NO_ALONSO)
    if phase == Phase.PAWN:
        return allow_entering(s, mask)
    if phase == Phase.BUILDING:
        return allow_use(s, mask) + allow(s, mask, Kind.NO_USE)
    return allow_delivering(s, mask)


@kernel
def apply(s, action, stream):
    kind = KIND[action]
    first = ARGUMENTS[action, 0]
    second = ARGUMENTS[action, 1]
    if kind == Kind.ASIDE:
        do_put_aside(s, first, stream)
        if s.in_port:
            begin_next_turn(s)
    elif kind == Kind.DRIVE:
        do_drive(s, first)
        if s.status == Status.RUNNING:
            arrive(s, stream)
    elif kind == Kind.TAKE:
        do_take_goods(s, s.active, first, 1)
        enter_building(s, stream)
    elif kind == Kind.GIVE:
        do_give(s, s.seat, first)
        if not begin_next_gift(s):
            use_building_again(s, stream)
    elif kind == Kind.CLAIM:
        do_claim(s, first)
        enter_building(s, stream)
    elif kind == Kind.USE_OWN:
        begin_use(s, first, 1)
    elif kind == Kind.NO_ALONSO:
        enter_building(s, stream)
    elif kind == Kind.ENTER:
        s.pawn[s.active] = first
        begin_use(s, first, 0)
    elif kind == Kind.DELIVER:
        do_deliver_goods(s, first, second)
        go_on_delivering(s, stream)
    elif kind == Kind.WOOD:
        do_deliver_wood(s, first, second)
        go_on_delivering(s, stream)
    elif kind == Kind.PASS:
        s.passed[s.seat] = 1
        go_on_delivering(s, stream)
    elif kind == Kind.NO_USE:
        end_use(s, stream)
    else:
        do_use(s, kind - USE, first, second)
        if s.status == Status.RUNNING and s.exchange == Exchange.NONE:
            end_use(s, stream)


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
