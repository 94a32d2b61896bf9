"""The port: a delivery round (SC-PORT)."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, FIRST_OF_GOOD, Kind
from ..state import Phase
from ..tables import DEMANDED_GOODS, HIGHEST_DIE, WOOD_POINTS, Good
from .ship import do_lower_demand, do_raise_value


@kernel
def begin_deliveries(s):  # SC-PORT-1
    s.phase = Phase.PORT
    s.seat = s.active
    s.passed[:] = 0


@kernel
def most_goods(s, seat, good):  # SC-PORT-1
    """How many of a good can be delivered; fewer can too."""
    return min(s.demand[good], s.goods[seat, good])


@kernel
def most_wood(s, seat, good):  # SC-PORT-3
    """How many pieces of wood can stand for a good; fewer can too."""
    return min(s.demand[good], s.goods[seat, Good.WOOD])


@kernel
def allow_deliver(s, me, mask):  # SC-PORT-1, SC-PORT-3
    count = allow(mask, FIRST[Kind.PASS], True)  # SC-PORT-4
    for good in range(DEMANDED_GOODS):
        goods, wood = most_goods(s, me, good), most_wood(s, me, good)
        for k in range(HIGHEST_DIE[good]):  # of fixed length, as in `allow_drive`
            count += allow(mask, FIRST[Kind.DELIVER] + FIRST_OF_GOOD[good] + k, k < goods)
            count += allow(mask, FIRST[Kind.WOOD] + FIRST_OF_GOOD[good] + k, k < wood)
    return count


@kernel
def do_deliver(s, me, piece, good, count, value):  # SC-PORT-1, SC-PORT-2, SC-PORT-3
    """Pieces of one kind, paid `value` points each, go to the supply and close that much of the demand for a good."""
    s.goods[me, piece] -= count
    s.supply[piece] += count
    s.points[me] += count * value
    do_lower_demand(s, good, count)


@kernel
def do_deliver_goods(s, me, good, count):
    do_deliver(s, me, good, good, count, s.value)


@kernel
def do_deliver_wood(s, me, good, count):
    do_deliver(s, me, Good.WOOD, good, count, WOOD_POINTS)


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
