"""The Cubans (SC-CUB)."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, PESO, POINT, Kind
from ..state import Phase
from ..tables import BUILDINGS, CUBAN_GOODS, DEMANDED_GOODS, EMPTY, MARIA_POINTS, MARTINEZ_PESOS, Cuban, Good
from .buildings import is_usable

THINGS = POINT + 1  # that El Zorro may be given


@kernel
def do_take_goods(s, seat, good, count):  # SC-CUB-2
    taken = min(count, s.supply[good])
    s.supply[good] -= taken
    s.goods[seat, good] += taken


@kernel
def do_visit(s, cuban):  # SC-CUB-1
    """The Cubans that need no decision."""
    me = int(s.active)
    if cuban == Cuban.PEDRO:
        do_take_goods(s, me, Good.TOBACCO, CUBAN_GOODS)
    elif cuban == Cuban.MIGUEL:
        do_take_goods(s, me, Good.WOOD, CUBAN_GOODS)
    elif cuban == Cuban.JOSE:
        do_take_goods(s, me, Good.SUGAR, CUBAN_GOODS)
    elif cuban == Cuban.CONCHITA:
        do_take_goods(s, me, Good.FRUIT, CUBAN_GOODS)
    elif cuban == Cuban.MARIA:
        s.points[me] += MARIA_POINTS
    elif cuban == Cuban.MARTINEZ:
        s.pesos[me] += MARTINEZ_PESOS


@kernel
def can_take(s, good):  # SC-CUB-2, SC-CUB-3
    return good != Good.WOOD and s.supply[good] > 0


@kernel
def begin_pablo(s):  # SC-CUB-2, SC-CUB-3
    """True if there is something to take."""
    s.phase = Phase.PABLO
    for good in range(DEMANDED_GOODS):
        if can_take(s, good):
            return True
    return False


@kernel
def allow_take(s, mask):  # SC-CUB-3
    count = 0
    for good in range(DEMANDED_GOODS):
        count += allow(mask, FIRST[Kind.TAKE] + good, can_take(s, good))
    return count


@kernel
def can_give(s, seat, thing):  # SC-CUB-4
    if thing == PESO:
        return s.pesos[seat] > 0
    if thing == POINT:
        return s.points[seat] > 0
    return s.goods[seat, thing] > 0


@kernel
def allow_give(s, me, mask):  # SC-CUB-4
    count = 0
    for thing in range(THINGS):
        count += allow(mask, FIRST[Kind.GIVE] + thing, can_give(s, me, thing))
    return count


@kernel
def do_give(s, seat, thing):  # SC-CUB-4
    if thing == PESO:
        s.pesos[seat] -= 1
        s.pesos[s.active] += 1
    elif thing == POINT:
        s.points[seat] -= 1
        s.points[s.active] += 1
    else:
        s.goods[seat, thing] -= 1
        s.goods[s.active, thing] += 1


@kernel
def begin_next_gift(s):  # SC-CUB-4
    """Ask the next opponent clockwise of `s.seat` who has something to give; False when all have been asked."""
    s.phase = Phase.EL_ZORRO
    while True:
        s.seat = (s.seat + 1) % s.players
        if s.seat == s.active:
            return False
        for thing in range(THINGS):
            if can_give(s, int(s.seat), thing):
                return True


@kernel
def can_claim(s, building):  # SC-CUB-6
    return s.markers[s.active] > 0 and s.owner[building] == EMPTY


@kernel
def do_claim(s, building):  # SC-CUB-6
    s.markers[s.active] -= 1
    s.owner[building] = s.active


@kernel
def can_use_own(s, building):  # SC-CUB-6
    """A building that would do nothing now is not offered: that is the same as declining."""
    return s.owner[building] == s.active and is_usable(s, building)


@kernel
def begin_alonso(s):  # SC-CUB-6
    """True if there is anything to claim or to use."""
    s.phase = Phase.ALONSO
    for building in range(BUILDINGS):
        if can_claim(s, building) or can_use_own(s, building):
            return True
    return False


@kernel
def allow_alonso(s, mask):  # SC-CUB-6
    count = allow(mask, FIRST[Kind.NO_ALONSO], True)
    for building in range(BUILDINGS):
        count += allow(mask, FIRST[Kind.CLAIM] + building, can_claim(s, building))
        count += allow(mask, FIRST[Kind.USE_OWN] + building, can_use_own(s, building))
    return count
