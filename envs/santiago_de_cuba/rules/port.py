"""The port: a delivery round (SC-PORT)."""

from ...core.engine.kernel import kernel
from ..state import Phase
from ..tables import WOOD_POINTS, Good
from .ship import do_lower_demand, do_raise_value


@kernel
def begin_deliveries(s):  # SC-PORT-1
    s.phase = Phase.PORT
    s.seat = s.active
    s.passed[:] = 0


@kernel
def most_goods(s, good):  # SC-PORT-1
    """How many of a good can be delivered; fewer can too."""
    return min(s.demand[good], s.goods[s.seat, good])


@kernel
def most_wood(s, good):  # SC-PORT-3
    """How many pieces of wood can stand for a good; fewer can too."""
    return min(s.demand[good], s.goods[s.seat, Good.WOOD])


@kernel
def do_deliver(s, piece, good, count, value):  # SC-PORT-1, SC-PORT-2, SC-PORT-3
    """Pieces of one kind, paid `value` points each, go to the supply and close that much of the demand for a good."""
    s.goods[s.seat, piece] -= count
    s.supply[piece] += count
    s.points[s.seat] += count * value
    do_lower_demand(s, good, count)


@kernel
def do_deliver_goods(s, good, count):
    do_deliver(s, good, good, count, s.value)


@kernel
def do_deliver_wood(s, good, count):
    do_deliver(s, Good.WOOD, good, count, WOOD_POINTS)


@kernel
def begin_next_delivery(s):  # SC-PORT-4, SC-PORT-5
    """The next seat clockwise that has not passed, perhaps the same again; False when all have."""
    for _ in range(s.players):
        s.seat = (s.seat + 1) % s.players
        if not s.passed[s.seat]:
            return True
    return False


@kernel
def end_deliveries(s):  # SC-PORT-5
    """All have passed: the marker moves, and may make the ship leave."""
    do_raise_value(s)
