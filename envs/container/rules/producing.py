"""Producing containers for the factory store (CT-PROD)."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, Kind
from ..state import Phase
from ..tables import COLOURS, COLOURS_OUT, FACTORY, UNION_FEE
from .money import do_pay
from .scoring import colours_out
from .seats import right_of
from .stores import begin_pricing, do_empty_factory, factory_room


@kernel
def is_producible(s, seat, colour):  # CT-PROD-2
    return s.machines[seat, colour] > 0 and s.supply[colour] > 0


@kernel
def may_run_out(s):  # CT-IB-CALL-1
    """How many colours may still run out in this turn: after a call the game cannot end in it."""
    return COLOURS_OUT - 1 - colours_out(s) if s.called else COLOURS


@kernel
def choosable(s, seat, first, running_out):
    """How many of the colours from `first` on could be produced together, if that many of them may run out."""
    plenty, last = 0, 0
    for colour in range(first, COLOURS):
        if is_producible(s, seat, colour):
            if s.supply[colour] > 1:
                plenty += 1
            else:
                last += 1
    return plenty + min(last, running_out)


@kernel
def producible(s, seat):
    return choosable(s, seat, 0, COLOURS)


@kernel
def production_size(s, seat):  # CT-PROD-2: everything that fits
    return min(producible(s, seat), factory_room(s, seat))


@kernel
def can_produce(s, seat):  # CT-PROD-1, CT-IB-CALL-1
    if s.produced or s.money[seat] < UNION_FEE:
        return False
    return not s.called or choosable(s, seat, 0, may_run_out(s)) >= production_size(s, seat)


@kernel
def do_produce(s, seat):  # CT-PROD-1, CT-PROD-2
    """Make everything, or begin to choose if not everything fits."""
    do_pay(s, seat, right_of(s, seat), UNION_FEE)
    s.produced = 1
    s.to_make = production_size(s, seat)
    s.cursor = 0
    if s.to_make < producible(s, seat) and s.to_make > 0:
        s.phase = Phase.MAKE
        return
    if s.to_make > 0:
        for colour in range(COLOURS):
            if is_producible(s, seat, colour):
                do_make_one(s, colour)
    end_production(s, seat)


@kernel
def can_make(s, seat, colour):  # CT-PROD-2
    """In colour order, so that each set is reached in one way only; enough colours must remain for the rest."""
    if colour < s.cursor or not is_producible(s, seat, colour):
        return False
    running_out = may_run_out(s) - (1 if s.supply[colour] == 1 else 0)
    return running_out >= 0 and choosable(s, seat, colour + 1, running_out) >= s.to_make - 1


@kernel
def allow_make(s, me, mask):  # CT-PROD-2
    count = 0
    for colour in range(COLOURS):
        count += allow(mask, FIRST[Kind.MAKE] + colour, can_make(s, me, colour))
    return count


@kernel
def do_make_one(s, colour):
    s.supply[colour] -= 1
    s.pile[FACTORY, colour] += 1
    s.to_make -= 1


@kernel
def do_make(s, seat, colour):  # CT-PROD-2
    do_make_one(s, colour)
    s.cursor = colour + 1
    if s.to_make == 0:
        end_production(s, seat)


@kernel
def end_production(s, seat):  # CT-PROD-3
    do_empty_factory(s, seat)
    begin_pricing(s)
