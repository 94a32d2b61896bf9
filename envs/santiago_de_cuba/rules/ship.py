"""The value marker, the departure of a ship and the roll for the next (SC-VAL, SC-NEW, SC-END-1)."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ...core.engine.rng import below
from ...core.spec.fields import Status
from ..actions import FIRST, Kind
from ..state import Phase
from ..tables import DEMANDED_GOODS, DICE, EMPTY, HIGHEST_VALUE, LOWEST_VALUE, SHIPS


@kernel
def is_satisfied(s):  # SC-NEW-1
    for good in range(DEMANDED_GOODS):
        if s.demand[good] > 0:
            return False
    return True


@kernel
def do_depart(s):  # SC-NEW-2, SC-NEW-4
    """The ship leaves, loaded or not. Until the roll at the end of the turn none is in port."""
    s.in_port = 0
    s.value = LOWEST_VALUE
    s.aside = EMPTY
    s.demand[:] = 0
    do_move_track(s)


@kernel
def do_move_track(s):  # SC-END-1
    s.ship += 1
    if s.ship > SHIPS:
        s.status = Status.ENDED


@kernel
def do_raise_value(s):  # SC-VAL-1, SC-VAL-2
    if s.value == HIGHEST_VALUE:
        do_depart(s)
    else:
        s.value += 1


@kernel
def do_lower_demand(s, good, count):  # SC-NEW-1
    s.demand[good] -= count
    if is_satisfied(s):
        do_depart(s)


@kernel
def begin_roll(s, stream):  # SC-NEW-2
    """Roll the five dice for the next ship; five zeros make it leave at once (SC-NEW-3)."""
    s.phase = Phase.DICE
    s.seat = s.active
    while s.status == Status.RUNNING:
        nothing = True
        for good in range(DEMANDED_GOODS):
            s.dice[good] = DICE[good, below(stream, 6)]
            if s.dice[good] > 0:
                nothing = False
        if not nothing:
            return
        do_move_track(s)


@kernel
def can_put_aside(s, good):  # SC-NEW-2
    """Any die. Of several that show 0 only the first is offered: putting any of them aside has the same effect."""
    if s.dice[good] > 0:
        return True
    for other in range(good):
        if s.dice[other] == 0:
            return False
    return True


@kernel
def allow_aside(s, mask):  # SC-NEW-2
    count = 0
    for good in range(DEMANDED_GOODS):
        count += allow(mask, FIRST[Kind.ASIDE] + good, can_put_aside(s, good))
    return count


@kernel
def do_put_aside(s, good, stream):  # SC-NEW-2, SC-NEW-3
    for other in range(DEMANDED_GOODS):
        s.demand[other] = s.dice[other]
    s.demand[good] = 0
    if is_satisfied(s):
        do_move_track(s)
        begin_roll(s, stream)
        return
    s.aside = good
    s.in_port = 1
